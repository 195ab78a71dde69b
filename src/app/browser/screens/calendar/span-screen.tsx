// The pages of a week and of a month: who was there, and the memories under their days.

import { addDays, addMonths, dayBounds } from '../../dates.ts';
import { totalsOf } from '../../format.ts';
import { Link } from '../../parts/link.tsx';
import { dates, weekOf } from '../../parts/time-formats.ts';
import { useDays } from '../../state/day-totals.ts';
import { NO_FILTER } from '../../state/list/filter.ts';
import { zone } from '../../state/reading.ts';
import { useResource } from '../../state/resource.ts';
import { api } from '../../state/session.ts';
import { MemoryList } from '../list/memory-list.tsx';
import { DayLinks } from './day-screen.tsx';
import { neighboursOf } from './year.ts';

/** The week of a date. */
export function WeekScreen({ date }: { readonly date: string }) {
  const from = weekOf(date);
  const to = addDays(from, 6);
  const title = dates.value.spanOfYear(from, to);
  return <Span {...{ from, to, title }} unit="week" pathOf={(day) => `weeks/${weekOf(day)}`} />;
}

/** A month, such as `2026-11`. */
export function MonthScreen({ month }: { readonly month: string }) {
  const from = `${month}-01`;
  const to = addDays(addMonths(from, 1), -1);
  const title = `${dates.value.month(from)} ${month.slice(0, 4)}`;
  return (
    <Span {...{ from, to, title }} unit="month" pathOf={(day) => `months/${day.slice(0, 7)}`} />
  );
}

interface SpanProps {
  /** The first day. */
  readonly from: string;
  /** The last day. */
  readonly to: string;
  readonly title: string;
  readonly unit: 'week' | 'month';
  /** Returns the address of the span with a day. */
  readonly pathOf: (day: string) => string;
}

/** The most people that are named. */
const MOST = 12;

function Span({ from, to, title, unit, pathOf }: SpanProps) {
  const days = useDays().data ?? [];
  const { data: people } = useResource(`with ${from} ${to} ${zone.value}`, () =>
    api.people.page({ timezone: zone.value, ...dayBounds(from, to), limit: MOST }),
  );
  const own = days.filter(({ date }) => date >= from && date <= to);
  const sum = (name: 'memories' | 'duration_seconds') =>
    own.reduce((total, day) => total + day[name], 0);
  const { before } = neighboursOf(from, days);
  const { after } = neighboursOf(to, days);
  return (
    <div class="calendar">
      <h1 tabIndex={-1}>{title}</h1>
      <DayLinks date={from} {...{ unit, before, after, pathOf }} />
      {own.length > 0 && <p>{totalsOf(sum('memories'), sum('duration_seconds'))}</p>}
      {people !== undefined && people.items.length > 0 && (
        <p>
          With{' '}
          {people.items.map(({ name }, at) => (
            <>
              {at > 0 && ', '}
              <Link key={name} to={`people/${encodeURIComponent(name)}`}>
                <bdi>{name}</bdi>
              </Link>
            </>
          ))}
        </p>
      )}
      <MemoryList
        filter={{ ...NO_FILTER, from, to }}
        title={title}
        none={<p>No memories in this {unit}.</p>}
      />
    </div>
  );
}

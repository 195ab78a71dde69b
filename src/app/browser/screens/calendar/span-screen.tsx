// The pages of a week and of a month: who was there, and the memories under their days.

import { addDays, datesOfMonth, dayBounds, monthOf, yearOf } from '../../dates.ts';
import { totalsOf } from '../../format.ts';
import { useDays } from '../../state/day-totals.ts';
import { NO_FILTER } from '../../state/list/filter.ts';
import { sumOf } from '../../state/list/layout.ts';
import { zone } from '../../state/reading.ts';
import { useResource } from '../../state/resource.ts';
import { api } from '../../state/session.ts';
import { dates, weekOf } from '../../time-formats.ts';
import { MemoryList } from '../list/memory-list.tsx';
import { NameLinks } from '../people/name-links.tsx';
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
  const [from, to] = datesOfMonth(month);
  const title = `${dates.value.month(from)} ${yearOf(from)}`;
  return <Span {...{ from, to, title }} unit="month" pathOf={(day) => `months/${monthOf(day)}`} />;
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
  const { memories, seconds } = sumOf(own);
  const { before } = neighboursOf(from, days);
  const { after } = neighboursOf(to, days);
  return (
    <div class="calendar">
      <h1 tabIndex={-1}>{title}</h1>
      <DayLinks date={from} {...{ unit, before, after, pathOf }} />
      {memories > 0 && <p>{totalsOf(memories, seconds)}</p>}
      <NameLinks label="With" names={people?.items.map(({ name }) => ({ name }))} />
      <MemoryList
        filter={{ ...NO_FILTER, from, to }}
        title={title}
        none={<p>No memories in this {unit}.</p>}
      />
    </div>
  );
}

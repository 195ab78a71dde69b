// The calendar: a year of days with its totals, its longest gap, and the way to other years.

import type { Day } from '../../../../contract/days.ts';
import { boundsOf } from '../../dates.ts';
import { lengthOf } from '../../format.ts';
import { AsCurl } from '../../parts/as-curl.tsx';
import { dates, formats } from '../../parts/formats.ts';
import { Link } from '../../parts/link.tsx';
import { FailureNotice, Loading } from '../../parts/notice.tsx';
import { ZoneChoice } from '../../parts/zone-choice.tsx';
import { useDays } from '../../state/days.ts';
import { zone } from '../../state/reading.ts';
import { useArrival } from '../../state/router.ts';
import { CALENDAR, LIST } from '../../texts.ts';
import { useToday } from './today.ts';
import { labelOf, YearGrid } from './year-grid.tsx';
import { createYear, yearsOf, type Year } from './year.ts';

/** The screen of a year, such as `2026`. Without one, it is the latest year that has memories, up to this year. */
export function CalendarScreen({ year: named }: { readonly year: string | undefined }) {
  const { data: all, failure, reload } = useDays();
  const { dayOf } = formats.value;
  const today = useToday();
  const latest = all?.findLast(({ date }) => date <= today);
  const name = named ?? (latest?.date ?? today).slice(0, 4);
  const title = `${CALENDAR.title} ${name}`;
  useArrival(all !== undefined, title);
  const year = createYear(name, all ?? [], { today, dayOf });
  const bounds = boundsOf(`${name}-01-01`, `${name}-12-31`);
  const query = new URLSearchParams({ timezone: zone.value, ...bounds });
  return (
    <div class="calendar">
      <div class="heading">
        <h1 tabIndex={-1}>{title}</h1>
        <ZoneChoice />
      </div>
      <Years all={all ?? []} year={year} />
      {all === undefined && failure === undefined && <Loading />}
      <FailureNotice failure={failure} onRetry={reload} />
      {all !== undefined && (
        <>
          <Totals year={year} isEmpty={all.length === 0} />
          <YearGrid year={year} />
          <DayList year={year} />
        </>
      )}
      <AsCurl path={`/days?${query.toString()}`} />
    </div>
  );
}

interface YearsProps {
  readonly all: readonly Day[];
  readonly year: Year;
}

/** The years that have memories, this year, and the years before and after the shown year. */
function Years({ all, year: { name, today } }: YearsProps) {
  const beside = [-1, 0, 1].map((step) => String(Number(name) + step).padStart(4, '0'));
  const years = new Set([...yearsOf(all), today.slice(0, 4), ...beside]);
  return (
    <nav aria-label={CALENDAR.years}>
      {Array.from(years)
        .filter((each) => /^\d{4}$/.test(each))
        .toSorted()
        .map((each) => (
          <Link key={each} to={`calendar/${each}`} isCurrent={each === name}>
            {each}
          </Link>
        ))}
    </nav>
  );
}

interface TotalsProps {
  readonly year: Year;
  /** Whether there are no memories at all. */
  readonly isEmpty: boolean;
}

function Totals({ year: { name, memories, seconds, gap }, isEmpty }: TotalsProps) {
  if (isEmpty)
    return (
      <p>
        {LIST.empty}. <Link to="">{CALENDAR.toImport}</Link>
      </p>
    );
  if (memories === 0) return <p>{CALENDAR.emptyYear(name)}</p>;
  return (
    <p>
      <strong>{CALENDAR.totals(memories, lengthOf(seconds))}</strong>
      {gap.length > 0 &&
        ` · ${CALENDAR.gap(dates.value.span(gap[0] ?? '', gap.at(-1) ?? ''), gap.length)}`}
    </p>
  );
}

/** The days that have memories as a list, because colours are never the only sign. */
function DayList({ year }: { readonly year: Year }) {
  return (
    <details>
      <summary>{CALENDAR.asList(year.days.size)}</summary>
      <ul class="plain-list">
        {Array.from(year.days.keys(), (date) => (
          <li key={date}>
            <Link to={`days/${date}`}>{labelOf(date, year)}</Link>
          </li>
        ))}
      </ul>
    </details>
  );
}

// The calendar: a year of days, and the way to other years.

import type { FoundScreen } from '../../../screens.ts';
import { monthOf, yearOf } from '../../dates.ts';
import { Link } from '../../parts/link.tsx';
import { Awaited } from '../../parts/notice.tsx';
import { useDays } from '../../state/day-totals.ts';
import type { DayCount } from '../../state/list/layout.ts';
import { place, useArrival } from '../../state/router.ts';
import { today } from '../../time-formats.ts';
import { DayGrid } from './day-grid.tsx';
import { createDays, datesOfMonth } from './days.ts';
import { SpanHead } from './span-head.tsx';

/**
 * The screen of a year, such as `2026`. If `year` is empty, it is the latest year that has memories, up to this year, with
 * this month in sight.
 */
export function CalendarScreen({ about: named }: Pick<FoundScreen, 'about'>) {
  const days = useDays();
  const all = days.data;
  const now = today();
  const latest = all?.findLast(({ date }) => date <= now);
  const name = named || yearOf(latest?.date ?? now);
  const title = `Calendar ${name}`;
  const [from, to] = [`${name}-01-01`, `${name}-12-31`];
  useArrival(all !== undefined, title, () => {
    const last = named || place.value.kept ? '' : datesOfMonth(monthOf(now))[1];
    document.getElementById(last)?.scrollIntoView({ block: 'nearest' });
    return last !== '';
  });
  return (
    <div class="calendar">
      <SpanHead {...{ from, to, title }} unit="year" />
      <Awaited {...days} />
      {all !== undefined && (
        <>
          <Years all={all} name={name} today={now} />
          <DayGrid unit="year" of={createDays({ from, to }, all, now)} />
        </>
      )}
    </div>
  );
}

interface YearsProps {
  readonly all: readonly DayCount[];
  readonly name: string;
  readonly today: string;
}

/** The years that have memories, this year, and the shown year. Of two, the head has the way to the other. */
function Years({ all, name, today: now }: YearsProps) {
  const years = new Set([...all.map(({ date }) => yearOf(date)), yearOf(now), name]);
  if (years.size < 3) return null;
  return (
    <nav aria-label="Years">
      {[...years].toSorted().map((each) => (
        <Link key={each} to={`calendar/${each}`} isCurrent={each === name}>
          {each}
        </Link>
      ))}
    </nav>
  );
}

// The calendar: a year of days with its totals, and the way to other years.

import type { FoundScreen } from '../../../screens.ts';
import { dayBounds, yearOf } from '../../dates.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import { Options } from '../../parts/as-curl.tsx';
import { ZoneChoice } from '../../parts/controls/zone-choice.tsx';
import { Link } from '../../parts/link.tsx';
import { Awaited } from '../../parts/notice.tsx';
import { useDays } from '../../state/day-totals.ts';
import type { DayCount } from '../../state/list/layout.ts';
import { zone } from '../../state/reading.ts';
import { go, useArrival } from '../../state/router.ts';
import { totalsOf } from '../../state/totals.ts';
import { today } from '../../time-formats.ts';
import { YearGrid } from './year-grid.tsx';
import { createYear, type Year } from './year.ts';

/** The screen of a year, such as `2026`. If `year` is empty, it is the latest year that has memories, up to this year. */
export function CalendarScreen({ about: named }: Pick<FoundScreen, 'about'>) {
  const days = useDays();
  const all = days.data;
  const now = today();
  useShortcuts([{ keys: ['t'], text: 'Today', run: () => go(`days/${now}`) }]);
  const latest = all?.findLast(({ date }) => date <= now);
  const name = named || yearOf(latest?.date ?? now);
  const title = `Calendar ${name}`;
  useArrival(all !== undefined, title);
  const year = createYear(name, all ?? [], now);
  const bounds = dayBounds(`${name}-01-01`, `${name}-12-31`);
  return (
    <div class="calendar">
      <div class="heading">
        <h1 tabIndex={-1}>{title}</h1>
        <Options path="/days" query={{ timezone: zone.value, ...bounds }}>
          <ZoneChoice />
        </Options>
      </div>
      <Awaited {...days} />
      {all !== undefined && (
        <>
          <div class="sum">
            <Years all={all} year={year} />
            <Totals year={year} isEmpty={all.length === 0} />
          </div>
          <YearGrid year={year} />
        </>
      )}
    </div>
  );
}

interface YearsProps {
  readonly all: readonly DayCount[];
  readonly year: Year;
}

/** The years that have memories, this year, and the shown year. One alone is in the heading. */
function Years({ all, year: { name, today: now } }: YearsProps) {
  const years = new Set([...all.map(({ date }) => yearOf(date)), yearOf(now), name]);
  if (years.size === 1) return null;
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

interface TotalsProps {
  readonly year: Year;
  /** Whether there are no memories at all. */
  readonly isEmpty: boolean;
}

function Totals({ year: { name, memories, days }, isEmpty }: TotalsProps) {
  if (isEmpty)
    return (
      <p>
        No memories yet. <Link to="">See how to import recordings</Link>
      </p>
    );
  if (memories === 0) return <p>No memories in {name}.</p>;
  return (
    <p>
      <strong>{totalsOf([...days.values()])}</strong>
    </p>
  );
}

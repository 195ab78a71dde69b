// The page of a day: its memories, oldest first, and the nearest days before and after.

import { dayBounds, hoursOf, monthOf, yearOf } from '../../dates.ts';
import { totalsOf } from '../../format.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import type { Shortcut } from '../../keyboard/shortcuts.ts';
import { AsCurl } from '../../parts/as-curl.tsx';
import { ZoneChoice } from '../../parts/controls/zone-choice.tsx';
import { Link } from '../../parts/link.tsx';
import { MemoryRow } from '../../parts/lists/memory-row.tsx';
import { PagesEnd, usePages } from '../../parts/lists/pages.tsx';
import { useDays } from '../../state/day-totals.ts';
import { FIELDS, type Row } from '../../state/list/row.ts';
import { zone } from '../../state/reading.ts';
import { go, useArrival } from '../../state/router.ts';
import { api } from '../../state/session.ts';
import { dates, formats, today, weekOf } from '../../time-formats.ts';
import { neighboursOf, type NearDays } from './year.ts';

/** The key that leads to today. */
export const todayKey: Shortcut = {
  keys: ['t'],
  text: 'Today',
  run: () => go(`days/${today()}`),
};

/** The screen of a day, such as `2026-11-18`. */
export function DayScreen({ date }: { readonly date: string }) {
  const query = { timezone: zone.value, ...dayBounds(date, date), order: 'asc' } as const;
  const pages = usePages<Row>(`${date} ${zone.value}`, (start) =>
    api.memories.page(start.cursor === undefined ? { ...query, ...start, fields: FIELDS } : start),
  );
  const days = useDays();
  const title = dates.value.longDay(date);
  useArrival(pages.items !== undefined, title);
  const totals = days.data?.find((day) => day.date === date);
  const hours = hoursOf(date, formats.value.dayOf);
  return (
    <div class="calendar">
      <div class="heading">
        <h1 tabIndex={-1}>{title}</h1>
        <ZoneChoice />
      </div>
      <DayLinks
        {...neighboursOf(date, days.data ?? [])}
        date={date}
        unit="day"
        pathOf={(day) => `days/${day}`}
      />
      {totals !== undefined && (
        <p>{totalsOf(totals.memories, totals.duration_seconds)}, oldest first</p>
      )}
      {hours !== 24 && (
        <p>
          {hours === 0
            ? `${zone.value} skips this day.`
            : `This day has ${hours} hours in ${zone.value}, because the clocks change.`}
        </p>
      )}
      {pages.items?.length === 0 && <p>No memories on this day.</p>}
      <ul class="memories">
        {pages.items?.map((row) => (
          <li key={row.id}>
            <MemoryRow row={row} hasOffset={hours !== 24} />
          </li>
        ))}
      </ul>
      <PagesEnd pages={{ ...pages, failure: pages.failure ?? days.failure }} />
      <AsCurl path="/memories" query={query} />
    </div>
  );
}

interface DayLinksProps extends NearDays {
  readonly date: string;
  readonly unit: 'day' | 'week' | 'month';
  /** Returns the address of what a day is in. */
  readonly pathOf: (day: string) => string;
}

/** The way to the calendar, to the week or month around, and to the nearest days, weeks or months that have memories. */
export function DayLinks({ date, unit, before, after, pathOf }: DayLinksProps) {
  const year = yearOf(date);
  const sides = [
    { key: 'p', text: `Previous ${unit}`, day: before },
    { key: 'n', text: `Next ${unit}`, day: after },
  ].flatMap(({ day = '', ...side }) => (day === '' ? [] : { ...side, day, to: pathOf(day) }));
  useShortcuts([
    todayKey,
    ...sides.map(({ key, text, to }) => ({ keys: [key], text, run: () => go(to) })),
  ]);
  return (
    <nav aria-label="Days">
      <Link to={`calendar/${year}`}>{`Calendar ${year}`}</Link>
      {unit === 'day' && <Link to={`weeks/${weekOf(date)}`}>Week</Link>}
      {unit === 'week' && <Link to={`months/${monthOf(date)}`}>Month</Link>}
      {sides.map(({ key, text, day, to }) => (
        <Link key={key} to={to}>
          {unit === 'day' ? `${text}: ${dates.value.date(day)}` : text}
        </Link>
      ))}
    </nav>
  );
}

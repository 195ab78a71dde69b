// The page of a day: its memories, oldest first.

import type { FoundScreen } from '../../../screens.ts';
import { dayBounds } from '../../dates.ts';
import { MemoryRow } from '../../parts/lists/memory-row.tsx';
import { PagesEnd, usePages } from '../../parts/lists/pages.tsx';
import { FIELDS, type Row } from '../../state/list/row.ts';
import { zone } from '../../state/reading.ts';
import { useArrival } from '../../state/router.ts';
import { api } from '../../state/session.ts';
import { dates, formats } from '../../time-formats.ts';
import { hoursOf } from './days.ts';
import { SpanHead } from './span-head.tsx';

/** The screen of a day, such as `2026-11-18`. */
export function DayScreen({ about: date }: Pick<FoundScreen, 'about'>) {
  const query = { timezone: zone.value, ...dayBounds(date, date), order: 'asc' } as const;
  const pages = usePages<Row>(`${date} ${zone.value}`, (start) =>
    api.memories.page(start.cursor === undefined ? { ...query, ...start, fields: FIELDS } : start),
  );
  const title = dates.value.longDay(date);
  useArrival(pages.items !== undefined, title);
  // A month stays with its day, in either order.
  const head = title.replace(/(?<=, \S+) /, '\u00a0');
  const hours = hoursOf(date, formats.value.dayOf);
  return (
    <div class="calendar">
      <SpanHead from={date} to={date} title={head} unit="day" />
      {hours !== 24 && (
        <p>
          {hours === 0
            ? `${zone.value} skips this day.`
            : `This day has ${hours} hours in ${zone.value}, because the clocks change.`}
        </p>
      )}
      <ul class="memories">
        {pages.items?.map((row) => (
          <li key={row.id}>
            <MemoryRow row={row} hasOffset={hours !== 24} />
          </li>
        ))}
      </ul>
      <PagesEnd pages={pages} />
    </div>
  );
}

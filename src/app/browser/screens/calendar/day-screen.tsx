// The page of a day: its memories, oldest first, and the nearest days before and after.

import type { FoundScreen } from '../../../screens.ts';
import { dayBounds } from '../../dates.ts';
import { Link } from '../../parts/link.tsx';
import { MemoryRow } from '../../parts/lists/memory-row.tsx';
import { PagesEnd, usePages } from '../../parts/lists/pages.tsx';
import { shortDate } from '../../parts/short-date.ts';
import { useDays } from '../../state/day-totals.ts';
import { FIELDS, type Row } from '../../state/list/row.ts';
import { zone } from '../../state/reading.ts';
import { useArrival } from '../../state/router.ts';
import { api } from '../../state/session.ts';
import { totalsOf } from '../../state/totals.ts';
import { dates, formats } from '../../time-formats.ts';
import { SpanHead } from './span-head.tsx';
import { hoursOf, neighboursOf } from './year.ts';

/** The screen of a day, such as `2026-11-18`. */
export function DayScreen({ about: date }: Pick<FoundScreen, 'about'>) {
  const query = { timezone: zone.value, ...dayBounds(date, date), order: 'asc' } as const;
  const pages = usePages<Row>(`${date} ${zone.value}`, (start) =>
    api.memories.page(start.cursor === undefined ? { ...query, ...start, fields: FIELDS } : start),
  );
  const title = dates.value.longDay(date);
  useArrival(pages.items !== undefined, title);
  const hours = hoursOf(date, formats.value.dayOf);
  return (
    <div class="calendar">
      <SpanHead from={date} to={date} title={title} unit="day" />
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
      {pages.items && pages.items.length > 0 && <NearDays date={date} />}
    </div>
  );
}

/** Links to the nearest days with memories before and after one, with how many they have. */
function NearDays({ date }: { readonly date: string }) {
  const { data: days = [] } = useDays();
  const { before, after } = neighboursOf(date, date, days);
  return (
    <nav class="near" aria-label="Previous and next day">
      {[before, after].map((day, index) =>
        day ? (
          <Link key={day} to={`days/${day}`}>
            <span class="note">{index === 0 ? 'Previous day' : 'Next day'}</span>
            {shortDate(day, dates.value)}
            <span class="note">{totalsOf(days.filter((each) => each.date === day))}</span>
          </Link>
        ) : (
          <span key={index} />
        ),
      )}
    </nav>
  );
}

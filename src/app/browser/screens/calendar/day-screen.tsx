// The page of a day: its memories, oldest first, and the nearest days before and after.

import { useRef } from 'preact/hooks';

import { dayBounds, hoursOf } from '../../dates.ts';
import { totalsOf } from '../../format.ts';
import { useShortcuts } from '../../keyboard/keyboard.ts';
import type { Shortcut } from '../../keyboard/shortcuts.ts';
import { AsCurl } from '../../parts/as-curl.tsx';
import { useAction } from '../../parts/controls/action.ts';
import { Link } from '../../parts/link.tsx';
import { MemoryRow } from '../../parts/memory-row.tsx';
import { FailureNotice, Loading } from '../../parts/notice.tsx';
import { dates, formats, today } from '../../parts/time-formats.ts';
import { ZoneChoice } from '../../parts/zone-choice.tsx';
import { useDays, useNews } from '../../state/day-totals.ts';
import { FIELDS, type Row } from '../../state/list/row.ts';
import { zone } from '../../state/reading.ts';
import { useResource } from '../../state/resource.ts';
import { go, useArrival } from '../../state/router.ts';
import { api } from '../../state/session.ts';
import { neighboursOf } from './year.ts';

/** The key that leads to today. */
export const todayKey: Shortcut = {
  keys: ['t'],
  text: 'Today',
  run: () => go(`days/${today()}`),
};

const PAGE = 100;
const MOST = 1000;

/** The screen of a day, such as `2026-11-18`. */
export function DayScreen({ date }: { readonly date: string }) {
  const query = { timezone: zone.value, ...dayBounds(date, date), order: 'asc' } as const;
  const key = `${date} ${zone.value}`;
  const latestKey = useRef(key);
  latestKey.current = key;
  const load = () => {
    const limit = Math.min(MOST, Math.max(PAGE, data?.items.length ?? 0));
    return api.memories.page({ ...query, limit, fields: FIELDS });
  };
  const { data, failure, reload, replace } = useResource(key, load, true);
  const { run, failure: moreFailure } = useAction();
  const readMore = async () => {
    const { items, next } = await api.memories.page({ cursor: data?.next ?? '', limit: PAGE });
    if (latestKey.current === key)
      replace({ items: [...(data?.items ?? []), ...(items as Row[])], next });
  };
  // A longer list than one response has stays as it is.
  useNews(() => {
    if ((data?.items.length ?? 0) <= MOST) reload();
  });
  const days = useDays();
  const title = dates.value.longDay(date);
  useArrival(data !== undefined, title);
  useShortcuts([todayKey]);
  const totals = days.data?.find((day) => day.date === date);
  const hours = hoursOf(date, formats.value.dayOf);
  return (
    <div class="calendar">
      <div class="heading">
        <h1 tabIndex={-1}>{title}</h1>
        <ZoneChoice />
      </div>
      <DayLinks date={date} {...neighboursOf(date, days.data ?? [])} />
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
      {data === undefined && failure === undefined && <Loading />}
      {data?.items.length === 0 && <p>No memories on this day.</p>}
      <ul class="memories">
        {data?.items.map((row) => (
          <li key={row.id}>
            <MemoryRow row={row} hasOffset={hours !== 24} />
          </li>
        ))}
      </ul>
      <FailureNotice failure={failure ?? moreFailure ?? days.failure} onRetry={reload} />
      {data?.next !== undefined && (
        <p class="actions">
          <button type="button" id="more" onClick={() => run(readMore)}>
            More
          </button>
        </p>
      )}
      <AsCurl path="/memories" query={query} />
    </div>
  );
}

interface DayLinksProps {
  readonly date: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The way to the calendar, and to the nearest days that have memories. */
function DayLinks({ date, before, after }: DayLinksProps) {
  const year = date.slice(0, 4);
  const sides = [
    { key: 'p', text: 'Previous day', day: before },
    { key: 'n', text: 'Next day', day: after },
  ].flatMap(({ day = '', ...side }) => (day === '' ? [] : { ...side, day, to: `days/${day}` }));
  useShortcuts(sides.map(({ key, text, to }) => ({ keys: [key], text, run: () => go(to) })));
  return (
    <nav aria-label="Days">
      <Link to={`calendar/${year}`}>{`Calendar ${year}`}</Link>
      {sides.map(({ key, text, day, to }) => (
        <Link key={key} to={to}>{`${text}: ${dates.value.date(day)}`}</Link>
      ))}
    </nav>
  );
}

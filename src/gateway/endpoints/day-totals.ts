// Totals per day: divides an account's time into spans of one offset from UTC, and adds up what the store finds there.

import type { Day } from '../../contract/schemas/day-totals.ts';
import { DAY_MS } from '../../lib/time.ts';
import { offsetSpans } from '../../lib/timezone.ts';
import type { DayTotal, DayTotals } from '../../store/days.ts';
import type { ListPosition } from '../../store/positions.ts';
import type { FacetName } from '../../store/scope.ts';
import type { ListRange, Store } from '../../store/store.ts';
import { step, type Steps } from '../fair-share/time.ts';
import type { Caller } from '../request/auth.ts';

/** Which memories to count, and in which time zone. Times are in milliseconds. */
export interface DaysQuery {
  readonly timezone: string;
  readonly started_after: number | undefined;
  readonly started_before: number | undefined;
  readonly facets: readonly FacetName[] | undefined;
}

/** The totals, and the revision of the account if all of them were read at it. */
export interface CountedDays {
  readonly days: Day[];
  readonly revision: string | undefined;
}

/** The longest part of time that is divided at once. Years without memories are not divided at all. */
const PART_MS = 20 * 366 * DAY_MS;

/** Counts the memories of each day, oldest first. */
export function* countDays(
  store: Store,
  { account_id, revision }: Caller,
  { timezone, started_after, started_before, facets }: DaysQuery,
): Steps<CountedDays> {
  const one = { projection: 'slim', limit: 1 } as const;
  const range = { account_id, revision, started_before, facets, ...one };
  let isConsistent = true;
  function* findOne(more: Pick<ListRange, 'order' | 'started_after'>): Steps<number | undefined> {
    let after: ListPosition | undefined;
    do {
      const found = yield* step(store.positions({ ...range, ...more, after }));
      isConsistent &&= found.revision === revision;
      const [first] = found.items;
      if (first !== undefined) return first.started_at;
      after = found.rest; // a part may have none that passes the filters
    } while (after !== undefined);
    return undefined;
  }
  const days = new Map<number, DayTotal>();
  const last = yield* findOne({ order: 'desc', started_after });
  if (last === undefined) return { days: [], revision: isConsistent ? revision : undefined };
  let from: number | undefined = yield* findOne({ order: 'asc', started_after });
  while (from !== undefined) {
    const before: number = Math.min(from + PART_MS, last + 1);
    const spans = yield* step(offsetSpans(timezone, { from, before }));
    const read: DayTotals = yield* step(store.days({ account_id, revision, spans, facets }));
    isConsistent &&= read.revision === revision;
    for (const each of read.totals) {
      // A day has memories in two spans if the clocks change in it.
      const { memories = 0, seconds = 0 } = days.get(each.day) ?? {};
      days.set(each.day, {
        day: each.day,
        memories: memories + each.memories,
        seconds: seconds + each.seconds,
      });
    }
    if (read.rest !== undefined) from = read.rest;
    else from = before > last ? undefined : yield* findOne({ order: 'asc', started_after: before });
  }
  const sorted = Array.from(days.values()).toSorted((a, b) => a.day - b.day);
  return { days: sorted.map(toDay), revision: isConsistent ? revision : undefined };
}

function toDay({ day, memories, seconds }: DayTotal): Day {
  const [date = ''] = new Date(day * DAY_MS).toISOString().split('T');
  return { date, memories, duration_seconds: seconds };
}

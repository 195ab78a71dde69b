// Totals per day: one look-up for each day, because SQLite would sort all rows to group them (measured: ten times slower).

import type { Database } from 'better-sqlite3';

import { DAY_MS } from '../../lib/time.ts';
import type { OffsetSpan } from '../../lib/timezone.ts';
import { brokenOrder } from '../check/on-read.ts';
import type { DaysRange, DayTotal, DayTotals } from '../days.ts';
import { countOfPart, firstStart, totalsOfPart } from '../sql/days.ts';
import { prepareOn } from './statements.ts';
import { readConsistently } from './watch/data-version.ts';

/** How long a read goes on before other requests have a turn. */
const TURN_MS = 3;

/** Creates the read of totals on a connection. */
export function dayReads(db: Database): (range: DaysRange) => DayTotals {
  const total = prepareOn(db, totalsOfPart);
  const first = prepareOn(db, firstStart);
  const count = prepareOn(db, countOfPart);
  const inState = readConsistently(db);

  return (range) =>
    inState(() => {
      const read = readTotals(range);
      if (isComplete(range, read)) return read;
      throw brokenOrder(db.name, range.account_id);
    });

  function readTotals({ account_id, spans }: DaysRange): DayTotals {
    const ends = performance.now() + TURN_MS;
    const totals: DayTotal[] = [];
    for (const span of spans) {
      let low_at = span.from;
      while (low_at < span.before) {
        if (performance.now() > ends) return { totals, rest: low_at };
        const day = dayOf(low_at, span);
        const high_at = Math.min((day + 1) * DAY_MS - span.offset, span.before);
        const found = total.get({ account_id, low_at, high_at });
        low_at = high_at;
        if (found !== undefined && found.memories > 0)
          totals.push({ day, memories: found.memories, seconds: found.seconds ?? 0 });
        else {
          const next = first.get({ account_id, low_at, high_at: span.before });
          if (next === undefined) break;
          low_at = next.started_at;
        }
      }
    }
    return { totals, rest: undefined };
  }

  /** Counts in another index: SQLite accepts a damaged index page that claims to be empty. */
  function isComplete({ account_id, spans }: DaysRange, { totals, rest }: DayTotals): boolean {
    const low_at = spans[0]?.from ?? 0;
    const high_at = rest ?? spans.at(-1)?.before ?? 0;
    const sum = totals.reduce((all, { memories }) => all + memories, 0);
    return count.get({ account_id, low_at, high_at })?.n === sum;
  }
}

/** Returns the local day of an instant, counted from 1970-01-01. */
function dayOf(ms: number, { offset }: OffsetSpan): number {
  return Math.floor((ms + offset) / DAY_MS);
}

// Totals per day: one look-up for each day, because SQLite would sort all rows to group them (measured: ten times slower).

import type { Database } from 'better-sqlite3';

import { DAY_MS } from '../../lib/time.ts';
import type { OffsetSpan } from '../../lib/timezone.ts';
import { brokenOrder } from '../check/on-read.ts';
import type { DaysRange, DayTotal, DayTotals } from '../days.ts';
import { isChecked } from '../positions.ts';
import {
  countOfPart,
  firstStart,
  firstStartWithFacet,
  totalsOfPart,
  totalsWithFacets,
} from '../sql/days.ts';
import { facetValues, perCount } from '../sql/facets.ts';
import { facetOrder } from './details/facet-order.ts';
import { prepareOn } from './statements.ts';
import { readConsistently } from './watch/data-version.ts';

/** How long a read goes on before other requests have a turn. */
const TURN_MS = 3;

/** Creates the read of totals on a connection. */
export function dayReads(db: Database): (range: DaysRange) => DayTotals {
  const all = { total: prepareOn(db, totalsOfPart), first: prepareOn(db, firstStart) };
  const first = prepareOn(db, firstStartWithFacet);
  const byFacets = perCount((n) => ({ total: prepareOn(db, totalsWithFacets(n)), first }));
  const rarestFirst = facetOrder(db);
  const count = prepareOn(db, countOfPart);
  const inState = readConsistently(db);

  return (range) =>
    inState(() => {
      const read = readTotals(range);
      if (isComplete(range, read)) return read;
      throw brokenOrder(db.name, range.account_id);
    });

  function readTotals({ account_id, spans, facets }: DaysRange): DayTotals {
    const held = facets === undefined ? all : byFacets(facets.length);
    const filters = facets && facetValues(rarestFirst(account_id, facets));
    const ends = performance.now() + TURN_MS;
    const totals: DayTotal[] = [];
    for (const span of spans) {
      let low_at = span.from;
      while (low_at < span.before) {
        if (performance.now() > ends) return { totals, rest: low_at };
        const day = dayOf(low_at, span);
        const high_at = Math.min((day + 1) * DAY_MS - span.offset, span.before);
        const found = held.total.get({ account_id, low_at, high_at, ...filters });
        low_at = high_at;
        if (found !== undefined && found.memories > 0)
          totals.push({ day, memories: found.memories, seconds: found.seconds ?? 0 });
        else {
          const next = held.first.get({
            account_id,
            low_at,
            high_at: span.before,
            ...filters,
          });
          if (next === undefined) break;
          low_at = next.started_at;
        }
      }
    }
    return { totals, rest: undefined };
  }

  /** Counts in another index, if it has the range: SQLite accepts a damaged index page that claims to be empty. */
  function isComplete(range: DaysRange, { totals, rest }: DayTotals): boolean {
    if (!isChecked(range)) return true;
    const { account_id, spans } = range;
    const low_at = spans[0]?.from ?? 0;
    const high_at = rest ?? spans.at(-1)?.before ?? 0;
    const sum = totals.reduce((total, { memories }) => total + memories, 0);
    return count.get({ account_id, low_at, high_at })?.n === sum;
  }
}

/** Returns the local day of an instant, counted from 1970-01-01. */
function dayOf(ms: number, { offset }: OffsetSpan): number {
  return Math.floor((ms + offset) / DAY_MS);
}

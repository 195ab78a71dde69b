// Reads ranges: a list in one run of its statement, a search in one run for each week that has what is asked for.

import type { Database } from 'better-sqlite3';

import { boundsOf, earlier, inOrder, later, valuesOf, type Bounds } from '../bounds.ts';
import { damaged, disordered, isWhole } from '../integrity.ts';
import { list, LIST_SHAPES, type ListShape, type ListValues } from '../lists.ts';
import { isBefore } from '../position.ts';
import type { Batch, Bytes, Encoded, Position, Range } from '../store.ts';
import { readQuery, type Term } from '../words.ts';
import { completeness } from './completeness.ts';
import { inOneState } from './fresh.ts';
import { hold, type Held } from './held.ts';
import { lookUps, matches, matchTerms, startOfWeek, week, weekOf } from './search.ts';

/** How long a search looks through weeks before others have a turn; one week is looked through in one go. */
const TURN_MS = 5;

/** A memory of a list as it is kept, with the hash of its bytes. */
interface Kept extends Encoded {
  readonly sha256: string;
}

/** One run of a statement, and what its memories have to match: undefined where none does. */
interface Run extends Bounds {
  readonly match: string | undefined;
}

/** The reads of ranges on a connection. */
export function rangeReads(db: Database) {
  const lists = holdLists(db);
  const weeks = { desc: hold(db, week.desc), asc: hold(db, week.asc) };
  const has = hold(db, matches);
  const isComplete = completeness(db);
  const inState = inOneState(db);

  return {
    items(range: Range, maxBytes: number): Batch<Encoded> {
      const { account_id, is_processing } = range;
      let left = maxBytes;
      return readAll<Kept>(range, range.bytes, ({ id, started_at, bytes, sha256 }) => {
        const sought = { account_id, id, started_at, is_processing };
        if (!isWhole(bytes, sha256, sought)) throw damaged(db.name, sought);
        return (left -= bytes.length) <= 0;
      });
    },
    positions: (range: Range) => readAll<Position>(range, undefined, () => false),
  };

  /** Reads items of which none may be missing. */
  function readAll<T extends Position>(...[range, ...how]: Parameters<typeof read<T>>): Batch<T> {
    return inState(() => {
      const batch = read<T>(range, ...how);
      if (isComplete(range, batch)) return batch;
      throw disordered(db.name, range.account_id);
    });
  }

  /** Reads items, each behind the one before, until `isEnough` says so, which fails where one is not whole. */
  function read<T extends Position>(
    range: Range,
    bytes: Bytes | undefined,
    isEnough: (item: T) => boolean,
  ): Batch<T> {
    const { account_id, order, q, is_processing, limit = Infinity } = range;
    const shape = { order, bytes, byState: is_processing !== undefined, bySearch: q !== undefined };
    const held = lists.get(nameOf(shape)) as Held<ListValues, unknown> as Held<ListValues, T>;
    const filters = { account_id, is_processing: Number(is_processing ?? false) };
    const ends = performance.now() + TURN_MS;
    const items: T[] = [];
    for (const run of q === undefined
      ? [{ ...boundsOf(range), match: '' }]
      : searchRuns(range, q)) {
      const left = limit === Infinity ? -1 : limit - items.length;
      const { match } = run;
      if (match !== undefined) {
        const isNext = inOrder(run, order);
        for (const item of held.iterate({ ...filters, ...valuesOf(run), match, limit: left })) {
          if (!isNext(item)) throw disordered(db.name, account_id);
          items.push(item);
          if (isEnough(item)) return { items, rest: item };
        }
      }
      if (items.length === limit) return { items, rest: items.at(-1) };
      if (q !== undefined && performance.now() > ends)
        return { items, rest: order === 'desc' ? run.low : run.high };
    }
    return { items, rest: undefined };
  }

  /** The weeks of a range in its order. */
  function* searchRuns(range: Range, q: string): Generator<Run> {
    const { account_id, order, after } = range;
    const { low, high } = boundsOf(range);
    const terms = readQuery(q);
    if (terms.length === 0 || !isBefore(low, high)) return;
    const looked = lookUps(terms);
    const step = order === 'desc' ? -1 : 1;
    let next = order === 'desc' ? weekBefore(high) : weekOf(low.started_at);
    for (;;) {
      const found = weeks[order].get({ account_id, week: next });
      if (found === undefined) return;
      const start = { started_at: startOfWeek(found.week), id: '' };
      const end = { started_at: startOfWeek(found.week + 1), id: '' };
      if (!isBefore(low, end) || !isBefore(start, high)) return;
      const { label } = found;
      // A batch that goes on behind a memory is in a week that has been looked up.
      const isKnown =
        after !== undefined && after.id !== '' && weekOf(after.started_at) === found.week;
      const hasNone = (some: readonly Term[]) =>
        has.get({ match: matchTerms(label, some) }) === undefined;
      const isEmpty = !isKnown && looked.some(hasNone);
      const match = isEmpty ? undefined : matchTerms(label, terms);
      yield { low: later(low, start), high: earlier(high, end), match };
      next = found.week + step;
    }
  }
}

function holdLists(db: Database) {
  return new Map(LIST_SHAPES.map((shape) => [nameOf(shape), hold(db, list(shape))]));
}

function nameOf({ order, byState, bySearch, bytes }: ListShape): string {
  return [order, byState, bySearch, bytes].join();
}

/** The last week that has anything before a place: an instant without an id is before all that started then. */
function weekBefore({ started_at, id }: Position): number {
  return weekOf(id === '' ? started_at - 1 : started_at);
}

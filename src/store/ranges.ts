// Reads ranges: a list in one run of its statement, a search in one run for each week that has what is asked for.

import type { Database } from 'better-sqlite3';

import { hold, type Held } from './held.ts';
import { list, LIST_SHAPES, type ListShape, type ListValues } from './lists.ts';
import { isBefore } from './position.ts';
import { lookUps, matches, matchTerms, startOfWeek, week, weekOf } from './search.ts';
import type { Batch, Bytes, Item, Position, Range } from './store.ts';
import { readQuery, type Term } from './words.ts';

// Before and after any date JavaScript knows, so that "from the start" is a place like every other.
const END_OF_TIME = 9e15;

/** How long a search looks through weeks before others have a turn; one week is looked through in one go. */
const TURN_MS = 5;

/** The places a run of a statement lies between, both left out. */
interface Bounds {
  readonly low: Position;
  readonly high: Position;
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

  return {
    items(range: Range, maxBytes: number): Batch {
      let left = maxBytes;
      return read<Item>(range, range.bytes, ({ bytes }) => (left -= bytes.length) <= 0);
    },
    positions: (range: Range) => read<Position>(range, undefined, () => false),
  };

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
      if (match !== undefined)
        for (const item of held.iterate({ ...filters, ...valuesOf(run), match, limit: left })) {
          items.push(item);
          if (isEnough(item)) return { items, rest: item };
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

/** The places that a range lies between. */
export function boundsOf({ order, after, started_after, started_before }: Range): Bounds {
  const low = { started_at: started_after ?? -END_OF_TIME, id: '' };
  const high = { started_at: started_before ?? END_OF_TIME, id: '' };
  if (after === undefined) return { low, high };
  return order === 'desc' ? { low, high: earlier(high, after) } : { low: later(low, after), high };
}

/** Bounds as a statement takes them. */
export function valuesOf({ low, high }: Bounds) {
  return { low_at: low.started_at, low_id: low.id, high_at: high.started_at, high_id: high.id };
}

/** The last week that has anything before a place: an instant without an id is before all that started then. */
function weekBefore({ started_at, id }: Position): number {
  return weekOf(id === '' ? started_at - 1 : started_at);
}

function earlier(a: Position, b: Position): Position {
  return isBefore(a, b) ? a : b;
}

function later(a: Position, b: Position): Position {
  return isBefore(a, b) ? b : a;
}

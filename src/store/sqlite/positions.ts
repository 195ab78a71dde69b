// Reads positions of lists: many as one row, because a row costs more on its way out of SQLite than to be read.

import type { Database } from 'better-sqlite3';

import { brokenOrder } from '../check/on-read.ts';
import { isBefore, isChecked } from '../positions.ts';
import type { ListPosition } from '../positions.ts';
import {
  between,
  boundsOf,
  boundValues,
  orderCheck,
  perShape,
  type ListShape,
  type ListValues,
} from '../sql/lists.ts';
import { build, query } from '../sql/query.ts';
import type { ListBatch, ListRange, SyncStore } from '../store.ts';
import { prepareOn } from './statements.ts';
import { readConsistently } from './watch/data-version.ts';

/** How many positions are read as one row, in about a millisecond. */
const PER_ROW = 2000;

/** Which query reads positions. */
export type PositionShape = Pick<ListShape, 'order' | 'byState'>;

/** The id and the start time of each memory. Null if there is none. */
interface PositionsRow {
  readonly facts: string | null;
}

/** Creates the read of positions on a connection. `oneByOne` reads those of searches and filters. */
export function positionReads(
  db: Database,
  oneByOne: (range: ListRange) => ListBatch<ListPosition>,
): SyncStore['positions'] {
  const statements = perShape((shape: PositionShape) => prepareOn(db, positionsQuery(shape)));
  const inState = readConsistently(db);

  return (range) => (isChecked(range) ? inState(() => asOneRow(range)) : oneByOne(range));

  /**
   * Reads several positions as one row, and the same from a second index. Throws if they differ, because a
   * list of ids is sent without reading the memories, whose hashes would show the damage.
   */
  function asOneRow(range: ListRange): ListBatch<ListPosition> {
    const { account_id, order } = range;
    const limit = Math.min(range.limit ?? Infinity, PER_ROW);
    const bounds = boundsOf(range);
    const values = { account_id, ...boundValues(bounds), limit, match: '' };
    const read = (byState: boolean, is_processing: 0 | 1) =>
      statements({ order, byState }).get({ ...values, is_processing })?.facts ?? '';
    const facts = read(false, 0);
    const [finished, processing] = [read(true, 0), read(true, 1)];
    const isSame =
      processing === ''
        ? facts === finished
        : facts === merge(positionsIn(finished), positionsIn(processing), order, limit);
    const items = positionsIn(facts);
    if (!isSame || !items.every(orderCheck(bounds, order))) throw brokenOrder(db.name, account_id);
    return { items, rest: items.length < limit ? undefined : items.at(-1) };
  }
}

function positionsIn(facts: string): ListPosition[] {
  const values = facts === '' ? [] : facts.split(','); // ids contain no commas: see MemoryId
  const positions: ListPosition[] = [];
  for (let i = 0; i < values.length; i += 2)
    positions.push({ id: values[i] as string, started_at: Number(values[i + 1]) });
  return positions;
}

/** Merges positions in order, and returns the first of them as the query writes them. */
function merge(
  some: readonly ListPosition[],
  more: readonly ListPosition[],
  order: ListRange['order'],
  limit: number,
): string {
  const sign = order === 'desc' ? -1 : 1;
  return [...some, ...more]
    .toSorted((a, b) => (isBefore(a, b) ? -sign : sign))
    .slice(0, limit)
    .map(({ id, started_at }) => `${id},${started_at}`)
    .join();
}

/** Reads positions as one row, in the order of the inner query: see `chunkQuery`. */
export function positionsQuery(shape: PositionShape) {
  return query<ListValues, PositionsRow>((slot) => {
    const some = between({ ...shape, bySearch: false }, slot).select((eb) =>
      eb.fn<string>('concat_ws', [eb.val(','), 'id', 'started_at']).as('facts'),
    );
    return build
      .selectFrom(some.as('some'))
      .select((eb) => eb.fn.agg<PositionsRow['facts']>('group_concat', ['facts']).as('facts'));
  });
}

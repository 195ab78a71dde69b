// The queries of lists: one for each order, filter and projection, on the index that has its order.

import type { ListPosition } from '../positions.ts';
import { isBefore } from '../positions.ts';
import type { Projection, ListRange } from '../store.ts';
import { build, query, type Slot } from './query.ts';

/** Which query reads a list. */
export interface ListShape {
  readonly order: 'desc' | 'asc';
  /** Whether the list is filtered by `is_processing`. */
  readonly byState: boolean;
  /** Whether the list is filtered by words. */
  readonly bySearch: boolean;
  /** Undefined for positions without memories. */
  readonly projection: Projection | undefined;
}

/** The shape of a list of memories with their bytes. */
export interface MemoryListShape extends ListShape {
  readonly projection: Projection;
}

/** Returns the shape of a range. */
export function shapeOf<P extends Projection | undefined>(
  { order, is_processing, q }: ListRange,
  projection: P,
): ListShape & { readonly projection: P } {
  return { order, projection, byState: is_processing !== undefined, bySearch: q !== undefined };
}

/** Creates something for each shape of lists when it is first needed. */
export function perShape<Shape extends Partial<ListShape>, T>(
  create: (shape: Shape) => T,
): (shape: Shape) => T {
  const created = new Map<string, T>();
  return (shape) => {
    const key = [shape.order, shape.byState, shape.bySearch, shape.projection].join();
    const known = created.get(key);
    if (known !== undefined) return known;
    const made = create(shape);
    created.set(key, made);
    return made;
  };
}

/** The values of a list query: its bounds, both exclusive, and its filters. */
export interface ListValues {
  readonly account_id: string;
  readonly low_at: number;
  readonly low_id: string;
  readonly high_at: number;
  readonly high_id: string;
  readonly limit: number;
  readonly is_processing: number;
  readonly match: string;
}

/** Creates the query for memories of an account between two positions, in order, with the hash of their bytes. */
export function listQuery(shape: ListShape) {
  const { projection } = shape;
  return query((slot: Slot<ListValues>) =>
    between(shape, slot).select((eb) => [
      'started_at',
      'id',
      ...(projection
        ? [eb.ref(`${projection}_sha256`).as('sha256'), eb.ref(projection).as('bytes')]
        : []),
    ]),
  );
}

/** Counts the memories of an account between two positions, in the index that unfiltered lists do not use. */
export const countBetween = query((slot: Slot<ListValues>) => {
  const inState = (state: 0 | 1) =>
    between({ order: 'asc', byState: true, bySearch: false }, slot, state)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .$asScalar()
      .$notNull();
  return build.selectNoFrom((eb) => eb(inState(0), '+', inState(1)).as('n'));
});

/** Selects the memories of an account between two positions, in order. */
export function between(
  { order, byState, bySearch }: Omit<ListShape, 'projection'>,
  slot: Slot<ListValues>,
  state = slot('is_processing'),
) {
  const all = build
    .selectFrom('memories')
    .where('account_id', '=', slot('account_id'))
    .where((eb) => {
      const low = [slot('low_at'), slot('low_id')] as const;
      const high = [slot('high_at'), slot('high_id')] as const;
      if (!byState) {
        const position = eb.refTuple('started_at', 'id');
        return eb.and([eb(position, '>', eb.tuple(...low)), eb(position, '<', eb.tuple(...high))]);
      }
      // The state is part of the tuple, so that SQLite cannot use the other index and filter its rows.
      const position = eb.refTuple('is_processing', 'started_at', 'id');
      return eb.and([
        eb(position, '>', eb.tuple(state, ...low)),
        eb(position, '<', eb.tuple(state, ...high)),
      ]);
    });
  const some = bySearch
    ? all.where('pk', 'in', (eb) =>
        eb.selectFrom('search').select('rowid').where('search', 'match', slot('match')),
      )
    : all;
  return (byState ? some.orderBy('is_processing', order) : some)
    .orderBy('started_at', order)
    .orderBy('id', order)
    .limit(slot('limit'));
}

// Before and after every JavaScript date, so that "from the start" is a position like every other.
const END_OF_TIME = 9e15;

/** The positions between which a list lies, both exclusive. */
export interface Bounds {
  readonly low: ListPosition;
  readonly high: ListPosition;
}

/** Returns the bounds of a range. */
export function boundsOf({ order, after, started_after, started_before }: ListRange): Bounds {
  const low = { started_at: started_after ?? -END_OF_TIME, id: '' };
  const high = { started_at: started_before ?? END_OF_TIME, id: '' };
  if (after === undefined) return { low, high };
  return order === 'desc' ? { low, high: earlier(high, after) } : { low: later(low, after), high };
}

/** Returns bounds as values of a statement. */
export function boundValues({ low, high }: Bounds) {
  return { low_at: low.started_at, low_id: low.id, high_at: high.started_at, high_id: high.id };
}

/** Returns a function that tells whether a position lies within bounds and after the positions given to it before. */
export function orderCheck({ low, high }: Bounds, order: ListRange['order']) {
  return (position: ListPosition): boolean => {
    if (!isBefore(low, position) || !isBefore(position, high)) return false;
    if (order === 'desc') high = position;
    else low = position;
    return true;
  };
}

/** Returns the earlier of two positions. */
export function earlier(a: ListPosition, b: ListPosition): ListPosition {
  return isBefore(a, b) ? a : b;
}

/** Returns the later of two positions. */
export function later(a: ListPosition, b: ListPosition): ListPosition {
  return isBefore(a, b) ? b : a;
}

// The queries of lists: one for every order, filter and kind of bytes, each on the index that has its order.

import { build, query, type Slot } from './query.ts';
import type { Bytes } from './store.ts';

/** Which query a list takes. */
export interface ListShape {
  readonly order: 'desc' | 'asc';
  /** Whether it is filtered by `is_processing`. */
  readonly byState: boolean;
  /** Whether it is filtered by words. */
  readonly bySearch: boolean;
  /** Nothing where only places are wanted. */
  readonly bytes: Bytes | undefined;
}

/** All shapes that lists have. */
export const LIST_SHAPES: readonly ListShape[] = (['desc', 'asc'] as const).flatMap((order) =>
  [true, false].flatMap((byState) =>
    [true, false].flatMap((bySearch) =>
      (['body', 'slim', undefined] as const).map((bytes) => ({ order, byState, bySearch, bytes })),
    ),
  ),
);

/** The values of a list: the places it lies between, both left out, and those of its filters. */
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

/** Reads memories of an account in order, between two places, with the hash of their bytes. */
export function list(shape: ListShape) {
  const { bytes } = shape;
  return query((slot: Slot<ListValues>) =>
    between(shape, slot).select((eb) => [
      'started_at',
      'id',
      ...(bytes ? [eb.ref(`${bytes}_sha256`).as('sha256'), eb.ref(bytes).as('bytes')] : []),
    ]),
  );
}

/** Counts the memories of an account between two places, in the index that lists of all states do not walk. */
export const tally = query((slot: Slot<ListValues>) => {
  const inState = (state: 0 | 1) =>
    between({ order: 'asc', byState: true, bySearch: false }, slot, state)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .$asScalar()
      .$notNull();
  return build.selectNoFrom((eb) => eb(inState(0), '+', inState(1)).as('n'));
});

/** The memories of an account in order, between two places. */
export function between(
  { order, byState, bySearch }: Omit<ListShape, 'bytes'>,
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
        const place = eb.refTuple('started_at', 'id');
        return eb.and([eb(place, '>', eb.tuple(...low)), eb(place, '<', eb.tuple(...high))]);
      }
      // As a part of the place, so that SQLite cannot take the other index and filter what it reads.
      const place = eb.refTuple('is_processing', 'started_at', 'id');
      return eb.and([
        eb(place, '>', eb.tuple(state, ...low)),
        eb(place, '<', eb.tuple(state, ...high)),
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

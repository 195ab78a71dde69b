// Places on SQLite: how many memories a search covers, and where the memories of its postings are.

import type { Database } from 'better-sqlite3';

import { LAST_MOMENT } from '../../../lib/time.ts';
import type { MemoryCount, MemoryKey } from '../../search/postings.ts';
import { facetValues, perCount, withFacets } from '../../sql/facets.ts';
import { build, query, type Slot } from '../../sql/query.ts';
import type { SyncStore } from '../../store.ts';
import { facetOrder } from '../details/facet-order.ts';
import { prepareOn } from '../statements.ts';

interface Count {
  readonly account_id: string;
  readonly from: number;
  readonly to: number;
  /** The id that ends the range at the moment `to`. */
  readonly id: string;
  readonly is_processing: number;
  readonly most: number;
}

/** Counts the memories with a number of facets, and finds the position after some of them. */
function countQueries(count: number, byState: boolean) {
  return {
    count: query((slot: Slot<Count>) => {
      const some = positions(slot, count, byState).limit(slot('most'));
      return build.selectFrom(some.as('some')).select((eb) => eb.fn.countAll<number>().as('n'));
    }),
    position: query((slot: Slot<Count>) =>
      positions(slot, count, byState).limit(1).offset(slot('most')),
    ),
  };
}

/** The positions of the memories of a range, the newest first. */
function positions(slot: Slot<Count>, count: number, byState: boolean) {
  return count === 0 ? before(slot, byState) : withFacetsBefore(slot, count, byState);
}

function withFacetsBefore(slot: Slot<Count>, count: number, byState: boolean) {
  const some = withFacets(slot, count)
    .where('first.started_at', '>=', slot('from'))
    .where((eb) => {
      const position = eb.refTuple('first.started_at', 'first.memory_id');
      return eb(position, '<', eb.tuple(slot('to'), slot('id')));
    });
  const found = byState ? some.where('memories.is_processing', '=', slot('is_processing')) : some;
  return found
    .select(['first.started_at', 'first.memory_id as id'])
    .orderBy('first.started_at', 'desc')
    .orderBy('first.memory_id', 'desc') as unknown as ReturnType<typeof before>;
}

function before(slot: Slot<Count>, byState: boolean) {
  const some = build
    .selectFrom('memories')
    .where('account_id', '=', slot('account_id'))
    .where('started_at', '>=', slot('from'))
    .where((eb) => eb(eb.refTuple('started_at', 'id'), '<', eb.tuple(slot('to'), slot('id'))));
  return (byState ? some.where('is_processing', '=', slot('is_processing')) : some)
    .select(['started_at', 'id'])
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc');
}

const place = query((slot: Slot<{ account_id: string; pk: number }>) =>
  places().where('pk', '=', slot('pk')).where('account_id', '=', slot('account_id')),
);

const placeOfId = query((slot: Slot<{ account_id: string; id: string }>) =>
  places().where('account_id', '=', slot('account_id')).where('id', '=', slot('id')),
);

function places() {
  return build
    .selectFrom('memories')
    .select((eb) => [
      'pk as key',
      'started_at',
      'id',
      eb.fn<number>('octet_length', ['body']).as('size'),
    ]);
}

/** The synchronous reads of places. */
export type SyncPlaceReads = Pick<SyncStore, 'memoryCount' | 'places'>;

/** Creates the reads of places on a connection. */
export function placeReads(db: Database): SyncPlaceReads {
  const held = {
    counts: perCount((count) =>
      [false, true].map((byState) => {
        const queries = countQueries(count, byState);
        return {
          count: prepareOn(db, queries.count),
          position: prepareOn(db, queries.position),
        };
      }),
    ),
    place: prepareOn(db, place),
    placeOfId: prepareOn(db, placeOfId),
  };
  const rarestFirst = facetOrder(db);

  return {
    memoryCount({ account_id, is_processing, facets = [], ...range }, most): MemoryCount {
      const values = {
        ...facetValues(rarestFirst(account_id, facets)),
        account_id,
        is_processing: Number(is_processing ?? false),
        from: range.started_after ?? -LAST_MOMENT,
        to: range.before?.started_at ?? range.started_before ?? LAST_MOMENT,
        id: range.before?.id ?? '',
        most,
      };
      const byState = Number(is_processing !== undefined);
      const { count, position } = held.counts(facets.length)[byState]!;
      const memories = count.get(values)?.n ?? 0;
      if (memories < most) return { memories, rest: undefined };
      // Just above the first that was not counted: no id has a space.
      const next = position.get(values);
      return { memories, rest: next && { ...next, id: `${next.id} ` } };
    },
    places(account_id, keys) {
      return keys.flatMap((key: MemoryKey) => {
        const found =
          typeof key === 'number'
            ? held.place.get({ account_id, pk: key })
            : held.placeOfId.get({ account_id, id: key });
        return found ?? [];
      });
    },
  };
}

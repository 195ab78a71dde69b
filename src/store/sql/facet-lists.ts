// The queries of lists with facets: they start from the facet that the fewest memories have, in the order of lists.

import { expressionBuilder, type Expression, type SqlBool } from 'kysely';

import { hasFacets, OF_MEMORY, withFacets, withFirstFacet } from './facets.ts';
import { ofSameMemory } from './joins.ts';
import type { ListShape, ListValues } from './lists.ts';
import { query, type Slot } from './query.ts';
import type { Tables } from './tables/tables.ts';

/** Which query reads a list with facets. */
export interface FacetListShape extends ListShape {
  /** How many facets there are. */
  readonly count: number;
}

/**
 * Creates SQLite's query for the memories of the first facet between two positions, in order. `found` is null if a
 * memory does not pass the other filters: so a read can end after a while without having found any.
 */
export function facetListQuery({ projection, order, byState, bySearch, count }: FacetListShape) {
  return query((slot: Slot<ListValues>) => {
    const all = withFirstFacet(slot)
      .where(isBetween(slot))
      .leftJoin('memories', (join) => {
        const one = ofSameMemory(
          'memories',
          'first',
        )(join).on(hasFacets(OF_MEMORY, { slot, from: 1, count }));
        const some = byState ? one.on('memories.is_processing', '=', slot('is_processing')) : one;
        if (!bySearch) return some;
        return some.on('memories.pk', 'in', (eb) =>
          eb.selectFrom('search').select('rowid').where('search', 'match', slot('match')),
        );
      })
      .orderBy('first.started_at', order)
      .orderBy('first.memory_id', order);
    return all.select((eb) => [
      'first.started_at',
      'first.memory_id as id',
      'memories.id as found',
      ...(projection
        ? [
            eb.ref(`memories.${projection}_sha256`).as('sha256'),
            eb.ref(`memories.${projection}`).as('bytes'),
          ]
        : []),
    ]);
  });
}

/** Selects the memories with all facets between two positions, in order, up to a limit. */
export function facetWalk(
  { order, byState, count }: Pick<FacetListShape, 'order' | 'byState' | 'count'>,
  slot: Slot<ListValues>,
) {
  const all = withFacets(slot, count).where(isBetween(slot));
  const some = byState ? all.where('memories.is_processing', '=', slot('is_processing')) : all;
  return some
    .orderBy('first.started_at', order)
    .orderBy('first.memory_id', order)
    .limit(slot('limit'));
}

/** Returns whether the first facet is between two positions, both exclusive. */
function isBetween(slot: Slot<ListValues>): Expression<SqlBool> {
  const eb = expressionBuilder<Tables & { first: Tables['facets'] }, 'first'>();
  const position = eb.refTuple('first.started_at', 'first.memory_id');
  return eb.and([
    eb(position, '>', eb.tuple(slot('low_at'), slot('low_id'))),
    eb(position, '<', eb.tuple(slot('high_at'), slot('high_id'))),
  ]);
}

// The list queries of PostgreSQL with facets. A search has a limit of its own, so what it finds is returned all, and marked.

import type { SqlBool } from 'kysely';

import type { ListPosition } from '../positions.ts';
import { facetWalk } from '../sql/facet-lists.ts';
import { hasFacets, OF_MEMORY, type MemoryColumns } from '../sql/facets.ts';
import type { ListShape, ListValues, MemoryListShape } from '../sql/lists.ts';
import { query, type Slot } from '../sql/query.ts';
import { pageWithin, search, type PageValues, type StoredRow } from './list-queries.ts';
import { ACCOUNT, within } from './reads.ts';
import { postgresQuery as build } from './statements.ts';

/** What a search found, by its columns. */
const OF_FOUND: MemoryColumns = { account: ACCOUNT, id: 'found.id' };

/** A position, and whether its memory has the facets. */
interface Place extends ListPosition {
  readonly has_facets: SqlBool;
}

/** Queries the positions of memories. Those without the facets have `has_facets` false. */
export function placesWithFacets(shape: ListShape, count: number) {
  return query((slot: Slot<PageValues>) => {
    const places = shape.bySearch
      ? build
          .selectFrom(search(shape, slot))
          .select(['found.started_at', 'found.id'])
          .select(hasFacets(OF_FOUND, { slot, count }).as('has_facets'))
          .$castTo<Place>()
      : walkFacets(shape, { slot, count })
          .select(['first.started_at', 'first.memory_id as id'])
          .select((eb) => eb.lit(true).as('has_facets'))
          .$castTo<Place>();
    return within(slot)
      .leftJoinLateral(places.as('page'), (join) => join.onTrue())
      .select(['accounts.revision', 'page.started_at', 'page.id', 'page.has_facets']);
  });
}

/** Queries memories as `listOf` does. Those without the facets have no hash and no bytes. */
export function listWithFacets(shape: MemoryListShape, count: number) {
  const { order, projection, bySearch } = shape;
  return query((slot: Slot<PageValues>) => {
    const kept = bySearch
      ? foundMemories(shape, { slot, count })
      : walkFacets(shape, { slot, count })
          .select(['first.started_at', 'first.memory_id as id'])
          .select([`memories.${projection}_sha256 as sha256`, `memories.${projection} as bytes`])
          .$castTo<StoredRow>();
    return within(slot)
      .leftJoinLateral(pageWithin(kept.as('kept'), order, slot), (join) => join.onTrue())
      .select(['accounts.revision', 'page.started_at', 'page.id'])
      .select(['page.sha256', 'page.text', 'page.found']);
  });
}

interface Facets {
  readonly slot: Slot<PageValues>;
  readonly count: number;
}

/** Queries the memories with facets between two positions, for the account that `within` has set. */
export function walkFacets(shape: ListShape, { slot, count }: Facets) {
  return (
    facetWalk({ ...shape, count }, slot as Slot<unknown> as Slot<ListValues>)
      // In addition to the value, so that no row is read before `within` has set the account.
      .whereRef('first.account_id', '=', ACCOUNT as 'first.account_id')
  );
}

function foundMemories(shape: MemoryListShape, { slot, count }: Facets) {
  const { projection, order } = shape;
  const one = build
    .selectFrom('memories')
    .select([`${projection}_sha256 as sha256`, `${projection} as bytes`])
    .whereRef('memories.account_id', '=', ACCOUNT)
    .whereRef('memories.id', '=', 'found.id' as 'id')
    .where(hasFacets(OF_MEMORY, { slot, count }))
    .limit((eb) => eb.lit(1));
  return build
    .selectFrom(search(shape, slot))
    .leftJoinLateral(one.as('one'), (join) => join.onTrue())
    .select(['found.started_at', 'found.id', 'one.sha256'])
    .select((eb) =>
      eb.fn.coalesce('one.bytes', eb.cast<Uint8Array>(eb.val(''), 'bytea')).as('bytes'),
    )
    .orderBy('found.started_at', order)
    .orderBy('found.id', order)
    .$castTo<StoredRow>();
}

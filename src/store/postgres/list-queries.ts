// The list queries of PostgreSQL: positions or memories, in index order or from a search, with any number of facets.

import {
  expressionBuilder,
  type AliasableExpression,
  type AliasedExpression,
  type Compilable,
  type SelectQueryBuilder,
  type SqlBool,
} from 'kysely';

import type { ListPosition } from '../positions.ts';
import { facetWalk } from '../sql/facet-lists.ts';
import { hasFacets, OF_MEMORY, type MemoryColumns } from '../sql/facets.ts';
import { between, type ListShape, type ListValues, type MemoryListShape } from '../sql/lists.ts';
import { query, type Slot } from '../sql/query.ts';
import type { Projection } from '../store.ts';
import { ACCOUNT, within } from './reads.ts';
import { postgresQuery as build, type PostgresTables } from './statements.ts';

/** The values of a list query. Positions: up to `limit`. Memories: those that begin within `maxBytes`. */
export interface PageValues extends Omit<ListValues, 'limit' | 'match'> {
  readonly limit: number | null;
  readonly maxBytes: number;
  /** The full-text query of a week, with "_" in place of the shard prefix. */
  readonly match: string;
  /** Texts that the words of every match contain. */
  readonly phrases: readonly string[];
  /** Those of them that the index cannot decide alone. */
  readonly unsure: readonly string[];
}

/** A stored memory with its position. */
export interface StoredRow {
  readonly started_at: number;
  readonly id: string;
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

/** A row of positions. `has_facets` is false if a search has found a memory that lacks a facet. */
export interface PlacedRow {
  readonly revision: string;
  readonly started_at: number | null;
  readonly id: string | null;
  readonly has_facets?: SqlBool | null;
}

/** The facets that memories must have, 0 for none, and the values of the query. */
interface Facets {
  readonly slot: Slot<PageValues>;
  readonly count: number;
}

/** What a search found, by its columns. */
const OF_FOUND: MemoryColumns = { account: ACCOUNT, id: 'found.id' };

/**
 * Queries the positions of an account's memories, without the memories. A search has a limit of its own, so with facets
 * it returns all that it finds, and marks them.
 */
export function placesOf(shape: ListShape, count = 0) {
  return query((slot: Slot<PageValues>): Compilable<PlacedRow> => {
    if (!shape.bySearch) return placed(walkPlaces(shape, { slot, count }));
    const found = build.selectFrom(search(shape, slot)).select(['found.started_at', 'found.id']);
    if (count === 0) return placed(found);
    const marked = found.select(hasFacets(OF_FOUND, { slot, count }).as('has_facets'));
    return placed(marked).select('page.has_facets');

    function placed<Place extends ListPosition>(places: AliasableExpression<Place>) {
      return within(slot)
        .leftJoinLateral(places.as('page'), (join) => join.onTrue())
        .select(['accounts.revision', 'page.started_at', 'page.id']);
    }
  });
}

/**
 * Queries memories of an account in order, with the hash of their bytes: up to the limit, and only those
 * that begin within the first `maxBytes`. `found` is the number of memories up to the limit. Those that a search
 * finds without the facets have no hash and no bytes.
 */
export function listOf(shape: MemoryListShape, count = 0) {
  const { order } = shape;
  return query((slot: Slot<PageValues>) =>
    within(slot)
      .leftJoinLateral(
        pageWithin(memoriesOf(shape, { slot, count }).as('kept'), order, slot),
        (join) => join.onTrue(),
      )
      .select(['accounts.revision', 'page.started_at', 'page.id'])
      .select(['page.sha256', 'page.text', 'page.found']),
  );
}

function memoriesOf(shape: MemoryListShape, { slot, count }: Facets) {
  const { projection, bySearch } = shape;
  if (count === 0)
    return bySearch
      ? searchedMemories(shape, slot)
      : walk(shape, slot).select(columnsOf(projection)).$castTo<StoredRow>();
  if (bySearch) return markedMemories(shape, { slot, count });
  return walkFacets(shape, { slot, count })
    .select(['first.started_at', 'first.memory_id as id'])
    .select([`memories.${projection}_sha256 as sha256`, `memories.${projection} as bytes`])
    .$castTo<StoredRow>();
}

/** Limits stored memories to those that begin within `maxBytes`. PostgreSQL knows a size without reading the bytes. */
function pageWithin(
  kept: AliasedExpression<StoredRow, 'kept'>,
  order: ListShape['order'],
  slot: Slot<PageValues>,
) {
  const sized = build.selectFrom(kept).select((eb) => {
    const size = eb.fn<number>('octet_length', ['kept.bytes']);
    const upTo = eb.fn
      .sum<number>(size)
      .over((over) => over.orderBy('kept.started_at', order).orderBy('kept.id', order));
    return [
      'kept.started_at',
      'kept.id',
      'kept.sha256',
      'kept.bytes',
      eb(upTo, '-', size).as('before'),
      eb.fn.countAll<number>().over().as('found'),
    ];
  });
  return build
    .selectFrom(sized.as('sized'))
    .select((eb) => [
      'sized.started_at',
      'sized.id',
      'sized.sha256',
      eb.fn<string>('convert_from', ['sized.bytes', eb.val('UTF8')]).as('text'),
      'sized.found',
    ])
    .where('sized.before', '<', slot('maxBytes'))
    .orderBy('sized.started_at', order)
    .orderBy('sized.id', order)
    .as('page');
}

/** Queries the memories between two positions, for the account that `within` has set. */
function walk(shape: ListShape, slot: Slot<PageValues>) {
  return (
    between({ ...shape, bySearch: false }, slot as Slot<unknown> as Slot<ListValues>)
      // In addition to the value, so that no row is read before `within` has set the account.
      .whereRef('account_id', '=', ACCOUNT)
  );
}

/** Queries the same of the memories with a number of facets. */
function walkFacets(shape: ListShape, { slot, count }: Facets) {
  return (
    facetWalk({ ...shape, count }, slot as Slot<unknown> as Slot<ListValues>)
      // As above.
      .whereRef('first.account_id', '=', ACCOUNT as 'first.account_id')
  );
}

/** Queries the positions of the same memories. */
export function walkPlaces(
  shape: ListShape,
  { slot, count }: Facets,
): SelectQueryBuilder<PostgresTables, 'memories', ListPosition> {
  if (count === 0) return walk(shape, slot).select(['started_at', 'id']);
  const some = walkFacets(shape, { slot, count });
  // The query builder knows another table besides, of which nothing more is selected.
  const places: unknown = some.select(['first.started_at', 'first.memory_id as id']);
  return places as SelectQueryBuilder<PostgresTables, 'memories', ListPosition>;
}

/** Queries the memories that a search finds. The LIMIT makes the planner look each one up by id. */
function searchedMemories(shape: MemoryListShape, slot: Slot<PageValues>) {
  const { projection, order } = shape;
  const one = build
    .selectFrom('memories')
    .select(columnsOf(projection))
    .whereRef('memories.account_id', '=', ACCOUNT)
    .whereRef('memories.id', '=', 'found.id' as 'id')
    .limit((eb) => eb.lit(1));
  return build
    .selectFrom(search(shape, slot))
    .innerJoinLateral(one.as('one'), (join) => join.onTrue())
    .select(['one.started_at', 'one.id', 'one.sha256', 'one.bytes'])
    .orderBy('one.started_at', order)
    .orderBy('one.id', order)
    .$castTo<StoredRow>();
}

/** Queries the memories that a search finds. Those without the facets have no hash and no bytes. */
function markedMemories({ projection, order, ...shape }: MemoryListShape, facets: Facets) {
  const one = build
    .selectFrom('memories')
    .select([`${projection}_sha256 as sha256`, `${projection} as bytes`])
    .whereRef('memories.account_id', '=', ACCOUNT)
    .whereRef('memories.id', '=', 'found.id' as 'id')
    .where(hasFacets(OF_MEMORY, facets))
    .limit((eb) => eb.lit(1));
  return build
    .selectFrom(search({ projection, order, ...shape }, facets.slot))
    .leftJoinLateral(one.as('one'), (join) => join.onTrue())
    .select(['found.started_at', 'found.id', 'one.sha256'])
    .select((eb) =>
      eb.fn.coalesce('one.bytes', eb.cast<Uint8Array>(eb.val(''), 'bytea')).as('bytes'),
    )
    .orderBy('found.started_at', order)
    .orderBy('found.id', order)
    .$castTo<StoredRow>();
}

/** Names the columns, because a read-only user may not select all of them. */
function columnsOf(projection: Projection) {
  const columns = [`${projection}_sha256 as sha256`, `${projection} as bytes`] as const;
  return ['started_at', 'id', ...columns] as const;
}

/** Calls the schema's search function, which returns positions. */
function search({ order, byState }: ListShape, slot: Slot<PageValues>) {
  const eb = expressionBuilder<PostgresTables, 'accounts'>();
  const places = ['low_at', 'low_id', 'high_at', 'high_id'] as const;
  return eb
    .fn<{ started_at: number; id: string }>('memory_gateway.search', [
      'accounts.id',
      eb.val(slot('match')),
      eb.val(slot('phrases')),
      eb.val(slot('unsure')),
      byState ? eb.val(slot('is_processing')) : eb.lit(null),
      ...places.map((name) => eb.val(slot(name))),
      eb.lit(order === 'desc'),
      eb.val(slot('limit')),
    ])
    .as<'found'>('found');
}

// The list queries of PostgreSQL: positions or memories, in index order or from a search.

import { expressionBuilder, type AliasedExpression } from 'kysely';

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

/** Queries the positions of an account's memories, without the memories. */
export function placesOf(shape: ListShape) {
  return query((slot: Slot<PageValues>) => {
    const places = shape.bySearch
      ? build.selectFrom(search(shape, slot)).select(['found.started_at', 'found.id'])
      : walk(shape, slot).select(['started_at', 'id']);
    return within(slot)
      .leftJoinLateral(places.as('page'), (join) => join.onTrue())
      .select(['accounts.revision', 'page.started_at', 'page.id']);
  });
}

/**
 * Queries memories of an account in order, with the hash of their bytes: up to the limit, and only those
 * that begin within the first `maxBytes`. `found` is the number of memories up to the limit.
 */
export function listOf(shape: MemoryListShape) {
  const { projection, order, bySearch } = shape;
  return query((slot: Slot<PageValues>) => {
    const kept = bySearch
      ? searchedMemories(shape, slot)
      : walk(shape, slot).select(columnsOf(projection)).$castTo<StoredRow>();
    return within(slot)
      .leftJoinLateral(pageWithin(kept.as('kept'), order, slot), (join) => join.onTrue())
      .select(['accounts.revision', 'page.started_at', 'page.id'])
      .select(['page.sha256', 'page.text', 'page.found']);
  });
}

/** Limits stored memories to those that begin within `maxBytes`. PostgreSQL knows a size without reading the bytes. */
export function pageWithin(
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
export function walk(shape: ListShape, slot: Slot<PageValues>) {
  return (
    between({ ...shape, bySearch: false }, slot as Slot<unknown> as Slot<ListValues>)
      // In addition to the value, so that no row is read before `within` has set the account.
      .whereRef('account_id', '=', ACCOUNT)
  );
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

/** Names the columns, because a read-only user may not select all of them. */
function columnsOf(projection: Projection) {
  const columns = [`${projection}_sha256 as sha256`, `${projection} as bytes`] as const;
  return ['started_at', 'id', ...columns] as const;
}

/** Calls the schema's search function, which returns positions. */
export function search({ order, byState }: ListShape, slot: Slot<PageValues>) {
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

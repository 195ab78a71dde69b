// The queries of lists for PostgreSQL: places in the order of their index, or of the weeks that have what is searched.

import { expressionBuilder, type AliasedExpression } from 'kysely';

import { between, type ListShape, type ListValues } from '../lists.ts';
import { query, type Slot } from '../query.ts';
import type { Bytes } from '../store.ts';
import { buildPostgres as build } from './build.ts';
import { ACCOUNT, within } from './reads.ts';
import type { PostgresTables } from './tables.ts';

/** The values of a list: all places, or so many; of memories those that begin before so many bytes are over. */
export interface PageValues extends Omit<ListValues, 'limit' | 'match'> {
  readonly limit: number | null;
  readonly maxBytes: number;
  /** What a search looks up in each week, with "_" where its label goes. */
  readonly match: string;
  /** What stands in the words of all that a search finds. */
  readonly phrases: readonly string[];
  /** Those of them of which the index tells too little. */
  readonly unsure: readonly string[];
}

/** A place, with the bytes of its memory. */
interface Kept {
  readonly started_at: number;
  readonly id: string;
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

/** Reads places of an account in order, without memories. */
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
 * Reads memories of an account in order, with the hash of their bytes: up to the limit, and no more than
 * begin before `maxBytes` are over. `found` tells how many there are up to the limit.
 */
export function listOf(shape: ListShape & { readonly bytes: Bytes }) {
  const { bytes, order, bySearch } = shape;
  return query((slot: Slot<PageValues>) => {
    const kept = bySearch
      ? lookUp(shape, slot)
      : walk(shape, slot).select(columnsOf(bytes)).$castTo<Kept>();
    return within(slot)
      .leftJoinLateral(page(kept.as('kept'), order, slot), (join) => join.onTrue())
      .select(['accounts.revision', 'page.started_at', 'page.id'])
      .select(['page.sha256', 'page.text', 'page.found']);
  });
}

/** What is kept, as text, as far as it begins within the bytes wanted: a size is known before its bytes are read. */
function page(
  kept: AliasedExpression<Kept, 'kept'>,
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

/** The memories between two places, in order, read for the account that `within` has named before. */
function walk(shape: ListShape, slot: Slot<PageValues>) {
  return (
    between({ ...shape, bySearch: false }, slot as Slot<unknown> as Slot<ListValues>)
      // Beside the value, so that nothing is read before the account is named.
      .whereRef('account_id', '=', ACCOUNT)
  );
}

/** The memories that a search finds, in order: each looked up by its id, as its limit leaves no other way. */
function lookUp(shape: ListShape & { readonly bytes: Bytes }, slot: Slot<PageValues>) {
  const { bytes, order } = shape;
  const one = build
    .selectFrom('memories')
    .select(columnsOf(bytes))
    .whereRef('memories.account_id', '=', ACCOUNT)
    .whereRef('memories.id', '=', 'found.id' as 'id')
    .limit((eb) => eb.lit(1));
  return build
    .selectFrom(search(shape, slot))
    .innerJoinLateral(one.as('one'), (join) => join.onTrue())
    .select(['one.started_at', 'one.id', 'one.sha256', 'one.bytes'])
    .orderBy('one.started_at', order)
    .orderBy('one.id', order)
    .$castTo<Kept>();
}

/** By name, as a reading user may not look at all of them. */
function columnsOf(bytes: Bytes) {
  return ['started_at', 'id', `${bytes}_sha256 as sha256`, `${bytes} as bytes`] as const;
}

/** The places at which there is what is searched, by the function of the schema. */
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

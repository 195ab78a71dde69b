// Facets in queries: only memories with some people, tags and sources.

import { expressionBuilder, type ExpressionWrapper, type SqlBool } from 'kysely';

import type { FacetName } from '../scope.ts';
import { build, query, type Slot } from './query.ts';
import type { Tables } from './tables/tables.ts';

/** Facets as values of a statement, numbered from 0. */
interface FacetValues {
  readonly [kind: `kind_${number}`]: FacetName['kind'];
  readonly [folded: `folded_${number}`]: string;
}

/** Returns facets as values of a statement, to be added to the others. */
export function facetValues(facets: readonly FacetName[]): object {
  const values: Record<string, string> = {};
  for (const [i, { kind, folded }] of facets.entries()) {
    values[`kind_${i}`] = kind;
    values[`folded_${i}`] = folded;
  }
  return values;
}

/** Which facets a query asks for: those from one number to before another. */
export interface FacetSlots {
  readonly slot: Slot<object>;
  readonly from?: number;
  readonly count: number;
}

/** Columns that name a memory. */
export interface MemoryColumns {
  readonly account: string;
  readonly id: string;
}

/** The columns of the table of memories. */
export const OF_MEMORY: MemoryColumns = { account: 'memories.account_id', id: 'memories.id' };

/** The columns of the table of signs. */
export const OF_SIGNS: MemoryColumns = {
  account: 'vector_signs.account_id',
  id: 'vector_signs.memory_id',
};

/** Returns whether the memory of a row has all facets. Each is one look-up by the memory. */
export function hasFacets(
  { account, id }: MemoryColumns,
  { slot, from = 0, count }: FacetSlots,
): ExpressionWrapper<Tables, never, SqlBool> {
  const eb = expressionBuilder<Tables>();
  const facet = facetSlot(slot);
  const each = Array.from({ length: count - from }, (_, i) =>
    eb.exists(
      build
        .selectFrom('facets as other')
        .select((row) => row.lit(1).as('is_there'))
        .whereRef('other.account_id', '=', account as 'other.account_id')
        .whereRef('other.memory_id', '=', id as 'other.memory_id')
        .where('other.kind', '=', facet(`kind_${from + i}`))
        .where('other.folded', '=', facet(`folded_${from + i}`)),
    ),
  );
  return eb.and(each);
}

/** The columns of the first facet. */
export const OF_FIRST: MemoryColumns = { account: 'first.account_id', id: 'first.memory_id' };

/** The values of a query that starts from a facet, besides the facets. */
export interface FromFacet {
  readonly account_id: string;
}

/** Slots have the names of a query's own values, and those of facets besides. */
function facetSlot(slot: Slot<object>): Slot<FacetValues> {
  return slot as Slot<unknown> as Slot<FacetValues>;
}

/** Selects the memories that have the first facet. The index of facets has them in the order of lists. */
export function withFirstFacet(slot: Slot<FromFacet>) {
  return build
    .selectFrom('facets as first')
    .where('first.account_id', '=', slot('account_id'))
    .where('first.kind', '=', facetSlot(slot)('kind_0'))
    .where('first.folded', '=', facetSlot(slot)('folded_0'));
}

/** Selects the memories that have all facets, starting from those with the first. */
export function withFacets(slot: Slot<FromFacet>, count: number) {
  return withFirstFacet(slot)
    .crossJoin('memories') // a cross join fixes the order, which SQLite could turn round in an inner join
    .whereRef('memories.account_id', '=', 'first.account_id')
    .whereRef('memories.id', '=', 'first.memory_id')
    .where(hasFacets(OF_FIRST, { slot, from: 1, count }));
}

/** Counts the memories with a facet. */
export const facetSize = query((slot: Slot<FromFacet>) =>
  build
    .selectFrom('facet_totals')
    .select((eb) => eb.fn.sum<number | null>('memories').as('memories'))
    .where('account_id', '=', slot('account_id'))
    .where('kind', '=', facetSlot(slot)('kind_0'))
    .where('folded', '=', facetSlot(slot)('folded_0')),
);

/** Creates something for each number of facets when it is first needed, because most requests have none. */
export function perCount<T>(create: (count: number) => T): (count: number) => T {
  const created = new Map<number, T>();
  return (count) => {
    const known = created.get(count) ?? create(count);
    created.set(count, known);
    return known;
  };
}

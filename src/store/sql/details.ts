// The reads of details: documents, originals, totals of people and tags, and action items. Both engines share them.

import { expressionBuilder, type SelectQueryBuilder } from 'kysely';

import { hasFacets, OF_FIRST, withFirstFacet } from './facets.ts';
import { ofSameMemory, originalOfDetails } from './joins.ts';
import { build, type Slot } from './query.ts';
import type { WindowValues } from './reads.ts';
import type { DetailTables } from './tables/detail-tables.ts';
import type { Tables } from './tables/tables.ts';

interface OfAccount {
  readonly account_id: string;
}

/** Returns the account that a query is for: the slot of SQLite, or the row that PostgreSQL joins to. */
type AccountOf = (slot: Slot<OfAccount>) => string;

/** The account as a value of the statement. */
export const bySlot: AccountOf = (slot) => slot('account_id');

/** The account as a column of the outer row, for lateral joins. */
export const byOuterRow: AccountOf = () =>
  expressionBuilder<Tables>().ref('accounts.id' as never) as never;

/** Which details to read. */
export interface DetailsKey extends OfAccount {
  readonly id: string;
}

/** Finds the document of a memory. */
export const document = (account: AccountOf) => (slot: Slot<DetailsKey>) =>
  build
    .selectFrom('details')
    .select(['body', 'body_sha256'])
    .where('details.account_id', '=', account(slot))
    .where('details.memory_id', '=', slot('id'));

/** Finds which original a memory was made from, and how it was read. */
export const originalName = (account: AccountOf) => (slot: Slot<DetailsKey>) =>
  build
    .selectFrom('details')
    .select(['original_sha256', 'reading'])
    .where('details.account_id', '=', account(slot))
    .where('details.memory_id', '=', slot('id'));

/** Which original to read: the one of this memory. */
export const original = (account: AccountOf) => (slot: Slot<DetailsKey>) =>
  build
    .selectFrom('details')
    .innerJoin('originals', originalOfDetails)
    .select(['originals.sha256', 'originals.media_type', 'originals.bytes', 'originals.compressed'])
    .where('details.account_id', '=', account(slot))
    .where('details.memory_id', '=', slot('id'));

/** Which totals to read. */
export interface FacetValues extends OfAccount {
  readonly kind: DetailTables['facets']['kind'];
}

/** Reads the totals of all people, tags or sources. */
export const totals = (account: AccountOf) => (slot: Slot<FacetValues>) =>
  build
    .selectFrom('facet_totals')
    .select((eb) => [
      'folded',
      'labels',
      'name',
      'memories',
      'lines',
      'words',
      eb
        .case()
        .when('timed', '>', 0)
        .then(eb.ref('speaking_ms'))
        .else(null)
        .end()
        .as('speaking_ms'),
      'first_at',
      'last_at',
    ])
    .where('facet_totals.account_id', '=', account(slot))
    .where('facet_totals.kind', '=', slot('kind'));

/** Sums up the same over the memories that start in a window. */
export const totalsInWindow = (account: AccountOf) => (slot: Slot<FacetValues & WindowValues>) =>
  build
    .selectFrom('facets')
    .select(sums())
    .where('facets.account_id', '=', account(slot))
    .where('facets.kind', '=', slot('kind'))
    // Looks each name up by its times: of 100,000 memories, a month takes 16 ms instead of 410.
    .where('facets.folded', 'in', (eb) =>
      eb
        .selectFrom('facet_totals')
        .select('facet_totals.folded')
        .where('facet_totals.account_id', '=', account(slot))
        .where('facet_totals.kind', '=', slot('kind')),
    )
    .where('facets.started_at', '>=', slot('low_at'))
    .where('facets.started_at', '<', slot('high_at'))
    .groupBy(['facets.folded', 'facets.labels']);

/** Sums up the same over the memories that have a number of facets as well. */
export const totalsWithFacets =
  (account: AccountOf, count: number) => (slot: Slot<FacetValues & WindowValues>) =>
    withFirstFacet(slot)
      .where('first.account_id', '=', account(slot))
      .where('first.started_at', '>=', slot('low_at'))
      .where('first.started_at', '<', slot('high_at'))
      .where(hasFacets(OF_FIRST, { slot, from: 1, count }))
      .crossJoin('facets') // it fixes the order
      .whereRef('facets.account_id', '=', 'first.account_id')
      .whereRef('facets.memory_id', '=', 'first.memory_id')
      .where('facets.kind', '=', slot('kind'))
      .select(sums())
      .groupBy(['facets.folded', 'facets.labels']);

function sums() {
  const eb = expressionBuilder<Tables, 'facets'>();
  const sum = (column: 'lines' | 'words' | 'speaking_ms') => eb.fn.sum(eb.ref(`facets.${column}`));
  return [
    eb.ref('facets.folded').as('folded'),
    eb.ref('facets.labels').as('labels'),
    eb.fn.max('facets.name').as('name'),
    eb.fn.countAll<number>().as('memories'),
    eb.cast<number>(sum('lines'), 'bigint').as('lines'),
    eb.cast<number>(sum('words'), 'bigint').as('words'),
    eb.cast<number | null>(sum('speaking_ms'), 'bigint').as('speaking_ms'),
    eb.fn.min('facets.started_at').as('first_at'),
    eb.fn.max('facets.started_at').as('last_at'),
  ] as const;
}

/** A part of the action items of an account. */
export interface ItemValues extends OfAccount, WindowValues {
  /** The position of the last item that was read. */
  readonly after_at: number;
  readonly after_id: string;
  readonly after_number: number;
  readonly limit: number;
}

/** Reads action items with the names of their memories, the newest memories first, after a position. */
export const actionItems = (account: AccountOf) => (slot: Slot<ItemValues>) =>
  inOrder(build.selectFrom('action_items'), 'action_items', { account, slot });

/** Reads the same of memories with a number of facets. The first facet has them in the order of the items. */
export const actionItemsWithFacets =
  (account: AccountOf, count: number) => (slot: Slot<ItemValues>) => {
    const all = withFirstFacet(slot)
      .where('first.account_id', '=', account(slot))
      .where(hasFacets(OF_FIRST, { slot, from: 1, count }))
      .crossJoin('action_items') // it fixes the order
      .whereRef('action_items.account_id', '=', 'first.account_id')
      .whereRef('action_items.started_at', '=', 'first.started_at')
      .whereRef('action_items.memory_id', '=', 'first.memory_id');
    // The query builder knows another table besides, of which nothing is selected.
    const items = all as unknown as SelectQueryBuilder<Tables, 'action_items', object>;
    return inOrder(items, 'first', { account, slot });
  };

interface Ordering {
  readonly account: AccountOf;
  readonly slot: Slot<ItemValues>;
}

/** Puts items into the order that an index of a table has. */
function inOrder(
  items: SelectQueryBuilder<Tables, 'action_items', object>,
  table: 'action_items' | 'first',
  { account, slot }: Ordering,
) {
  const started_at = `${table}.started_at` as 'action_items.started_at';
  const memory_id = `${table}.memory_id` as 'action_items.memory_id';
  return items
    .innerJoin('memories', ofSameMemory('memories', 'action_items'))
    .select([
      'action_items.memory_id',
      'action_items.started_at',
      'action_items.number',
      'action_items.text',
      'action_items.owner',
      'action_items.folded',
      'action_items.due',
      'action_items.done',
      'action_items.line',
      'memories.name',
    ])
    .where('action_items.account_id', '=', account(slot))
    .where(started_at, '>=', slot('low_at'))
    .where(started_at, '<', slot('high_at'))
    .where((eb) => {
      const memory = eb.refTuple(started_at, memory_id);
      const last = eb.tuple(slot('after_at'), slot('after_id'));
      const isLater = eb('action_items.number', '>', slot('after_number'));
      return eb.or([eb(memory, '<', last), eb.and([eb(memory, '=', last), isLater])]);
    })
    .orderBy(started_at, 'desc')
    .orderBy(memory_id, 'desc')
    .orderBy('action_items.number')
    .limit(slot('limit'));
}

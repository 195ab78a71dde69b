// The reads of details: documents, originals, totals of people and tags, and action items. Both engines share them.

import { expressionBuilder } from 'kysely';

import type { DetailTables } from './detail-tables.ts';
import { build, type Slot } from './query.ts';
import type { WindowValues } from './reads.ts';
import type { Tables } from './tables.ts';

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

/** Which original to read: the one of this memory. */
export const original = (account: AccountOf) => (slot: Slot<DetailsKey>) =>
  build
    .selectFrom('details')
    .innerJoin('originals', (join) =>
      join
        .onRef('originals.account_id', '=', 'details.account_id')
        .onRef('originals.sha256', '=', 'details.original_sha256'),
    )
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
    .select((eb) => {
      const sum = (column: 'lines' | 'words' | 'speaking_ms') =>
        eb.cast<number>(eb.fn.sum(column), 'bigint');
      return [
        'folded',
        'labels',
        eb.fn.max('facets.name').as('name'),
        eb.fn.countAll<number>().as('memories'),
        sum('lines').as('lines'),
        sum('words').as('words'),
        eb.cast<number | null>(eb.fn.sum('speaking_ms'), 'bigint').as('speaking_ms'),
        eb.fn.min('facets.started_at').as('first_at'),
        eb.fn.max('facets.started_at').as('last_at'),
      ];
    })
    .where('facets.account_id', '=', account(slot))
    .where('facets.kind', '=', slot('kind'))
    .where('facets.started_at', '>=', slot('low_at'))
    .where('facets.started_at', '<', slot('high_at'))
    .groupBy(['folded', 'labels']);

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
  build
    .selectFrom('action_items')
    .innerJoin('memories', (join) =>
      join
        .onRef('memories.account_id', '=', 'action_items.account_id')
        .onRef('memories.id', '=', 'action_items.memory_id'),
    )
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
    .where('action_items.started_at', '>=', slot('low_at'))
    .where('action_items.started_at', '<', slot('high_at'))
    .where((eb) => {
      const memory = eb.refTuple('action_items.started_at', 'action_items.memory_id');
      const last = eb.tuple(slot('after_at'), slot('after_id'));
      const isLater = eb('action_items.number', '>', slot('after_number'));
      return eb.or([eb(memory, '<', last), eb.and([eb(memory, '=', last), isLater])]);
    })
    .orderBy('action_items.started_at', 'desc')
    .orderBy('action_items.memory_id', 'desc')
    .orderBy('action_items.number')
    .limit(slot('limit'));

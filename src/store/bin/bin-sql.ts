// The queries of the bin. Both engines run them.

import { ofSameMemory } from '../sql/joins.ts';
import { build, query, type Slot } from '../sql/query.ts';
import { deleteRows, insertRow, selectRows } from '../sql/row-queries.ts';
import type { DetailTables } from '../sql/tables/detail-tables.ts';

type Deleted = DetailTables['deleted_memories'];

/** Names a memory, in the bin or not. */
export type OfMemory = Pick<Deleted, 'account_id' | 'memory_id'>;

/** Reads the corrections of a memory. */
export const corrections = selectRows('corrections', {
  by: ['account_id', 'memory_id'],
  order: ['id'],
});

/** Copies a memory and its details into the bin. */
export const put = query(
  (slot: Slot<Pick<Deleted, keyof OfMemory | 'deleted_at' | 'corrections'>>) =>
    build
      .insertInto('deleted_memories')
      .columns([
        'account_id',
        'memory_id',
        'deleted_at',
        'body_sha256',
        'slim_sha256',
        'read_sha256',
        'original_sha256',
        'reading',
        'renamed_to',
        'details_sha256',
        'details',
        'corrections',
        'slim',
        'body',
      ])
      .expression(
        build
          .selectFrom('memories')
          .leftJoin('details', ofSameMemory('details', 'memories'))
          .select((eb) => [
            'memories.account_id',
            'memories.id as memory_id',
            eb.cast<number>(eb.val(slot('deleted_at')), 'bigint').as('deleted_at'),
            'memories.body_sha256',
            'memories.slim_sha256',
            'details.read_sha256',
            'details.original_sha256',
            'details.reading',
            'details.renamed_to',
            'details.body_sha256 as details_sha256',
            'details.body as details',
            eb.cast<string>(eb.val(slot('corrections')), 'text').as('corrections'),
            'memories.slim',
            'memories.body',
          ])
          .where('memories.account_id', '=', slot('account_id'))
          .where('memories.id', '=', slot('memory_id')),
      ),
);

/** Names a memory that can still be brought back, because it was deleted after a time. */
export type OfBin = OfMemory & { readonly since: number };

/** Selects a memory in the bin that can still be brought back. */
export function inBin(slot: Slot<OfBin>) {
  return build
    .selectFrom('deleted_memories')
    .where('account_id', '=', slot('account_id'))
    .where('memory_id', '=', slot('memory_id'))
    .where('deleted_at', '>', slot('since'));
}

/** Finds such a memory. */
export const find = query((slot: Slot<OfBin>) => inBin(slot).selectAll());

/** Finds a memory that is not deleted. */
export const isThere = query((slot: Slot<OfMemory>) =>
  build
    .selectFrom('memories')
    .select('id')
    .where('account_id', '=', slot('account_id'))
    .where('id', '=', slot('memory_id')),
);

/** Writes a row of the details of a memory as it was. */
export const putRow = {
  details: insertRow('details'),
  facets: insertRow('facets'),
  action_items: insertRow('action_items'),
};

/** Erases a memory of the bin. A trigger removes its original unless something else was made from it. */
export const drop = deleteRows('deleted_memories', ['account_id', 'memory_id']);

/** Finds all memories in the bin of an account. */
export const ofAccount = selectRows('deleted_memories', {
  columns: ['account_id', 'memory_id'],
  by: ['account_id'],
});

/** Finds all memories that have been in a bin for too long. */
export const expired = query((slot: Slot<{ until: number }>) =>
  build
    .selectFrom('deleted_memories')
    .select(['account_id', 'memory_id'])
    .where('deleted_at', '<=', slot('until')),
);

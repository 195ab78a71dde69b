// Keyring: the queries of API keys, of which only hashes are kept.

import { build, query, type Slot } from './query.ts';
import type { ApiKeyTable } from './tables.ts';

/** Adds a key. Selecting the account's id makes "no such account" a row that is not inserted, not a raw SQL error. */
export const insert = query((slot: Slot<Omit<ApiKeyTable, 'revoked_at'>>) =>
  build
    .insertInto('api_keys')
    .columns(['key_sha256', 'id', 'account_id', 'last_four', 'label', 'created_at', 'expires_at'])
    .expression((eb) =>
      eb
        .selectFrom('accounts')
        .select((row) => [
          // PostgreSQL takes a value that is selected for text, whatever column it goes to.
          row.val(slot('key_sha256')).as('key_sha256'),
          row.val(slot('id')).as('key_id'),
          'accounts.id',
          row.val(slot('last_four')).as('last_four'),
          row.val(slot('label')).as('label'),
          row.cast<number>(row.val(slot('created_at')), 'bigint').as('created_at'),
          row.cast<number | null>(row.val(slot('expires_at')), 'bigint').as('expires_at'),
        ])
        .where('accounts.id', '=', slot('account_id')),
    ),
);

/** Ends a key, once. */
export const revoke = query((slot: Slot<{ id: string; revoked_at: number }>) =>
  build
    .updateTable('api_keys')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(slot('revoked_at'))) }))
    .where('id', '=', slot('id')),
);

/** Sets when a key ends. */
export const expire = query((slot: Slot<{ id: string; expires_at: number }>) =>
  build
    .updateTable('api_keys')
    .set({ expires_at: slot('expires_at') })
    .where('id', '=', slot('id')),
);

const records = build
  .selectFrom('api_keys')
  .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
  .select([
    'api_keys.id',
    'api_keys.account_id',
    'api_keys.last_four',
    'api_keys.label',
    'api_keys.created_at',
    'api_keys.expires_at',
    'api_keys.revoked_at',
    'accounts.disabled_at as account_disabled_at',
  ]);

/** Lists the records of all keys, account by account. */
export const list = query((_: Slot<object>) =>
  records.orderBy('api_keys.account_id').orderBy('api_keys.created_at'),
);

/** Lists the records of the keys of one account. */
export const listOf = query((slot: Slot<{ account_id: string }>) =>
  records.where('accounts.id', '=', slot('account_id')).orderBy('api_keys.created_at'),
);

/** Finds the record of a key by its id. */
export const byId = query((slot: Slot<{ id: string }>) =>
  records.where('api_keys.id', '=', slot('id')),
);

/** Finds the record of a key by its hash. */
export const byHash = query((slot: Slot<{ key_sha256: string }>) =>
  records.where('api_keys.key_sha256', '=', slot('key_sha256')),
);

// Writes and lists API keys; a key in clear exists only in what `create` and `rotate` return.

import type { Database } from 'better-sqlite3';
import { v7 as uuid } from 'uuid';
import * as v from 'valibot';

import { Label } from '../contract/account.ts';
import { unknownAccount } from './accounts.ts';
import { apiKeyState, createApiKey, hashApiKey } from './apikey.ts';
import { hold } from './held.ts';
import { build, query, type Slot } from './query.ts';
import { Refusal } from './refusal.ts';
import type { ApiKeyTable } from './tables.ts';

/** What a key is made of, but for the key itself. */
export interface NewApiKey {
  readonly account_id: string;
  readonly label: string;
  /** When it ends, in milliseconds since 1970; null for never. */
  readonly expires_at: number | null;
}

/** A new key: shown once, as nothing keeps it. */
export interface IssuedApiKey {
  readonly id: string;
  readonly key: string;
  readonly expires_at: number | null;
}

/** A key's record, never the key. */
export type ApiKeyRecord = Omit<ApiKeyTable, 'key_sha256'> & { account_disabled_at: number | null };

// Selecting the account's id makes "no such account" a row that is not inserted, not a raw SQL error.
const insert = query((slot: Slot<Omit<ApiKeyTable, 'revoked_at'>>) =>
  build
    .insertInto('api_keys')
    .columns(['key_sha256', 'id', 'account_id', 'last_four', 'label', 'created_at', 'expires_at'])
    .expression((eb) =>
      eb
        .selectFrom('accounts')
        .select((row) => [
          row.val(slot('key_sha256')).as('key_sha256'),
          row.val(slot('id')).as('key_id'),
          'accounts.id',
          row.val(slot('last_four')).as('last_four'),
          row.val(slot('label')).as('label'),
          row.val(slot('created_at')).as('created_at'),
          row.val(slot('expires_at')).as('expires_at'),
        ])
        .where('accounts.id', '=', slot('account_id')),
    ),
);

const revoke = query((slot: Slot<{ id: string; revoked_at: number }>) =>
  build
    .updateTable('api_keys')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(slot('revoked_at'))) }))
    .where('id', '=', slot('id')),
);

const expire = query((slot: Slot<{ id: string; expires_at: number }>) =>
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

const list = query((_: Slot<object>) =>
  records.orderBy('api_keys.account_id').orderBy('api_keys.created_at'),
);
const listOf = query((slot: Slot<{ account_id: string }>) =>
  records.where('accounts.id', '=', slot('account_id')).orderBy('api_keys.created_at'),
);
const byId = query((slot: Slot<{ id: string }>) => records.where('api_keys.id', '=', slot('id')));
const byHash = query((slot: Slot<{ key_sha256: string }>) =>
  records.where('api_keys.key_sha256', '=', slot('key_sha256')),
);

/** The writes of API keys on a connection. */
export function keyWrites(db: Database) {
  const held = {
    insert: hold(db, insert),
    revoke: hold(db, revoke),
    expire: hold(db, expire),
    list: hold(db, list),
    listOf: hold(db, listOf),
    byId: hold(db, byId),
    byHash: hold(db, byHash),
  };

  function create({ account_id, label, expires_at }: NewApiKey): IssuedApiKey {
    v.assert(Label, label);
    const [id, key, created_at] = [uuid(), createApiKey(), Date.now()];
    const last_four = key.slice(-4);
    const key_sha256 = hashApiKey(key);
    const values = { key_sha256, id, account_id, last_four, label, created_at, expires_at };
    if (held.insert.run(values) === 1) return { id, key, expires_at };
    throw unknownAccount(account_id);
  }

  function find(id: string): ApiKeyRecord {
    const record = held.byId.get({ id });
    if (record) return record;
    throw new Refusal(`There is no key ${id}; "keys list" shows their ids.`);
  }

  function rotate(id: string, graceMs: number): IssuedApiKey {
    const old = find(id);
    const now = Date.now();
    const state = apiKeyState({ ...old, account_disabled_at: null }, now);
    if (state !== 'active') throw new Refusal(`Key ${id} is ${state}; create a new one instead.`);
    // The new key lives as long as the old one was given, so that rotating never makes one eternal.
    const expires_at = old.expires_at === null ? null : now + (old.expires_at - old.created_at);
    if (graceMs === 0) held.revoke.run({ id, revoked_at: now });
    else held.expire.run({ id, expires_at: Math.min(old.expires_at ?? Infinity, now + graceMs) });
    return create({ account_id: old.account_id, label: old.label, expires_at });
  }

  const bothOrNeither = db.transaction(rotate);

  return {
    /** Issues a key for an account. Fails with `Refusal` when there is no such account. */
    create,
    /** Ends a key from now on; one that was revoked before keeps its time. */
    revoke: (id: string): void => void held.revoke.run({ id: find(id).id, revoked_at: Date.now() }),
    /** Issues a successor and ends the old key after `graceMs` (0: at once), both or neither. */
    rotate: (id: string, graceMs: number): IssuedApiKey => bothOrNeither.immediate(id, graceMs),
    /** The records of one account, or of all account by account; oldest first. */
    list: (account_id?: string): ApiKeyRecord[] =>
      account_id === undefined ? held.list.all({}) : held.listOf.all({ account_id }),
    /** Finds the record of a key in clear. */
    identify: (key: string): ApiKeyRecord | undefined =>
      held.byHash.get({ key_sha256: hashApiKey(key) }),
  };
}

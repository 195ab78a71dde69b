// Writes and lists API keys; a key in clear exists only in what `create` and `rotate` return.

import { v7 as uuid } from 'uuid';
import * as v from 'valibot';

import { Label } from '../contract/account.ts';
import { andThen, type Awaitable } from '../contract/awaitable.ts';
import { unknownAccount } from './accounts.ts';
import { apiKeyState, createApiKey, hashApiKey } from './apikey.ts';
import type { Connection } from './connection.ts';
import * as queries from './keyring.ts';
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

/** The writes of API keys on a connection. */
export function keyWrites({ hold, transaction }: Connection) {
  const held = {
    insert: hold(queries.insert),
    revoke: hold(queries.revoke),
    expire: hold(queries.expire),
    list: hold(queries.list),
    listOf: hold(queries.listOf),
    byId: hold(queries.byId),
    byHash: hold(queries.byHash),
  };

  function create({ account_id, label, expires_at }: NewApiKey): Awaitable<IssuedApiKey> {
    v.assert(Label, label);
    const [id, key, created_at] = [uuid(), createApiKey(), Date.now()];
    const last_four = key.slice(-4);
    const key_sha256 = hashApiKey(key);
    const values = { key_sha256, id, account_id, last_four, label, created_at, expires_at };
    return andThen(held.insert.run(values), (added) => {
      if (added === 1) return { id, key, expires_at };
      throw unknownAccount(account_id);
    });
  }

  function find(id: string): Awaitable<ApiKeyRecord> {
    return andThen(held.byId.get({ id }), (record) => {
      if (record) return record;
      throw new Refusal(`There is no key ${id}; "keys list" shows their ids.`);
    });
  }

  function succeed(old: ApiKeyRecord, graceMs: number): Awaitable<IssuedApiKey> {
    const { id, account_id, label } = old;
    const now = Date.now();
    const state = apiKeyState({ ...old, account_disabled_at: null }, now);
    if (state !== 'active') throw new Refusal(`Key ${id} is ${state}; create a new one instead.`);
    // The new key lives as long as the old one was given, so that rotating never makes one eternal.
    const expires_at = old.expires_at === null ? null : now + (old.expires_at - old.created_at);
    const ended =
      graceMs === 0
        ? held.revoke.run({ id, revoked_at: now })
        : held.expire.run({ id, expires_at: Math.min(old.expires_at ?? Infinity, now + graceMs) });
    return andThen(ended, () => create({ account_id, label, expires_at }));
  }

  return {
    /** Issues a key for an account. Fails with `Refusal` when there is no such account. */
    create,
    /** Ends a key from now on; one that was revoked before keeps its time. */
    revoke: (id: string): Awaitable<void> =>
      andThen(find(id), () =>
        andThen(held.revoke.run({ id, revoked_at: Date.now() }), () => undefined),
      ),
    /** Issues a successor and ends the old key after `graceMs` (0: at once), both or neither. */
    rotate: (id: string, graceMs: number): Awaitable<IssuedApiKey> =>
      transaction(() => andThen(find(id), (old) => succeed(old, graceMs))),
    /** The records of one account, or of all account by account; oldest first. */
    list: (account_id?: string): Awaitable<ApiKeyRecord[]> =>
      account_id === undefined ? held.list.all({}) : held.listOf.all({ account_id }),
    /** Finds the record of a key in clear. */
    identify: (key: string): Awaitable<ApiKeyRecord | undefined> =>
      held.byHash.get({ key_sha256: hashApiKey(key) }),
  };
}

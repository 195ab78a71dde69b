// API keys: creates, rotates, revokes and lists them. Only `create` and `rotate` return a key in clear.

import { v7 as uuid } from 'uuid';
import * as v from 'valibot';

import { Label } from '../../contract/schemas/label.ts';
import { andThen, type Awaitable } from '../../lib/async.ts';
import { LAST_DAY } from '../../lib/time.ts';
import { addEvent, COMMAND_LINE } from '../app/log.ts';
import { Refusal } from '../refusal.ts';
import { SCOPE_COLUMNS, scopeOf, toScopeColumns, type Scope } from '../scope.ts';
import type { Connection } from '../sql/query.ts';
import { build, query, type Slot } from '../sql/query.ts';
import { updateRows } from '../sql/row-queries.ts';
import type { EventKind } from '../sql/tables/app-tables.ts';
import type { ApiKeyTable } from '../sql/tables/tables.ts';
import { unknownAccount } from './accounts.ts';
import { apiKeyState, createApiKey, hashApiKey } from './api-key.ts';

/** Adds a key. It selects the account's id, so that a missing account inserts no row instead of raising an SQL error. */
const insertKey = query((slot: Slot<Omit<ApiKeyTable, 'revoked_at' | 'last_used_at'>>) =>
  build
    .insertInto('api_keys')
    .columns([
      ...(['key_sha256', 'id', 'account_id', 'last_four', 'label', 'created_at'] as const),
      'expires_at',
      ...SCOPE_COLUMNS,
    ])
    .expression((eb) =>
      eb
        .selectFrom('accounts')
        .select((row) => [
          // PostgreSQL treats a selected value as text, even for a numeric column.
          row.val(slot('key_sha256')).as('key_sha256'),
          row.val(slot('id')).as('key_id'),
          'accounts.id',
          row.val(slot('last_four')).as('last_four'),
          row.val(slot('label')).as('label'),
          row.cast<number>(row.val(slot('created_at')), 'bigint').as('created_at'),
          row.cast<number | null>(row.val(slot('expires_at')), 'bigint').as('expires_at'),
          row.val(slot('reads')).as('reads'),
          row.cast<number | null>(row.val(slot('started_after')), 'bigint').as('started_after'),
          row.cast<number | null>(row.val(slot('started_before')), 'bigint').as('started_before'),
          row.val(slot('source')).as('source'),
          row.val(slot('tags')).as('tags'),
        ])
        .where('accounts.id', '=', slot('account_id')),
    ),
);

/** Revokes a key. A key that was revoked before keeps its time. */
const revokeKey = query((slot: Slot<{ id: string; revoked_at: number }>) =>
  build
    .updateTable('api_keys')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(slot('revoked_at'))) }))
    .where('id', '=', slot('id')),
);

/** Sets the label of a key. */
const relabelKey = updateRows('api_keys', { set: ['label'], by: ['id'] });

/** Sets when a key expires. */
const expireKey = updateRows('api_keys', { set: ['expires_at'], by: ['id'] });

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
    'api_keys.last_used_at',
    ...SCOPE_COLUMNS,
    'accounts.disabled_at as account_disabled_at',
  ]);

/** Lists the records of all keys, account by account. */
const allKeys = query((_: Slot<object>) =>
  records.orderBy('api_keys.account_id').orderBy('api_keys.created_at'),
);

/** Lists the records of the keys of one account. */
const keysOf = query((slot: Slot<{ account_id: string }>) =>
  records.where('accounts.id', '=', slot('account_id')).orderBy('api_keys.created_at'),
);

/** Finds the record of a key by its id. */
const keyById = query((slot: Slot<{ id: string }>) =>
  records.where('api_keys.id', '=', slot('id')),
);

/** Finds the record of a key by its hash. */
const keyByHash = query((slot: Slot<{ key_sha256: string }>) =>
  records.where('api_keys.key_sha256', '=', slot('key_sha256')),
);

/** A key to create. */
export interface NewApiKey {
  readonly account_id: string;
  readonly label: string;
  /** When the key expires, in milliseconds since 1970; null for never. */
  readonly expires_at: number | null;
  /** What the key may read. Default: everything. */
  readonly scope?: Scope | undefined;
}

/** A new key in clear. It is not stored, so show it once. */
export interface IssuedApiKey {
  readonly id: string;
  readonly key: string;
  readonly expires_at: number | null;
}

/** The record of a key, without the key. */
export type ApiKeyRecord = Omit<ApiKeyTable, 'key_sha256'> & { account_disabled_at: number | null };

/** Creates the writes of API keys on a connection. Each adds to the log of the account; `agent` is who does it. */
export function keyWrites(connection: Connection, agent = COMMAND_LINE) {
  const { prepare, transaction } = connection;
  const held = {
    insert: prepare(insertKey),
    revoke: prepare(revokeKey),
    expire: prepare(expireKey),
    relabel: prepare(relabelKey),
    list: prepare(allKeys),
    listOf: prepare(keysOf),
    byId: prepare(keyById),
    byHash: prepare(keyByHash),
  };

  function note(account_id: string, kind: EventKind, subject: string): Awaitable<void> {
    return addEvent(connection, { account_id, kind, subject, agent });
  }

  function insert({ account_id, label, expires_at, scope }: NewApiKey): Awaitable<IssuedApiKey> {
    v.assert(Label, label);
    const [id, key, created_at] = [uuid(), createApiKey(), connection.now()];
    const last_four = key.slice(-4);
    const key_sha256 = hashApiKey(key);
    const values = { key_sha256, id, account_id, last_four, label, created_at, expires_at };
    return andThen(held.insert.run({ ...values, ...toScopeColumns(scope) }), (added) => {
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
    const now = connection.now();
    const state = apiKeyState({ ...old, account_disabled_at: null }, now);
    if (state !== 'active') throw new Refusal(`Key ${id} is ${state}; create a new one instead.`);
    // The new key gets the lifetime of the old one, so that rotation never removes an expiry.
    const life = (old.expires_at ?? 0) - old.created_at;
    const expires_at = old.expires_at === null ? null : Math.min(LAST_DAY, now + life);
    const ended =
      graceMs === 0
        ? held.revoke.run({ id, revoked_at: now })
        : held.expire.run({ id, expires_at: Math.min(old.expires_at ?? LAST_DAY, now + graceMs) });
    return andThen(ended, () => insert({ account_id, label, expires_at, scope: scopeOf(old) }));
  }

  return {
    /** Creates a key for an account. Throws `Refusal` if there is no such account. */
    create: (key: NewApiKey): Awaitable<IssuedApiKey> =>
      transaction(() =>
        andThen(insert(key), (issued) =>
          andThen(note(key.account_id, 'key-created', key.label), () => issued),
        ),
      ),
    /** Revokes a key. A key that was revoked before keeps its time. Throws `Refusal` if it does not exist. */
    revoke: (id: string): Awaitable<void> =>
      transaction(() =>
        andThen(find(id), ({ account_id, label, revoked_at }) =>
          andThen(held.revoke.run({ id, revoked_at: connection.now() }), () =>
            revoked_at === null ? note(account_id, 'key-revoked', label) : undefined,
          ),
        ),
      ),
    /** Creates a successor, and ends the old key after `graceMs` (0: at once): both or neither. */
    rotate: (id: string, graceMs: number): Awaitable<IssuedApiKey> =>
      transaction(() =>
        andThen(find(id), (old) =>
          andThen(succeed(old, graceMs), (issued) =>
            andThen(note(old.account_id, 'key-rotated', old.label), () => issued),
          ),
        ),
      ),
    /** Gives a key another label. Throws `Refusal` if it does not exist. */
    relabel(id: string, label: string): Awaitable<void> {
      v.assert(Label, label);
      return andThen(find(id), () => andThen(held.relabel.run({ id, label }), () => undefined));
    },
    /** Lists the keys of one account, or of all accounts; oldest first. */
    list: (account_id?: string): Awaitable<ApiKeyRecord[]> =>
      account_id === undefined ? held.list.all({}) : held.listOf.all({ account_id }),
    /** Finds the record of a key in clear. */
    identify: (key: string): Awaitable<ApiKeyRecord | undefined> =>
      held.byHash.get({ key_sha256: hashApiKey(key) }),
    /** Finds the record of a key by its id. Throws `Refusal` if it does not exist. */
    get: find,
    /** Returns whether a key is one of an account. */
    isOf: (account_id: string, id: string): Awaitable<boolean> =>
      andThen(held.byId.get({ id }), (found) => found?.account_id === account_id),
  };
}

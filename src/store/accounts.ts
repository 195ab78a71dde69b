// Writes and lists accounts.

import { v7 as uuid } from 'uuid';
import * as v from 'valibot';

import { AccountId, Label } from '../contract/account.ts';
import { andThen, type Awaitable } from '../contract/awaitable.ts';
import type { Connection } from './connection.ts';
import { build, query, type Slot } from './query.ts';
import { Refusal } from './refusal.ts';
import type { AccountTable } from './tables.ts';

/** What an account is made of. */
export interface NewAccount {
  readonly name: string;
  readonly created_by: AccountTable['created_by'];
  /** A UUIDv7 when left out. */
  readonly id?: string | undefined;
}

const insert = query((slot: Slot<Omit<AccountTable, 'revision' | 'disabled_at'>>) =>
  build
    .insertInto('accounts')
    .values({
      id: slot('id'),
      name: slot('name'),
      created_at: slot('created_at'),
      created_by: slot('created_by'),
    })
    .onConflict((conflict) => conflict.column('id').doNothing()),
);

const setDisabled = query((slot: Slot<{ id: string; disabled_at: number | null }>) =>
  build
    .updateTable('accounts')
    .set({ disabled_at: slot('disabled_at') })
    .where('id', '=', slot('id')),
);

const find = query((slot: Slot<{ id: string }>) =>
  build.selectFrom('accounts').select('id').where('id', '=', slot('id')),
);

/** Lists all accounts, oldest first, with how many keys and memories they have. */
export const list = query((_: Slot<object>) =>
  build
    .selectFrom('accounts')
    .select((eb) => [
      'id',
      'name',
      'created_at',
      'created_by',
      'disabled_at',
      eb
        .selectFrom('api_keys')
        .select((key) => key.fn.countAll<number>().as('n'))
        .whereRef('api_keys.account_id', '=', 'accounts.id')
        .$asScalar()
        .$notNull()
        .as('keys'),
      eb
        .selectFrom('memories')
        .select((memory) => memory.fn.countAll<number>().as('n'))
        .whereRef('memories.account_id', '=', 'accounts.id')
        .$asScalar()
        .$notNull()
        .as('memories'),
    ])
    .orderBy('created_at')
    .orderBy('id'),
);

/** An account, with how many keys and memories it has. */
export interface AccountRecord extends Omit<AccountTable, 'revision'> {
  readonly keys: number;
  readonly memories: number;
}

/** The writes of accounts on a connection. */
export function accountWrites({ hold }: Connection) {
  const held = {
    insert: hold(insert),
    setDisabled: hold(setDisabled),
    find: hold(find),
    list: hold(list),
  };
  return {
    /** Creates an account and returns its id. Fails with `Refusal` when the id is taken. */
    create({ id = uuid(), name, created_by }: NewAccount): Awaitable<string> {
      v.assert(AccountId, id);
      v.assert(Label, name);
      return andThen(held.insert.run({ id, name, created_by, created_at: Date.now() }), (added) => {
        if (added === 1) return id;
        throw new Refusal(`There is an account ${id} already; choose another id.`);
      });
    },
    /** Closes an account to all its keys, or opens it again. Fails with `Refusal` when there is none. */
    setDisabled(id: string, disabled: boolean): Awaitable<void> {
      const disabled_at = disabled ? Date.now() : null;
      return andThen(held.setDisabled.run({ id, disabled_at }), (changed) => {
        if (changed !== 1) throw unknownAccount(id);
      });
    },
    /** Fails with `Refusal` when there is no such account. */
    require(id: string): Awaitable<void> {
      return andThen(held.find.get({ id }), (found) => {
        if (found === undefined) throw unknownAccount(id);
      });
    },
    /** All accounts, oldest first, with how many keys and memories they have. */
    list: (): Awaitable<AccountRecord[]> => held.list.all({}),
  };
}

/** The refusal of an account that is not there. */
export function unknownAccount(id: string): Refusal {
  return new Refusal(`There is no account ${id}; "accounts list" shows those that are there.`);
}

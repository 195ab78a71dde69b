// Accounts: creates, disables and lists them.

import { v7 as uuid } from 'uuid';
import * as v from 'valibot';

import { Label } from '../../contract/schemas/label.ts';
import { AccountId } from '../../contract/schemas/memory.ts';
import { andThen, type Awaitable } from '../../lib/async.ts';
import { endSessions } from '../app/sign-in/end-sessions.ts';
import { Refusal } from '../refusal.ts';
import type { Connection } from '../sql/query.ts';
import { build, query, type Slot } from '../sql/query.ts';
import { insertRow, selectRows, updateRows } from '../sql/row-queries.ts';
import type { AccountTable } from '../sql/tables/tables.ts';

/** A new account. */
export interface NewAccount {
  readonly name: string;
  readonly created_by: AccountTable['created_by'];
  /** Default: a new UUIDv7. */
  readonly id?: string | undefined;
}

const insert = insertRow('accounts', { leftOut: ['disabled_at', 'revision'], unlessThere: ['id'] });

const setDisabled = updateRows('accounts', { set: ['disabled_at'], by: ['id'] });

const setName = updateRows('accounts', { set: ['name'], by: ['id'] });

const find = selectRows('accounts', { columns: ['id'], by: ['id'] });

/** Lists the ids and names of all accounts, oldest first. The user of the app may run it, who may not see all columns. */
export const nameAccounts = selectRows('accounts', {
  columns: ['id', 'name'],
  order: ['created_at', 'id'],
});

/** Counts the memories of an account. */
export const countMemories = query((slot: Slot<{ account_id: string }>) =>
  build
    .selectFrom('memories')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('account_id', '=', slot('account_id')),
);

/** Lists all accounts, oldest first, with their numbers of keys and memories. */
const listAccounts = query((_: Slot<object>) =>
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

/** An account with its numbers of keys and memories. */
export interface AccountRecord extends Omit<AccountTable, 'revision'> {
  readonly keys: number;
  readonly memories: number;
}

/** Creates the writes of accounts on a connection. */
export function accountWrites(connection: Connection) {
  const { prepare, transaction } = connection;
  const held = {
    insert: prepare(insert),
    setDisabled: prepare(setDisabled),
    rename: prepare(setName),
    find: prepare(find),
    names: prepare(nameAccounts),
    list: prepare(listAccounts),
  };
  return {
    /** Creates an account and returns its id. Throws `Refusal` if the id is taken. */
    create({ id = uuid(), name, created_by }: NewAccount): Awaitable<string> {
      v.assert(AccountId, id);
      v.assert(Label, name);
      return andThen(
        held.insert.run({ id, name, created_by, created_at: connection.now() }),
        (added) => {
          if (added === 1) return id;
          throw new Refusal(`There is an account ${id} already; choose another id.`);
        },
      );
    },
    /**
     * Disables an account, so that its keys stop working and its sessions end, or enables it again. Throws
     * `Refusal` if it does not exist.
     */
    setDisabled(id: string, disabled: boolean): Awaitable<void> {
      const disabled_at = disabled ? connection.now() : null;
      return transaction(() =>
        andThen(held.setDisabled.run({ id, disabled_at }), (changed) => {
          if (changed !== 1) throw unknownAccount(id);
          return disabled ? andThen(endSessions(connection, id), () => undefined) : undefined;
        }),
      );
    },
    /** Gives an account another name. Throws `Refusal` if it does not exist. */
    rename(id: string, name: string): Awaitable<void> {
      v.assert(Label, name);
      return andThen(held.rename.run({ id, name }), (changed) => {
        if (changed !== 1) throw unknownAccount(id);
      });
    },
    /** Throws `Refusal` if there is no such account. If it is the name of one, it says the id. */
    require(id: string): Awaitable<void> {
      return andThen(held.find.get({ id }), (found) => {
        if (found !== undefined) return undefined;
        return andThen(held.names.all({}), (all) => {
          throw unknownAccount(id, all.find(({ name }) => name === id)?.id);
        });
      });
    },
    /** Lists all accounts, oldest first, with their numbers of keys and memories. */
    list: (): Awaitable<AccountRecord[]> => held.list.all({}),
  };
}

/** Creates the refusal for an account that does not exist. */
export function unknownAccount(id: string, idOfName?: string): Refusal {
  const remedy =
    idOfName === undefined
      ? 'pass the id of an account, which "accounts list" shows'
      : `pass the id ${idOfName}, because "${id}" is a name`;
  return new Refusal(`There is no account "${id}"; ${remedy}.`);
}

const SHOWN = 10;

/** Creates the refusal to delete memories if some of them do not exist. */
export function missingMemories(account_id: string, missing: readonly string[]): Refusal {
  const more = missing.length > SHOWN ? ` and ${missing.length - SHOWN} more` : '';
  const names = `${missing.slice(0, SHOWN).join(', ')}${more}`;
  const what = missing.length === 1 ? 'is no memory' : 'are no memories';
  return new Refusal(`There ${what} ${names} in account ${account_id}; nothing was deleted.`);
}

// Deletes memories, and accounts with everything that belongs to them, in the transaction of an engine.

import { eachInTurn, andThen, type Awaitable } from '../../lib/async.ts';
import { addEvent } from '../app/log.ts';
import { sourceMemoryWrites } from '../sources/source-memories.ts';
import type { Connection } from '../sql/query.ts';
import { deleteRows } from '../sql/row-queries.ts';
import { OWNED_TABLES } from '../sql/tables/account-tables.ts';
import { accountWrites, missingMemories, unknownAccount } from './accounts.ts';

/** Which memories of an account to delete. */
export interface Deletion {
  readonly account_id: string;
  readonly ids: readonly string[];
  /** Who deletes them, for the log of the account. Default: nothing is logged. */
  readonly agent?: string | undefined;
}

/**
 * Deletes memories, which no source counts as its own any more, and notes that in the log of the account: all of it, or
 * nothing. `remove` deletes a memory, and returns whether it existed. Throws `Refusal` if the account or one of the memories does not exist.
 */
export function eraseMemories(
  connection: Connection,
  { account_id, ids, agent }: Deletion,
  remove: (id: string) => Awaitable<boolean>,
): Awaitable<void> {
  const all = [...new Set(ids)];
  const missing: string[] = [];
  const removed = andThen(accountWrites(connection).require(account_id), () =>
    eachInTurn(all, (id) =>
      andThen(remove(id), (isGone) => {
        if (!isGone) missing.push(id);
      }),
    ),
  );
  return andThen(removed, () => {
    if (missing.length > 0) throw missingMemories(account_id, missing);
    return andThen(sourceMemoryWrites(connection).disown(account_id, all), () => {
      if (agent === undefined) return;
      const subject = String(all.length);
      return addEvent(connection, { account_id, kind: 'memories-deleted', subject, agent });
    });
  });
}

const removals = OWNED_TABLES.toReversed().map((table) =>
  deleteRows(table as 'api_keys', ['account_id']),
);

/** Removes what a copy has noted of an account. Only a database that was copied has this table. */
const removeCopied = deleteRows('copies', ['account_id']);

const removeAccount = deleteRows('accounts', ['id']);

/**
 * Removes an account that has no memories any more, with its keys, sessions, ways to sign in, sources and
 * changes, in the transaction of the connection. `isCopied`: whether the database has the journal of `copy`. Throws `Refusal` if it does not exist.
 */
export function removeOwner(
  { prepare }: Connection,
  account_id: string,
  isCopied: boolean,
): Awaitable<void> {
  const all = isCopied ? [...removals, removeCopied] : removals;
  const emptied = eachInTurn(all, (removal) =>
    andThen(prepare(removal).run({ account_id }), () => undefined),
  );
  return andThen(emptied, () =>
    andThen(prepare(removeAccount).run({ id: account_id }), (removed) => {
      if (removed !== 1) throw unknownAccount(account_id);
    }),
  );
}

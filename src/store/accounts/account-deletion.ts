// Deletes an account with everything that belongs to it, except its memories, which each engine erases itself.

import { eachInTurn, andThen, type Awaitable } from '../../lib/async.ts';
import { OWNED_TABLES } from '../sql/account-tables.ts';
import type { Connection } from '../sql/query.ts';
import { deleteRows } from '../sql/row-queries.ts';
import { unknownAccount } from './accounts.ts';

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

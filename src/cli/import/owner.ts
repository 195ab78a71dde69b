// Chooses the account of each imported memory.

import type { Memory } from '../../contract/schemas/memory.ts';
import { noAccount } from '../args/account.ts';
import { UsageError } from '../args/parse.ts';

/** Returns the account of a memory, or the reason why it has none. */
export type ChooseAccount = (memory: Memory) => string | { readonly reason: string };

/**
 * Creates the function that chooses an account: `--account`, otherwise the memory's `user_id`,
 * otherwise the only account. If that decides nothing, it throws `UsageError` for the first memory and
 * rejects later ones. Throws `Refusal` if there is no account at all.
 */
export function createAccountChooser(
  given: string | undefined,
  accounts: readonly string[],
): ChooseAccount {
  if (given !== undefined) return () => given;
  const [only] = accounts;
  if (only === undefined) throw noAccount();
  const known = new Set(accounts);
  let isFirstMemory = true;
  return ({ user_id }) => {
    const isFirst = isFirstMemory;
    isFirstMemory = false;
    if (known.has(user_id)) return user_id;
    if (user_id !== '') return { reason: unknown(user_id) };
    if (accounts.length === 1) return only;
    if (isFirst)
      throw new UsageError(
        `Give --account ACCOUNT: the file does not name an account, and there are ${accounts.length} accounts.`,
      );
    return { reason: 'it names no account; give --account' };
  };
}

function unknown(user_id: string): string {
  return `there is no account ${JSON.stringify(user_id).slice(0, 130)}; create it with "accounts create NAME --id ID", or give --account`;
}

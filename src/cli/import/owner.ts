// Whose the memories of an import are.

import type { Memory } from '../../contract/memory.ts';
import { noAccount } from '../account.ts';
import { Mistake } from '../args.ts';

/** Tells the account that a memory goes to, or why there is none. */
export type Owner = (memory: Memory) => string | { readonly reason: string };

/**
 * Decides by `--account`; else by the memory, if it says whose it is; else there must be but one
 * account. Where that leaves it open, the first memory of all is a `Mistake`, and a later one is
 * rejected. Fails with `Refusal` where there is no account at all.
 */
export function chooseOwner(given: string | undefined, accounts: readonly string[]): Owner {
  if (given !== undefined) return () => given;
  const [only] = accounts;
  if (only === undefined) throw noAccount();
  const known = new Set(accounts);
  let isFirst = true;
  return ({ user_id }) => {
    const mayFail = isFirst;
    isFirst = false;
    if (known.has(user_id)) return user_id;
    if (user_id !== '') return { reason: unknown(user_id) };
    if (accounts.length === 1) return only;
    if (mayFail)
      throw new Mistake(
        `Give --account ID: nothing in the file says whose memories these are, and there are ${accounts.length} accounts.`,
      );
    return { reason: 'nothing says whose it is; give --account' };
  };
}

function unknown(user_id: string): string {
  return `there is no account ${JSON.stringify(user_id).slice(0, 130)}; create it with "accounts create NAME --id ID", or give --account`;
}

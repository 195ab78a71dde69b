// Whose the memories of an import are.

import type { Memory } from '../../contract/memory.ts';
import { Mistake } from '../args.ts';

/** Tells the account that a memory goes to, or why there is none. */
export type Owner = (memory: Memory) => string | { readonly reason: string };

/**
 * Decides by `--account`; else by the memory, if it says whose it is; else there must be but one
 * account. Fails with `Mistake` where that leaves it open.
 */
export function chooseOwner(given: string | undefined, accounts: readonly string[]): Owner {
  if (given !== undefined) return () => given;
  const known = new Set(accounts);
  return ({ user_id }) => {
    if (known.has(user_id)) return user_id;
    if (user_id !== '')
      return {
        reason: `there is no account ${JSON.stringify(user_id).slice(0, 130)}; create it with "accounts create NAME --id ID", or give --account`,
      };
    const [only] = accounts;
    if (only !== undefined && accounts.length === 1) return only;
    throw new Mistake(
      `Give --account ID: nothing in the file says whose memories these are, and there are ${accounts.length} accounts.`,
    );
  };
}

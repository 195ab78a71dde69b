// Finds the account that a command works on: the one in --account, or the only one.

import { unknownAccount } from '../../store/accounts/accounts.ts';
import type { Snapshot } from '../../store/engine.ts';
import { Refusal } from '../../store/refusal.ts';
import type { Args } from './args.ts';
import { UsageError } from './parse.ts';

/** How many account ids an error message lists. */
const LISTED_IDS = 10;

/**
 * Finds the account that a command works on. Throws `UsageError` if it could be any of several accounts,
 * and `Refusal` if the account does not exist.
 */
export function findAccount({ accounts }: Snapshot, args: Args): Snapshot['accounts'][number] {
  const id = args.text('account');
  const [only, ...others] = id === undefined ? accounts : accounts.filter((each) => each.id === id);
  if (only === undefined && id !== undefined) throw unknownAccount(id);
  if (only === undefined) throw noAccount();
  if (others.length === 0) return only;
  const ids = accounts.slice(0, LISTED_IDS).map((each) => each.id);
  const more = accounts.length > LISTED_IDS ? ', …' : '';
  throw new UsageError(`Give --account ID, one of ${ids.join(', ')}${more}.`);
}

/** Creates the error for a database without accounts. */
export function noAccount(): Refusal {
  return new Refusal('There is no account yet; create one with "accounts create NAME".');
}

// The account that is meant: the one that was named, or the only one.

import { unknownAccount } from '../store/accounts.ts';
import { Refusal } from '../store/refusal.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { Mistake, type Args } from './args.ts';

/** So many are named where one has to be chosen. */
const SHOWN = 10;

/** Finds the account that is meant. Fails with `Mistake` when it could be any of several, with `Refusal` when there is none. */
export function findAccount({ accounts }: Snapshot, args: Args): Snapshot['accounts'][number] {
  const id = args.text('account');
  const [only, ...others] = id === undefined ? accounts : accounts.filter((each) => each.id === id);
  if (only === undefined && id !== undefined) throw unknownAccount(id);
  if (only === undefined) throw noAccount();
  if (others.length === 0) return only;
  const ids = accounts.slice(0, SHOWN).map((each) => each.id);
  const more = accounts.length > SHOWN ? ', …' : '';
  throw new Mistake(`Give --account ID, one of ${ids.join(', ')}${more}.`);
}

/** The refusal of a database that has no account. */
export function noAccount(): Refusal {
  return new Refusal('There is no account yet; "accounts create" makes one.');
}

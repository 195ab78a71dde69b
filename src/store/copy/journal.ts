// The journal of copies, the table `copies` of a target: which accounts copies have put there, and how they left them.

import { Refusal } from '../refusal.ts';
import { build } from '../sql/query.ts';
import { change, find, type CopySide } from './tables.ts';

/**
 * Reads the entry of an account. Resolves with the digests of a finished account, null for an unfinished one, and
 * undefined for one that no copy created.
 */
export async function leftAs(
  target: CopySide,
  account_id: string,
): Promise<LeftAs | null | undefined> {
  const entry = build.selectFrom('copies').selectAll().where('account_id', '=', account_id);
  const [found] = await find(target, entry);
  if (found === undefined) return undefined;
  if (found.left_as === null) return null;
  const [owner = '', all] = found.left_as.split(' ');
  return { owner, all };
}

/** The digests of an account as a copy has left it. */
export interface LeftAs {
  readonly owner: string;
  /** Of all its rows: some change without a new revision, as those in the bin. Earlier programs did not note it. */
  readonly all: string | undefined;
}

/** Locks an account for this run until the transaction ends. Rejects with `Refusal` if another run has taken it over. */
export async function claim(
  { target, run }: { readonly target: CopySide; readonly run: string },
  account_id: string,
): Promise<void> {
  const own = build.updateTable('copies').set({ run }).where('account_id', '=', account_id);
  if ((await change(target, own.where('run', '=', run))) === 1) return;
  if ((await leftAs(target, account_id)) === undefined) throw undone(target);
  throw new Refusal(
    `Another copy to ${target.name} has taken over this account. Let that copy finish.`,
  );
}

/** Creates the error of a run whose entry in the journal is gone. */
export function undone({ name }: CopySide): Refusal {
  return new Refusal(`A restore of ${name} has undone a part of this copy; copy again.`);
}

// The copy journal in the target: which accounts a copy created, so that no other data is overwritten.

import { Refusal } from '../refusal.ts';
import { build } from '../sql/query.ts';
import type { CopyTable } from '../sql/tables.ts';
import { ownerDigest, type CopiedAccount } from './digest.ts';
import { change, find, type CopySide, type CopyTarget } from './tables.ts';

/** The journal as one run of a copy uses it. */
export type Journal = ReturnType<typeof openJournal>;

/** Opens the journal for a run. The target must have the journal table. */
export function openJournal(target: CopyTarget, run: string) {
  const write = (entry: CopyTable) =>
    change(
      target,
      build
        .insertInto('copies')
        .values(entry)
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(entry)),
    );
  /** Returns the digest of a finished account, null for an unfinished one, undefined for one that no copy created. */
  const finishedDigest = async (account_id: string): Promise<string | null | undefined> => {
    const entry = build.selectFrom('copies').selectAll().where('account_id', '=', account_id);
    return (await find(target, entry))[0]?.left_as;
  };
  const undone = () =>
    new Refusal(`A restore of ${target.name} has undone a part of this copy; copy again.`);
  return {
    finishedDigest,
    begin: (account_id: string) => write({ account_id, run, left_as: null }),
    /** Locks an account for this run until the transaction ends. Rejects with `Refusal` if another run has taken it over. */
    async claim(account_id: string): Promise<void> {
      const own = build.updateTable('copies').set({ run }).where('account_id', '=', account_id);
      if ((await change(target, own.where('run', '=', run))) === 1) return;
      if ((await finishedDigest(account_id)) === undefined) throw undone();
      throw new Refusal(
        `Another copy to ${target.name} has taken over this account. Let that copy finish.`,
      );
    },
    /** Records that an account is complete, with its digest. */
    async end(account_id: string): Promise<void> {
      const { sha256: left_as } = await ownerDigest(target, account_id);
      await write({ account_id, run, left_as });
    },
    /** Rejects with `Refusal` if the target has accounts that no copy of this source created, or that changed since. */
    async requireOnlyCopies(there: readonly CopiedAccount[], wanted: readonly CopiedAccount[]) {
      const created = new Map(wanted.map(({ id, created_at }) => [id, created_at]));
      for (const { id, created_at } of there) {
        const left = await finishedDigest(id);
        if (left === undefined)
          throw notEmpty(`${target.name} already has accounts, such as ${id}.`);
        if (created.get(id) !== created_at)
          throw notEmpty(`${target.name} has account ${id} from a copy of another database.`);
        if (left !== null && left !== (await ownerDigest(target, id)).sha256)
          throw notEmpty(
            `Account ${id} in ${target.name} has changed since it was copied, and another copy would undo that.`,
          );
      }
    },
    /** Rejects with `Refusal` if a restore of the target has removed accounts that were complete. */
    async requireFinished(source: CopySide, accounts: readonly CopiedAccount[]): Promise<void> {
      for (const { id } of accounts)
        if ((await finishedDigest(id)) !== (await ownerDigest(source, id)).sha256) throw undone();
    },
  };
}

function notEmpty(why: string): Refusal {
  return new Refusal(`${why} Copy to a database without accounts.`);
}

// The copy journal in the target: which accounts a copy created, so that no other data is overwritten.

import { Refusal } from '../refusal.ts';
import { query, build, type Slot } from '../sql/query.ts';
import type { CopyTable } from '../sql/tables.ts';
import { ownerDigest } from './digest.ts';
import type { CopySide, CopyTarget } from './side.ts';

const find = query((slot: Slot<{ account_id: string }>) =>
  build
    .selectFrom('copies')
    .select(['account_id', 'run', 'left_as'])
    .where('account_id', '=', slot('account_id')),
);

const begin = query((slot: Slot<Pick<CopyTable, 'account_id' | 'run'>>) =>
  build
    .insertInto('copies')
    .values({ account_id: slot('account_id'), run: slot('run'), left_as: null })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((eb) => ({ run: eb.ref('excluded.run'), left_as: null })),
    ),
);

const claim = query((slot: Slot<Pick<CopyTable, 'account_id' | 'run'>>) =>
  build
    .updateTable('copies')
    .set({ run: slot('run') })
    .where('account_id', '=', slot('account_id'))
    .where('run', '=', slot('run')),
);

const end = query((slot: Slot<Omit<CopyTable, 'run'>>) =>
  build
    .updateTable('copies')
    .set({ left_as: slot('left_as') })
    .where('account_id', '=', slot('account_id')),
);

/** The journal as one run of a copy uses it. */
export type Journal = ReturnType<typeof openJournal>;

/** Opens the journal for a run. The target must have the journal table. */
export function openJournal(target: CopyTarget, run: string) {
  const { prepare } = target.connection;
  const held = {
    find: prepare(find),
    begin: prepare(begin),
    claim: prepare(claim),
    end: prepare(end),
  };
  return {
    /** Returns the digest of a finished account, null for an unfinished one, undefined for one that no copy created. */
    finishedDigest: async (account_id: string) => (await held.find.get({ account_id }))?.left_as,
    begin: (account_id: string) => held.begin.run({ account_id, run }),
    /** Locks an account for this run until the transaction ends. Rejects with `Refusal` if another run has taken it over. */
    async claim(account_id: string): Promise<void> {
      if ((await held.claim.run({ account_id, run })) === 1) return;
      if ((await held.find.get({ account_id })) === undefined) throw undoneCopy(target);
      throw new Refusal(
        `Another copy to ${target.name} has taken over this account. Let that copy finish.`,
      );
    },
    /** Records that an account is complete, with its digest. */
    async end(account_id: string): Promise<void> {
      const { sha256: left_as } = await ownerDigest(target, account_id);
      await held.end.run({ account_id, left_as });
    },
  };
}

/** Rejects with `Refusal` if the target has accounts that no copy of this source created, or that changed since. */
export async function requireOnlyCopies(
  source: CopySide,
  target: CopyTarget,
  journal: Journal,
): Promise<void> {
  for await (const page of target.reads.accounts())
    for (const { id, created_at } of page) {
      const left = await journal.finishedDigest(id);
      if (left === undefined)
        throw new Refusal(
          `${target.name} already has accounts, such as ${id}. Copy to a database without accounts.`,
        );
      if ((await source.reads.account(id))?.created_at !== created_at)
        throw new Refusal(
          `${target.name} has account ${id} from a copy of another database. Copy to a database without accounts.`,
        );
      if (left !== null && left !== (await ownerDigest(target, id)).sha256)
        throw new Refusal(
          `Account ${id} in ${target.name} has changed since it was copied, and another copy would undo that. Copy to a database without accounts.`,
        );
    }
}

/** Rejects with `Refusal` if a restore of the target has removed accounts that were complete. */
export async function requireFinished(
  source: CopySide,
  target: CopyTarget,
  journal: Journal,
): Promise<void> {
  await target.connection.transaction(async () => {
    for await (const page of source.reads.accounts())
      for (const { id } of page)
        if ((await journal.finishedDigest(id)) !== (await ownerDigest(source, id)).sha256)
          throw undoneCopy(target);
  });
}

function undoneCopy({ name }: CopyTarget): Refusal {
  return new Refusal(`A restore of ${name} has undone a part of this copy; copy again.`);
}

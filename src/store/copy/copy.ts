// Copies a database into another, between any engines. Resumable; reports only what it verified on both sides.

import { createHash, randomUUID } from 'node:crypto';

import { engineOf } from '../engines.ts';
import type { Stage } from '../progress.ts';
import { Refusal } from '../refusal.ts';
import { copyAccount } from './account.ts';
import type { AccountDigest } from './digest.ts';
import { openJournal, requireFinished, requireOnlyCopies } from './journal.ts';
import type { CopySide, CopyTarget } from './side.ts';

/** The result of a copy: what both sides now hold, and how many memories had to be sent. */
export interface CopyResult extends AccountDigest {
  readonly accounts: number;
  readonly sent: number;
}

/** The two databases of a copy. */
export interface CopyOptions {
  readonly from: string;
  readonly to: string;
  readonly stage: Stage;
}

/**
 * Copies accounts, keys, memories and the feed of one snapshot, and compares both sides. Creates the
 * target if there is none, and resumes a copy that was killed. Never changes the source. Rejects with
 * `Refusal`.
 */
export async function copyDatabase(options: CopyOptions): Promise<CopyResult & { at: number }> {
  const { from, to, stage } = options;
  const source = engineOf(from);
  if (from === to || source.owns(to))
    throw new Refusal(`${to} is the source of this copy. Name another database as the target.`);
  return source.copyFrom((side, at) =>
    engineOf(to).copyInto(async (target) => ({ ...(await copyAll(side, target, stage)), at })),
  );
}

/** Copies the source's current state. Rejects with `Refusal`; the next run continues from there. */
export async function copyAll(
  source: CopySide,
  target: CopyTarget,
  stage: Stage,
): Promise<CopyResult> {
  const journal = openJournal(target, randomUUID());
  await target.connection.transaction(async () => {
    await target.createJournalTable();
    await requireOnlyCopies(source, target, journal);
  });
  const total = await source.reads.total();
  return stage({ total, unit: 'memories' }, async (show) => {
    const all = createHash('sha256');
    const sum = { accounts: 0, keys: 0, memories: 0, changes: 0 };
    let [done, sent] = [0, 0];
    const onProgress = (more: { readonly memories: number; readonly sent: number }) => {
      show((done += more.memories));
      sent += more.sent;
    };
    for await (const page of source.reads.accounts())
      for (const account of page) {
        const copied = await copyAccount({ source, target, journal, onProgress }, account);
        all.update(copied.sha256);
        sum.accounts++;
        for (const what of ['keys', 'memories', 'changes'] as const) sum[what] += copied[what];
      }
    await requireFinished(source, target, journal);
    return { ...sum, sent, sha256: all.digest('hex') };
  });
}

// Copies all of one database into another, whatever their engines: begun again it goes on, and nothing is told to be there that is not.

import { createHash, randomUUID } from 'node:crypto';

import type { Stage } from '../stage.ts';
import { copyAccount } from './account.ts';
import type { Digest } from './digest.ts';
import { notesOf, requireOwn } from './notes.ts';
import type { Side, Target } from './side.ts';

/** What was copied: what both sides have, and how much of it had to be sent. */
export interface Copied extends Digest {
  readonly accounts: number;
  readonly sent: number;
}

/** Copies what the source has now. Fails with `Refusal`; what was done by then is there at the next run. */
export async function copyAll(source: Side, target: Target, stage: Stage): Promise<Copied> {
  const notes = notesOf(target, randomUUID());
  await target.connection.transaction(async () => {
    await target.makeNotes();
    await requireOwn(source, target, notes);
  });
  const total = await source.reads.total();
  return stage({ total, unit: 'memories' }, async (show) => {
    const all = createHash('sha256');
    const sum = { accounts: 0, keys: 0, memories: 0, changes: 0 };
    let [done, sent] = [0, 0];
    const to = (more: { readonly memories: number; readonly sent: number }) => {
      show((done += more.memories));
      sent += more.sent;
    };
    for await (const page of source.reads.accounts())
      for (const account of page) {
        const copied = await copyAccount({ source, target, notes, to }, account);
        all.update(copied.sha256);
        sum.accounts++;
        for (const what of ['keys', 'memories', 'changes'] as const) sum[what] += copied[what];
      }
    return { ...sum, sent, sha256: all.digest('hex') };
  });
}

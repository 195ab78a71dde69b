// Watches a folder in rounds: looks at it, reads what is complete, and rests.

import { existsSync } from 'node:fs';

import { Refusal } from '../../store/refusal.ts';
import { rest } from '../rest.ts';
import type { FolderWatch } from './folder-watch.ts';
import { isFolder, lookAt } from './look.ts';
import { orderSuspects } from './suspects.ts';
import { runSession } from './watch-session.ts';

/** How often the database learns that the watch is at work. A restored database is noticed then, too. */
const HEARTBEAT_MS = 300_000;

/**
 * The time between two looks is at least this often the time that a look takes. Measured: a look at
 * 100,000 files takes 2 to 5 s of CPU time, so it uses less than a tenth of a core.
 */
const LOOK_SHARE = 10;

/** How many files are read before the database is closed and opened again. */
const SESSION_FILES = 1000;

/** Watches until `stop` is aborted. */
export async function watchInRounds(watch: FolderWatch): Promise<void> {
  const { candidates, stop } = watch;
  let lookAgainAt = -Infinity;
  let beatAt = performance.now() + HEARTBEAT_MS;
  while (!stop.aborted) {
    const now = performance.now();
    if (now >= lookAgainAt) {
      await lookAt(watch);
      const took = performance.now() - now;
      lookAgainAt = performance.now() + Math.max(watch.intervalMs, LOOK_SHARE * took);
    }
    const due = orderSuspects(watch, candidates.due(performance.now())).slice(0, SESSION_FILES);
    if (due.length > 0 || performance.now() >= beatAt || watch.lacksVectors) {
      if (await runSession(watch, due, lookAgainAt)) lookAgainAt = -Infinity;
      beatAt = performance.now() + HEARTBEAT_MS;
    }
    const wakeAt = Math.min(lookAgainAt, candidates.nextAt(), beatAt);
    await rest(wakeAt - performance.now(), stop);
  }
}

/** Looks once, waits until what is there is complete, and reads that. */
export async function watchOnce(watch: FolderWatch, settleMs: number): Promise<void> {
  const { candidates, stop } = watch;
  await lookAt(watch);
  if (candidates.counts().pending === 0 || stop.aborted) return;
  // The clocks of timers and of this differ by less than a millisecond.
  await rest(settleMs + 1, stop);
  const due = orderSuspects(watch, candidates.due(performance.now()));
  for (let i = 0; i < due.length && !stop.aborted; i += SESSION_FILES)
    await runSession(watch, due.slice(i, i + SESSION_FILES));
}

/** Starts the run of a watch. Rejects with `Refusal` if its folder is missing. */
export async function beginWatch(watch: FolderWatch): Promise<void> {
  const { folder } = watch;
  if (!(await isFolder(folder)))
    throw new Refusal(
      existsSync(folder)
        ? `${folder} is not a folder; name the folder around it, or import the file.`
        : `There is no folder ${folder}; check the name, or mount its share.`,
    );
  await runSession(watch, []);
}

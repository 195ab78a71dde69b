// Waits that end early by a signal.

import { setTimeout as sleep } from 'node:timers/promises';

import { DAY_MS } from '../lib/time.ts';

/** Waits, at most until the signal is aborted. Waits day by day, because a timer of more than 24.8 days ends at once. */
export async function rest(ms: number, signal: AbortSignal): Promise<void> {
  for (let left = ms; left > 0 && !signal.aborted; left -= DAY_MS)
    await sleep(Math.min(left, DAY_MS), undefined, { signal }).catch(() => {});
}

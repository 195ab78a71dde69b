// Waits in tests until something has happened.

import { setTimeout as sleep } from 'node:timers/promises';

/** Looks again and again until something is so, for `ms` at most. Default: until the test is over time. */
export async function until(isSo: () => boolean | Promise<boolean>, ms = Infinity): Promise<void> {
  const ends = performance.now() + ms;
  while (!(await isSo()) && performance.now() < ends) await sleep(20);
}

// The queue: connections that the first process has accepted and that no worker has been dealt yet.

import { setTimeout as sleep } from 'node:timers/promises';

import type { Forked } from './fork.ts';

/** Workers that take nothing for so long hang, or more comes than they can take. */
const LONGEST_MS = 2000;

/** Tells whether there may be any: one that is free to take a connection has been dealt the next. */
export function isQueued(serving: ReadonlySet<Pick<Forked, 'isTaking'>>): boolean {
  return serving.size > 0 && Array.from(serving).every((forked) => forked.isTaking());
}

/** Waits for a moment in which there is none: node:cluster closes them, unanswered, with the last worker. */
export async function emptyQueue(serving: ReadonlySet<Pick<Forked, 'isTaking'>>): Promise<void> {
  const ends = performance.now() + LONGEST_MS;
  while (isQueued(serving) && performance.now() < ends) await sleep(1);
}

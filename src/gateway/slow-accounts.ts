// Slow accounts: an account whose request has held the event loop for long gets one request at a time for a while.

import { setTimeout as sleep } from 'node:timers/promises';

import type { Awaitable } from '../lib/async.ts';
import { createQueues } from '../lib/queue.ts';
import { callerLeft } from './request/aborted.ts';
import type { NextTurn } from './scheduler.ts';

/** How long a request holds the event loop before its account counts as slow: a memory of about 10 MB. */
const SLOW_MS = 50;
/** How long the account then counts as slow. */
const REMEMBERED_MS = 5000;
/** The pause before each of its requests. Node accepts one connection in a turn of the event loop, so others need several. */
const PAUSE_MS = 10;
/** The most accounts that are remembered. */
const MOST = 1000;

/** Who sent a request, and whether it is still wanted. */
interface Sender {
  readonly account_id: string;
  readonly isAborted: () => boolean;
}

/** The slow accounts of a gateway. Times are of the monotonic clock, in milliseconds. */
export interface SlowAccounts {
  /** Runs a request at once, or in turn if its account is slow. */
  readonly run: <T>(sender: Sender, run: () => Awaitable<T>) => Awaitable<T>;
}

/**
 * Creates the register of slow accounts. Without it, requests of others wait for all that have arrived
 * before: 20 at a time for a memory of 60 MB took 6 seconds.
 */
export function createSlowAccounts(nextTurn: NextTurn): SlowAccounts {
  const slowUntil = new Map<string, number>();
  const enter = createQueues();

  return {
    run(sender, run) {
      const started = performance.now();
      if (isSlow(sender.account_id, started)) return runInTurn(sender, run);
      try {
        return run();
      } finally {
        note(sender.account_id, started);
      }
    },
  };

  function isSlow(account_id: string, now: number): boolean {
    if (slowUntil.size === 0) return false;
    const until = slowUntil.get(account_id);
    if (until === undefined) return false;
    if (now < until) return true;
    slowUntil.delete(account_id);
    return false;
  }

  /** Runs a request when those of its account before it have ended and other accounts have had a turn. */
  async function runInTurn<T>(
    { account_id, isAborted }: Sender,
    run: () => Awaitable<T>,
  ): Promise<T> {
    const leave = await enter(account_id);
    try {
      await sleep(PAUSE_MS);
      await nextTurn();
      if (isAborted()) throw callerLeft();
      const since = performance.now();
      const result = run();
      note(account_id, since);
      return await result;
    } finally {
      leave();
    }
  }

  /** Notes that a request of an account has held the event loop since a time. */
  function note(account_id: string, since: number): void {
    const now = performance.now();
    if (now - since < SLOW_MS) return;
    if (slowUntil.size >= MOST) slowUntil.clear();
    slowUntil.set(account_id, now + REMEMBERED_MS);
  }
}

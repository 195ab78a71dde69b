// Fair share of time: divides the event loop, so that no account holds up the requests of others.

import { setImmediate as nextImmediate, setTimeout as sleep } from 'node:timers/promises';

import type { Awaitable } from '../../lib/async.ts';
import { createQueues } from '../../lib/queue.ts';
import type { Store } from '../../store/store.ts';
import { callerLeft, hasLeft, type Transport } from '../request/transport.ts';

/** How long the requests that have arrived together run before the event loop continues. */
const BATCH_MS = 5;
/** How long work in steps runs before the event loop continues. The step that crosses it takes up to 6 ms more. */
const SLICE_MS = 3;
/** How long a request holds the event loop before its account pauses: a memory of about 10 MB. */
const SLOW_MS = 50;
/** The pause after such a request. Node accepts one connection in a turn of the event loop, so others need several. */
const PAUSE_MS = 10;
/** The most slow accounts that are remembered. */
const MAX_SLOW = 1000;

/**
 * Work in steps. It yields a promise to wait for, or any other value as a place where it can pause, and
 * gets back the value or what the promise resolved with.
 */
export type Steps<T> = Generator<unknown, T, unknown>;

/** Waits for a value within steps, and pauses there if the slice is used up. */
export function* step<T>(value: Awaitable<T>): Generator<unknown, T, unknown> {
  return (yield value) as T;
}

/** Runs work, which never throws, at the end of the current turn of the event loop. */
export type Schedule = (work: () => void) => void;

/** Resolves when other requests have had a turn. */
export type NextTurn = () => Promise<void>;

/** Who does the work, and whether somebody still wants it. */
export interface Worker {
  readonly caller: { readonly account_id: string };
  readonly transport: Transport;
}

/** Runs steps to their end. Work that takes less than a slice is done when it returns. */
export type RunSteps = <T>(worker: Worker, steps: Steps<T>) => Awaitable<T>;

/** How the requests of a gateway share the event loop. */
export interface FairTime {
  readonly schedule: Schedule;
  readonly nextTurn: NextTurn;
  /** Runs a request at once, or in turn if its account is slow. */
  readonly run: <T>(worker: Worker, work: () => Awaitable<T>) => Awaitable<T>;
  readonly runSteps: RunSteps;
}

/** Creates the shares of a gateway. Accounts whose requests are short take no memory. */
export function createFairTime(store: Pick<Store, 'readTransaction'>): FairTime {
  const { schedule, nextTurn } = createBatches(store);
  return { schedule, nextTurn, run: createRun(nextTurn), runSteps: createRunSteps(nextTurn) };
}

/**
 * Creates the batches. All requests of a turn of the event loop share one read transaction, which is no older than
 * the latest of them. With 16 connections that each request one memory, that saved 40 % of the time.
 */
function createBatches(store: Pick<Store, 'readTransaction'>): {
  readonly schedule: Schedule;
  readonly nextTurn: NextTurn;
} {
  let waiting: (() => void)[] = [];
  let batch: (() => void)[] = [];
  let done = 0;
  let lastTurn: Promise<void> = Promise.resolve();

  function runWaiting(): void {
    if (waiting.length === 0) return; // a turn of long work has run it
    [batch, waiting, done] = [waiting, [], 0];
    try {
      if (store.readTransaction) store.readTransaction(runBatch);
      else runBatch();
    } finally {
      if (done < batch.length) {
        if (waiting.length === 0) setImmediate(runWaiting);
        waiting = [...batch.slice(done), ...waiting];
      }
    }
  }

  function runBatch(): void {
    const end = performance.now() + BATCH_MS;
    do batch[done++]?.();
    while (done < batch.length && performance.now() < end);
  }

  async function letOthersRun(): Promise<void> {
    await nextImmediate();
    runWaiting(); // requests that have arrived meanwhile come first
  }

  return {
    schedule(work) {
      if (waiting.push(work) === 1) setImmediate(runWaiting);
    },
    // A reader in the same process runs on microtasks, which would starve the sockets. One turn at a time,
    // because Node runs all immediates that wait before it looks at its sockets again.
    nextTurn: () => (lastTurn = lastTurn.then(letOthersRun)),
  };
}

/**
 * Creates the function that runs requests. If a request of an account has held the event loop for longer than a slice,
 * the account gets one request at a time until one takes less. Otherwise requests of others wait for all that have
 * arrived before: 64 lists that began at once took 0.3 seconds, and 20 at a time for a memory of 60 MB took 6 seconds.
 */
function createRun(nextTurn: NextTurn): FairTime['run'] {
  const slow = new Set<string>();
  const { enter } = createQueues();

  return (worker, work) => {
    const { account_id } = worker.caller;
    if (slow.has(account_id)) return runInTurn(worker, work);
    const since = performance.now();
    try {
      return work();
    } finally {
      if (note(account_id, since) > SLOW_MS) void enter(account_id).then(leaveLater);
    }
  };

  /**
   * Runs a request when those of its account before it have left the event loop and other accounts have had a turn.
   * Nobody waits for what a request waits for: behind a locked database, one at a time took a second each.
   */
  async function runInTurn<T>(worker: Worker, work: () => Awaitable<T>): Promise<T> {
    const { account_id } = worker.caller;
    const leave = await enter(account_id);
    let held = 0;
    try {
      await nextTurn();
      if (hasLeft(worker.transport)) throw callerLeft();
      const since = performance.now();
      const result = work();
      held = note(account_id, since);
      return result;
    } finally {
      if (held > SLOW_MS) void leaveLater(leave);
      else leave();
    }
  }

  /** Notes how long a request of an account has held the event loop, and returns it in milliseconds. */
  function note(account_id: string, since: number): number {
    const held = performance.now() - since;
    if (held <= SLICE_MS) slow.delete(account_id);
    else {
      if (slow.size >= MAX_SLOW) slow.clear();
      slow.add(account_id);
    }
    return held;
  }
}

async function leaveLater(leave: () => void): Promise<void> {
  await sleep(PAUSE_MS);
  leave();
}

/**
 * Creates the function that runs steps. Each account has one slice at a time, so an account with many searches
 * gets no more of the event loop than one with a single search.
 */
function createRunSteps(nextTurn: NextTurn): RunSteps {
  const { enter, busy } = createQueues();

  return (worker, steps) => {
    if (busy.has(worker.caller.account_id)) return runInSlices(worker, steps);
    const first = advance(steps, undefined);
    return first.isDone ? first.result : runInSlices(worker, steps, first.value);
  };

  async function runInSlices<T>(worker: Worker, steps: Steps<T>, reached?: unknown): Promise<T> {
    const leave = await enter(worker.caller.account_id);
    try {
      for (let value = reached; ;) {
        const given = await value;
        await nextTurn();
        if (hasLeft(worker.transport)) {
          steps.return(undefined as T);
          throw callerLeft();
        }
        const next = advance(steps, given);
        if (next.isDone) return next.result;
        ({ value } = next);
      }
    } finally {
      leave();
    }
  }
}

type Advanced<T> =
  | { readonly isDone: true; readonly result: T }
  | { readonly isDone: false; readonly value: unknown };

/** Runs steps until they end, wait for a promise, or have used up a slice. */
function advance<T>(steps: Steps<T>, given: unknown): Advanced<T> {
  const ends = performance.now() + SLICE_MS;
  for (let value = given; ;) {
    const next = steps.next(value);
    if (next.done === true) return { isDone: true, result: next.value };
    ({ value } = next);
    if (value instanceof Promise || performance.now() > ends) return { isDone: false, value };
  }
}

/** Schedules work and returns its result. */
export function runScheduled<T>(schedule: Schedule, work: () => Awaitable<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    schedule(() => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    });
  });
}

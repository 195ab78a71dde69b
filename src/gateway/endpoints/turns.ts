// Turns: runs long work in slices between other requests, and the work of one account one after another.

import type { Awaitable } from '../../lib/async.ts';
import { callerLeft } from '../request/aborted.ts';
import type { NextTurn } from '../scheduler.ts';

/**
 * Work in steps. It yields a promise to wait for, or any other value as a place where it can pause, and
 * gets back the value or what the promise resolved with.
 */
export type Steps<T> = Generator<unknown, T, unknown>;

/** Waits for a value within steps, and pauses there if the turn is over. */
export function* step<T>(value: Awaitable<T>): Generator<unknown, T, unknown> {
  return (yield value) as T;
}

/** Who does the work, and whether somebody still wants it. */
export interface Worker {
  readonly account_id: string;
  readonly isAborted: () => boolean;
}

/** Runs steps to their end. Work that takes less than a turn is done when it returns. */
export type RunInTurns = <T>(worker: Worker, steps: Steps<T>) => Awaitable<T>;

/** How long work runs before the event loop continues. The step that crosses it takes up to 6 ms more. */
const TURN_MS = 3;

/**
 * Creates the function that runs work in turns. Each account has one turn at a time, so an account with
 * many searches gets no more of the event loop than one with a single search.
 */
export function createRunInTurns(nextTurn: NextTurn): RunInTurns {
  const latest = new Map<string, Promise<unknown>>();

  return <T>({ account_id, isAborted }: Worker, steps: Steps<T>): Awaitable<T> => {
    const before = latest.get(account_id);
    const first = before === undefined ? advance(steps, undefined) : undefined;
    if (first?.isDone === true) return first.result;
    const running = finish(first?.value, before);
    const ended = running.then(forget, forget);
    latest.set(account_id, ended);
    return running;

    function forget(): void {
      if (latest.get(account_id) === ended) latest.delete(account_id);
    }

    async function finish(value: unknown, previous: Promise<unknown> | undefined): Promise<T> {
      await previous;
      for (let given = value; ;) {
        given = await given;
        await nextTurn();
        if (isAborted()) {
          steps.return(undefined as T);
          throw callerLeft();
        }
        const next = advance(steps, given);
        if (next.isDone) return next.result;
        given = next.value;
      }
    }
  };
}

type Advanced<T> =
  | { readonly isDone: true; readonly result: T }
  | { readonly isDone: false; readonly value: unknown };

/** Runs steps until they end, wait for a promise, or have used up a turn. */
function advance<T>(steps: Steps<T>, given: unknown): Advanced<T> {
  const ends = performance.now() + TURN_MS;
  for (let value = given; ;) {
    const next = steps.next(value);
    if (next.done === true) return { isDone: true, result: next.value };
    ({ value } = next);
    if (value instanceof Promise || performance.now() > ends) return { isDone: false, value };
  }
}

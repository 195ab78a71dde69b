// Until: work that nobody waits for any longer than its signal says.

import { aborted } from './failure.ts';

/** Waits for work, or rejects with the failure of a call that its signal ended when that comes first. */
export async function until<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () => reject(aborted(signal));
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  // A signal may live longer than its calls: nothing of them stays with it.
  return Promise.race([work, stopped]).finally(() => signal.removeEventListener('abort', stop));
}

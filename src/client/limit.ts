// The limit of a call: its time, and the signal of who called.

import { Failure } from '../contract/failure.ts';
import { pause } from '../contract/pause.ts';
import { until } from '../contract/until.ts';

/**
 * Does work until it is done, its time is up, or the signal of who called ends it. What the work has
 * still on its way then ends by the signal that it is given. `AbortSignal.any` over
 * `AbortSignal.timeout` would be shorter, but holds on to a long-lived signal until the time is up:
 * 0.7 kB for every call that is over long since.
 */
export async function within<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (limit: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const late = async () => {
    await pause(timeoutMs, limit.signal);
    throw tooLate(timeoutMs);
  };
  try {
    // Whatever a program's own functions and streams do with a signal, the call ends with it.
    return await until(signal, Promise.race([work(limit.signal), late()]));
  } finally {
    limit.abort();
  }
}

function tooLate(timeoutMs: number): Failure {
  const detail = `No whole answer came within ${timeoutMs} ms; ask for less, or raise timeoutMs.`;
  return new Failure(0, detail, { reason: 'timeout' });
}

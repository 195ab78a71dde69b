// Decides when to retry a request, and limits the time of a call.

import { abortable, delay } from '../contract/abort.ts';
import { Failure } from '../contract/failure.ts';
import type { ReceivedResponse } from './send.ts';

/** Statuses of temporary errors, of the gateway or of a proxy. All calls only read, so each can be repeated. */
const RETRIED_STATUSES = new Set([408, 429, 500, 502, 503, 504]);

const FIRST_DELAY_MS = 200;

/** Returns the milliseconds to wait before a retry, or 0 if a retry would change nothing. */
export function retryDelay(attempted: ReceivedResponse | Failure, attempt: number): number {
  // The random part spreads the retries of many clients after an outage.
  const backoff = FIRST_DELAY_MS * 2 ** attempt * (1 - Math.random() / 2);
  if (attempted instanceof Failure) return backoff; // a network error
  const { status, headers } = attempted.response;
  if (!RETRIED_STATUSES.has(status)) return 0;
  return Math.max(backoff, readRetryAfter(headers.get('retry-after') ?? ''));
}

/** Parses Retry-After (RFC 9110 §10.2.3), seconds or a date, to milliseconds from now. Returns 0 for other texts. */
export function readRetryAfter(text: string): number {
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return ms || 0; // NaN: neither seconds nor a date
}

/**
 * Runs `work` with a timeout and the caller's signal. The signal that `work` gets aborts whatever it
 * has not finished. `AbortSignal.any` with `AbortSignal.timeout` would be shorter. But it keeps 0.7 kB
 * per call on a long-lived signal until the timeout, even if the call has ended.
 */
export async function withTimeout<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (limit: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const expire = async () => {
    await delay(timeoutMs, limit.signal);
    throw timeoutFailure(timeoutMs);
  };
  try {
    // The call ends with the signal, even if the program's own fetch ignores it.
    return await abortable(signal, Promise.race([work(limit.signal), expire()]));
  } finally {
    limit.abort();
  }
}

function timeoutFailure(timeoutMs: number): Failure {
  const detail = `No complete response within ${timeoutMs} ms. Request less, or raise timeoutMs.`;
  return new Failure(0, detail, { reason: 'timeout' });
}

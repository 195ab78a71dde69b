// Retries: which outcomes may pass, and how long to wait before the next attempt.

import { Failure } from '../contract/failure.ts';
import type { Came } from './request.ts';

/** What a server in trouble answers, or a proxy before it; all our calls are reads, so each may be repeated. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

const FIRST_WAIT_MS = 200;

/** How many milliseconds to wait before trying again; 0 when that would change nothing. */
export function waitBefore(outcome: Came | Failure, attempt: number): number {
  // Halved at random, so that the clients of a server that comes back do not come back all at once.
  const wait = FIRST_WAIT_MS * 2 ** attempt * (1 - Math.random() / 2);
  if (outcome instanceof Failure) return wait; // of the network
  const { status, headers } = outcome.response;
  if (!PASSING.has(status)) return 0;
  return Math.max(wait, readRetryAfter(headers.get('retry-after') ?? ''));
}

/** Reads Retry-After (RFC 9110 §10.2.3), seconds or a date, as milliseconds from now. */
function readRetryAfter(text: string): number {
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return ms || 0; // neither
}

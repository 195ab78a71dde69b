// Rate limit: after N failed keys in a minute, an address gets 429 without a key look-up.

import { LRUCache } from 'lru-cache';

import { Failure } from '../../contract/failure.ts';
import { failure } from '../../contract/statuses.ts';
import { andThen } from '../../lib/async.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import { Refusal } from '../../store/refusal.ts';
import type { Authenticate } from './auth.ts';
import { isProxy, PROXY } from './client-ip.ts';

/** How many invalid keys an address may send. */
export interface ThrottleOptions {
  /** The number of 401 responses an address gets in a minute before it gets 429. 0 means no limit. */
  readonly perMinute: number;
  /**
   * The addresses of your reverse proxies, or ranges such as `10.0.0.0/8`. `X-Forwarded-For` is trusted
   * from these only. `unix` trusts connections without an address: use it only if your server listens on a
   * Unix socket and nowhere else. Default: none.
   */
  readonly proxies?: readonly string[] | undefined;
}

/** Validates the options. Returns undefined if there is no limit. Throws `Refusal`. */
export function readThrottle(options: ThrottleOptions | undefined): ThrottleOptions | undefined {
  if (options === undefined) return undefined;
  const { perMinute, proxies = [] } = options;
  if (!Number.isSafeInteger(perMinute) || perMinute < 0)
    throw new Refusal('throttle.perMinute takes a whole number, 0 for no limit.');
  if (!proxies.every(isProxy)) throw new Refusal(`throttle.proxies takes ${PROXY}.`);
  return perMinute === 0 ? undefined : options;
}

/** The 429 of an address that has sent too many invalid keys, or with another sentence of another limit. */
export class RateLimited extends Failure {
  /** Seconds until the caller may try again. */
  readonly retryAfter: number;

  constructor(retryAfter: number, detail = failure(429).detail) {
    super(429, detail);
    this.retryAfter = retryAfter;
  }
}

/** The number of addresses that are counted. Beyond it, the address that was refused longest ago is dropped. */
const MAX_ADDRESSES = 10_000;

/** How many 401s each address got in its current minute, which starts with the first of them. */
export type FailureCounts = LRUCache<string, { failed: number }>;

/**
 * Creates the counts. A timer for each address removes it when its minute is over, whether or not it
 * comes back, so that no address is stored for longer. The timers keep no process alive.
 */
export function createFailureCounts(): FailureCounts {
  // lru-cache measures with performance.now(), a monotonic clock. `ttlResolution: 0` reads it for every request.
  return new LRUCache({ max: MAX_ADDRESSES, ttl: MINUTE_MS, ttlAutopurge: true, ttlResolution: 0 });
}

/** Adds the limit to `authenticate`. It stores addresses only: no keys, no headers. */
export function withThrottle(
  authenticate: Authenticate,
  perMinute: number,
  counts = createFailureCounts(),
): Authenticate {
  const refusals: RateLimited[] = []; // by seconds left, created once as every 401 is

  return (request, path) => {
    const { clientIp } = request;
    if (clientIp === undefined) return authenticate(request, path);
    const refusal = refusalOf(clientIp);
    if (refusal) return refusal;
    return andThen(authenticate(request, path), (caller) => {
      // Checked again, because an asynchronous store may be looking up thousands of keys at once.
      const late = refusalOf(clientIp);
      if (late) return late;
      if (caller instanceof Failure) count(clientIp);
      return caller;
    });
  };

  function refusalOf(address: string): RateLimited | undefined {
    const entry = counts.get(address);
    if (entry === undefined || entry.failed < perMinute) return undefined;
    const seconds = Math.max(1, Math.ceil(counts.getRemainingTTL(address) / 1000));
    return (refusals[seconds] ??= new RateLimited(seconds));
  }

  function count(address: string): void {
    const entry = counts.get(address);
    if (entry) entry.failed++;
    else counts.set(address, { failed: 1 });
  }
}

/** How often something may be done in a minute, and what is said beyond that. */
export interface PerMinute {
  readonly most: number;
  /** Callers whose address is not known count together. Default: they have no limit. */
  readonly together?: number;
  readonly detail: string;
}

/** Creates the function that counts what an address does. It throws a 429 once the address has done it too often. */
export function createLimit({ most, together = Infinity, detail }: PerMinute) {
  const counts = createFailureCounts();
  return (address: string | undefined): void => {
    const who = address ?? '';
    const entry = counts.get(who) ?? { failed: 0 };
    if (entry.failed >= (address === undefined ? together : most))
      throw new RateLimited(60, detail);
    if (entry.failed++ === 0) counts.set(who, entry);
  };
}

// Throttle: who asks too often with keys that open nothing is refused, before a key is looked at, for a minute.

import { LRUCache } from 'lru-cache';

import { andThen, type Awaitable } from '../contract/awaitable.ts';
import { Failure } from '../contract/failure.ts';
import { failure } from '../contract/statuses.ts';
import { Refusal } from '../store/refusal.ts';
import { isProxy, PROXY } from './address.ts';
import type { Caller } from './auth.ts';
import type { Exchange } from './exchange.ts';

/** How often wrong keys may be tried. */
export interface ThrottleOptions {
  /** So many 401 in a minute to one address; behind them it gets 429. 0 is no limit. */
  readonly perMinute: number;
  /** The addresses, and ranges such as `10.0.0.0/8`, of proxies whose `X-Forwarded-For` tells who asks; none if left out. */
  readonly proxies?: readonly string[] | undefined;
}

/** Finds the account of a request, or why there is none. */
export type Authenticate = (exchange: Exchange) => Awaitable<Caller | Failure>;

/** So many addresses are remembered; of more, those that were refused longest ago are let go. */
const MOST = 10_000;

const MINUTE_MS = 60_000;

const REFUSED = failure(429);

/** The minutes that run, each since the first 401 to its address, and how many there have been in it. */
export type Minutes = LRUCache<string, { failed: number }>;

/** Makes what keeps the minutes; one that is over is forgotten, whether its address comes again or not. */
export function createMinutes(): Minutes {
  // Timed by performance.now(), a clock that nobody sets, and read for every request anew.
  return new LRUCache({ max: MOST, ttl: MINUTE_MS, ttlAutopurge: true, ttlResolution: 0 });
}

/** Limits `authenticate` for whoever fails too often. What it keeps is addresses: no key, no header. */
export function withThrottle(
  authenticate: Authenticate,
  perMinute: number,
  minutes = createMinutes(),
): Authenticate {
  return (exchange) => {
    const { address } = exchange;
    if (address === undefined) return authenticate(exchange);
    const refused = refuse(exchange, address);
    if (refused) return refused;
    return andThen(authenticate(exchange), (caller) => {
      // Again: where the store takes its time, thousands may be on their way at once.
      const late = refuse(exchange, address);
      if (late) return late;
      if (caller instanceof Failure) count(address);
      return caller;
    });
  };

  function refuse(exchange: Exchange, address: string): Failure | undefined {
    const minute = minutes.get(address);
    if (minute === undefined || minute.failed < perMinute) return undefined;
    exchange.retryAfter = Math.max(1, Math.ceil(minutes.getRemainingTTL(address) / 1000));
    return REFUSED;
  }

  function count(address: string): void {
    const minute = minutes.get(address);
    if (minute) minute.failed++;
    else minutes.set(address, { failed: 1 });
  }
}

/** Reads the options; undefined when nothing is to be throttled. Fails with `Refusal` when they make no sense. */
export function readThrottle(options: ThrottleOptions | undefined): ThrottleOptions | undefined {
  if (options === undefined) return undefined;
  const { perMinute, proxies = [] } = options;
  if (!Number.isSafeInteger(perMinute) || perMinute < 0)
    throw new Refusal('throttle.perMinute takes a whole number, 0 for no limit.');
  if (!proxies.every(isProxy)) throw new Refusal(`throttle.proxies takes ${PROXY}.`);
  return perMinute === 0 ? undefined : options;
}

// createGateway: the routes joined to their handlers, and answer(), the one pipeline of every door.

import type { Api, Route } from '../contract/api.ts';
import { andThen, type Awaitable } from '../contract/awaitable.ts';
import type { Wanted } from '../contract/calls.ts';
import { Failure } from '../contract/failure.ts';
import { Refusal } from '../store/refusal.ts';
import type { ServerStats, Store } from '../store/store.ts';
import { createFindAddress } from './address.ts';
import { createReadAsked, pathOf, readValuesAsked } from './asked.ts';
import { authenticate, open } from './auth.ts';
import { BASE_URL, readBase, withoutPrefix, type Base } from './base.ts';
import { createBeside } from './beside.ts';
import { readCacheBytes, withCache, type CacheStats } from './cache.ts';
import { createCaller } from './caller.ts';
import { NONE } from './condition.ts';
import type { Exchange } from './exchange.ts';
import { createFetch, type Fetch } from './fetch.ts';
import { createHandle } from './handle.ts';
import { createListener, type Listener } from './listener.ts';
import { guarded, silent, type Log } from './log.ts';
import { createProbes } from './probes.ts';
import type { Found } from './reply.ts';
import { createReport } from './report.ts';
import { createRespond, readMaxTarget } from './respond.ts';
import { readThrottle, withThrottle, type ThrottleOptions } from './throttle.ts';
import { createTogether } from './together.ts';

/** What a gateway may be told beside its store. */
export interface GatewayOptions {
  /** Nothing is reported when left out. */
  readonly log?: Log | undefined;
  /** Origins whose pages may read answers in a browser, such as `https://app.example`; none if left out. */
  readonly allowOrigins?: readonly string[] | undefined;
  /**
   * What callers see before `/v1`: a path such as `/memories`, or an address such as
   * `https://host.example/memories`. Links begin with it; its path is taken off requests, where the
   * host has not done so. Left out, it is what Express and its like have cut off, or nothing.
   */
  readonly baseUrl?: string | undefined;
  /** How many bytes of memory answers may take that are kept for the next who asks: 32 MB if left out, 0 for none. */
  readonly cacheBytes?: number | undefined;
  /** How many characters a request target may have: 8,192 if left out. */
  readonly maxTarget?: number | undefined;
  /** How often an address may try keys that open nothing, through `listener`: as often as it likes if left out. */
  readonly throttle?: ThrottleOptions | undefined;
}

/** A gateway: its doors, and how to close it. */
export interface Gateway {
  /** Answers a request of `node:http`; never throws and never rejects. */
  readonly listener: Listener;
  /** Answers a `Request`; never rejects. */
  readonly fetch: Fetch;
  /** The API as the holder of an account's key sees it, in the same process and without a key. */
  readonly as: (account_id: string) => Api;
  /** Whether requests can be answered, as `/readyz` says; never rejects. */
  ready(): Promise<boolean>;
  /** How the cache does, and the servers of the database, of which a file has none. */
  stats(): { readonly cache: CacheStats; readonly servers: readonly ServerStats[] };
  /** From now on `/readyz` says 503 and every answer closes its connection. */
  drain(): void;
  /** Closes the store: calls fail with 503 from now on, and lists that are on their way break. */
  close(): Awaitable<void>;
}

/** Makes a gateway over a store. Fails with `Refusal` when an option is not what it takes. */
export function createGateway(store: Store, options: GatewayOptions = {}): Gateway {
  const { allowOrigins = [], baseUrl } = options;
  const log = guarded(options.log ?? silent);
  const { base, prefix } = requireBase(baseUrl ?? '');
  const cacheBytes = readCacheBytes(options.cacheBytes);
  const { handle, stats } = withCache(
    createHandle(store),
    cacheBytes,
    store.together !== undefined,
  );
  const throttle = readThrottle(options.throttle);
  const readAsked = createReadAsked();
  const state = { draining: false, closed: false };
  const probes = createProbes(store, state);
  const beside = createBeside(probes);
  // A clock that never goes back: once expired, a key stays so whatever happens to the system's time.
  let latest = 0;
  const now = () => (latest = Math.max(latest, Date.now()));
  const findCaller = ({ headers }: Exchange) => authenticate(store, headers, now());
  const admit = throttle ? withThrottle(findCaller, throttle.perMinute) : findCaller;

  async function ready(): Promise<boolean> {
    try {
      await probes['/readyz']();
      return true;
    } catch {
      return false;
    }
  }

  function answer(exchange: Exchange): Awaitable<Found | Failure> {
    exchange.target = withoutPrefix(exchange.target, prefix);
    const path = pathOf(exchange.target);
    if (path !== '/v1' && !path.startsWith('/v1/')) return beside(exchange, path);
    return andThen(admit(exchange), (caller) => {
      if (caller instanceof Failure) return caller;
      exchange.last_four = caller.last_four;
      const asked = readAsked(exchange, caller.account_id);
      const { condition, isGone } = exchange;
      return handle(asked, { caller, condition, isGone });
    });
  }

  function callAs(account_id: string, { endpoint, input, signal }: Wanted<Route>) {
    const isGone = () => signal?.aborted === true;
    return andThen(open(store, account_id), (caller) =>
      handle(readValuesAsked(endpoint, input), { caller, condition: NONE, isGone }),
    );
  }

  const report = createReport(log, state);
  const together = createTogether(store);
  const respond = createRespond(answer, report, readMaxTarget(options.maxTarget));
  const findAddress = throttle && createFindAddress(throttle.proxies ?? [], log);
  const settings = { allowOrigins, findAddress, base: baseUrl && base };
  const door = { respond, together, report, log, state, ...settings };
  return {
    listener: createListener(door),
    fetch: createFetch(door),
    as: createCaller({ callAs, together, report }),
    ready,
    stats: () => ({ cache: stats(), servers: store.servers?.() ?? [] }),
    drain() {
      state.draining = true;
    },
    close() {
      state.draining = true;
      state.closed = true;
      return store.close();
    },
  };
}

function requireBase(baseUrl: string): Base {
  const base = readBase(baseUrl);
  if (base === undefined) throw new Refusal(`The base URL takes ${BASE_URL}.`);
  return base;
}

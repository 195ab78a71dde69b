// createGateway: joins the contract's routes to their handlers, and serves them over HTTP and in the same process.

import type { Api } from '../contract/api.ts';
import { fileRoutes } from '../contract/file-routes.ts';
import { routes } from '../contract/routes.ts';
import { createEndpoint } from '../embeddings/endpoint.ts';
import type { EmbeddingsOptions } from '../embeddings/target.ts';
import { andThen, type Awaitable } from '../lib/async.ts';
import { Refusal } from '../store/refusal.ts';
import type { Scope } from '../store/scope.ts';
import type { ServerStats } from '../store/servers.ts';
import type { Store } from '../store/store.ts';
import type { Fetch } from './adapters/fetch.ts';
import { createLocal } from './adapters/local.ts';
import type { Listener } from './adapters/node.ts';
import { createClock } from './clock.ts';
import type { AudioFolderOf } from './endpoints/details/audio.ts';
import { createFileHandlers } from './endpoints/details/file-handlers.ts';
import { bindHandlers } from './endpoints/endpoint.ts';
import { createHandlers } from './endpoints/handlers.ts';
import { createPostingsCache } from './endpoints/search/cached-postings.ts';
import { createFindByTime } from './endpoints/search/found-by-time.ts';
import { createQueryVectors } from './endpoints/search/query-vectors.ts';
import { createFairMemory } from './fair-share/held-bytes.ts';
import { createFairTime } from './fair-share/time.ts';
import { createIsNewError, guarded, silent, type Log } from './log.ts';
import { createMcpEndpoint } from './mcp/endpoint.ts';
import { createMounts, type CreateMount } from './mount.ts';
import { createAnswer, createRead, createRunFairly, createRunLocally } from './pipeline.ts';
import { createHealthChecks, createPublic } from './public/public.ts';
import { createAuthenticate, findAccount } from './request/auth.ts';
import { BASE_URL, createIsOwn, readBase, type Base } from './request/base-url.ts';
import { createFindClientIp, createIsProxyPeer } from './request/client-ip.ts';
import { SANDBOX } from './request/cors.ts';
import { createResolve } from './request/route.ts';
import { readThrottle, withThrottle, type ThrottleOptions } from './request/throttle.ts';
import { createCache, readCacheBytes, type CacheStats } from './response/cache.ts';
import { createReport } from './response/report.ts';
import { createHttp, type Http } from './server/http.ts';

/** Options of a gateway. */
export interface GatewayOptions {
  /** The log for errors, warnings and requests. Default: none. */
  readonly log?: Log | undefined;
  /** Origins whose pages may read responses in a browser, such as `https://app.example`. Default: none. */
  readonly allowOrigins?: readonly string[] | undefined;
  /**
   * The address at which callers reach the gateway, such as `https://host.example/memories`, or its path,
   * such as `/memories`. Links start with it, and its path is removed from requests. Default: the path at which Express or a similar host has mounted the gateway.
   */
  readonly baseUrl?: string | undefined;
  /**
   * Whether a proxy or host removes the path of `baseUrl` before it passes requests on. Otherwise the gateway removes it
   * from requests that begin with it. Default: false.
   */
  readonly isBaseStripped?: boolean | undefined;
  /** Memory for cached responses, in bytes. 0 turns the cache off. Default: 32,000,000. */
  readonly cacheBytes?: number | undefined;
  /** The longest request target, in characters. Default: 13,312. */
  readonly maxTarget?: number | undefined;
  /** Handlers of paths outside `/v1`. Default: none. */
  readonly mounts?: readonly CreateMount[] | undefined;
  /**
   * Whether the page at `/docs` runs in a sandbox, because it has third-party code and a mount has cookies. Then
   * pages without an origin may read `/v1` with a key, as that page does. Default: no.
   */
  readonly sandboxDocs?: boolean | undefined;
  /**
   * Add the caller's address to each entry of the access log, the /64 network of an IPv6 address. `throttle.proxies`
   * are trusted to name it. Default: false.
   */
  readonly logAddress?: boolean | undefined;
  /**
   * Searches by meaning as well: queries are sent to this endpoint, and to no other. The vectors of memories are made
   * by `memory-gateway embed`. Default: by words alone.
   */
  readonly embeddings?: EmbeddingsOptions | undefined;
  /**
   * Serves recordings: returns the folder with those of an account. Details name files below it, as the account's
   * imports said, so accounts must not share a folder. Default: none are served.
   */
  readonly audio?: AudioFolderOf | undefined;
  /** Limits how many invalid keys an address may send to `listener`. Default: no limit. */
  readonly throttle?: ThrottleOptions | undefined;
}

/** A gateway: its entry points, and how to close it. */
export interface Gateway {
  /** Answers a request of `node:http`. Never throws or rejects. */
  readonly listener: Listener;
  /** Answers a `Request`. Never rejects. */
  readonly fetch: Fetch;
  /** Serves agents with the Model Context Protocol at any path. The entry points above serve it at `/mcp`. */
  readonly mcp: Http;
  /** Returns the API of an account, in the same process and without a key. Default: without a scope. */
  readonly as: (account_id: string, scope?: Partial<Scope>) => Api;
  /** Returns whether requests can be served, as `/readyz` does. Never rejects. */
  ready(): Promise<boolean>;
  /** Returns figures of the response cache and of the PostgreSQL servers. A SQLite file has no servers. */
  stats(): { readonly cache: CacheStats; readonly servers: readonly ServerStats[] };
  /** Starts a shutdown: `/readyz` returns 503 and every response closes its connection. */
  drain(): void;
  /** Closes the store: calls fail with 503 from now on, and lists that are being sent break off. */
  close(): Awaitable<void>;
}

/** Creates a gateway over a store: builds its parts, each from those before it. Throws `Refusal` if an option is invalid. */
export function createGateway(store: Store, options: GatewayOptions = {}): Gateway {
  const { sandboxDocs = false, logAddress = false, baseUrl, allowOrigins = [] } = options;
  const log = guarded(options.log ?? silent);
  const { base, prefix } = requireBase(baseUrl ?? '');
  const throttle = readThrottle(options.throttle);
  const { proxies = [] } = options.throttle ?? {};
  const findClientIp = createFindClientIp(proxies, log);
  const state = { draining: false, closed: false };
  const report = createReport(log, state);
  const now = createClock(log);

  const time = createFairTime(store);
  const memory = createFairMemory();
  const reportDamage = createReportDamage(log);
  const queryVectors =
    options.embeddings && createQueryVectors(createEndpoint(options.embeddings), { log });
  const postings = createPostingsCache();
  const parts = { time, memory, now, reportDamage, postings, queryVectors };
  const endpoints = bindHandlers(routes, createHandlers(store, parts));
  const files = bindHandlers(fileRoutes, createFileHandlers(store, options.audio));
  const cache = createCache(
    readCacheBytes(options.cacheBytes),
    store.readTransaction !== undefined,
  );

  const mounts = createMounts();
  const findByKey = createAuthenticate(store, { now, keyNotes: mounts.keyNotes });
  const findCaller = throttle ? withThrottle(findByKey, throttle.perMinute) : findByKey;
  const callerOf = (id: string, scope?: Scope) =>
    andThen(findAccount(store, id), (found) => ({ ...found, scope }));
  const read = createRead({ resolve: createResolve(endpoints, files), time, cache });
  const runLocally = createRunLocally(callerOf, cache);
  const { original } = files['memories'] ?? {};
  const memories = { ...endpoints['memories'], ...(original && { original }) };
  const local = { routes: { ...endpoints, memories }, schedule: time.schedule, report };
  const as = createLocal({ ...local, run: runLocally });
  const mcp = createMcpEndpoint({
    findCaller,
    apiOf: createLocal({ ...local, run: createRunFairly(runLocally, time) }),
    report,
    now,
    keyNotes: mounts.keyNotes,
    pause: time.nextTurn,
    allowOrigins,
    base,
    hasReader: () => mounts.find('/app/') !== undefined,
  });

  const healthChecks = createHealthChecks(store, state);
  const publicEndpoints = createPublic(healthChecks, sandboxDocs);
  const answer = createAnswer({ findCaller, read, mcp, mounts, publicEndpoints });
  const http = {
    log,
    state,
    report,
    memory,
    schedule: time.schedule,
    base: baseUrl && base,
    prefix: options.isBaseStripped === true ? '' : prefix,
    allowOrigins: sandboxDocs ? [...allowOrigins, SANDBOX] : allowOrigins,
    maxTarget: options.maxTarget,
    logAddress,
    findClientIp: throttle || logAddress ? findClientIp : undefined,
  };
  const owns = (path: string) => publicEndpoints.owns(path) || mounts.find(path) !== undefined;
  const { listener, fetch } = createHttp(answer, { ...http, isOwn: createIsOwn(prefix, owns) });
  const isProxyPeer = createIsProxyPeer(proxies);
  mounts.open(options.mounts ?? [], {
    log,
    base,
    now,
    audio: options.audio,
    authenticate: findCaller,
    read: (request, target, account_id) =>
      andThen(findAccount(store, account_id), (caller) => read(request, target, caller)),
    findByTime: createFindByTime(store, parts),
    as,
    mcp,
    callerOf,
    isFromProxy: ({ peer }) => isProxyPeer(peer),
    clientIp: ({ peer, headers }) => findClientIp(peer, headers),
  });

  return {
    listener,
    fetch,
    mcp: createHttp((request) => mcp(request), http),
    as,
    async ready() {
      try {
        await healthChecks['/readyz']();
        return true;
      } catch {
        return false;
      }
    },
    stats: () => ({ cache: cache.stats(), servers: store.servers?.() ?? [] }),
    drain() {
      state.draining = true;
    },
    close() {
      state.draining = true;
      if (state.closed) return store.close();
      state.closed = true;
      return andThen(mounts.close(), () => store.close());
    },
  };
}

/** Creates the function that logs a memory that a search has left out, each error once. */
function createReportDamage(log: Log): (error: unknown) => void {
  const isNew = createIsNewError();
  return (error) => {
    if (isNew(error))
      log.error({ route: 'search.passages', err: error }, 'damaged memory left out of a search');
  };
}

function requireBase(baseUrl: string): Base {
  const base = readBase(baseUrl);
  if (base === undefined) throw new Refusal(`The base URL takes ${BASE_URL}.`);
  return base;
}

// createGateway: joins the contract's routes to their handlers, and serves them over HTTP and in the same process.

import type { Api } from '../contract/api.ts';
import { Failure } from '../contract/failure.ts';
import { routes } from '../contract/routes.ts';
import { andThen, type Awaitable } from '../lib/async.ts';
import { Refusal } from '../store/refusal.ts';
import type { Scope } from '../store/scope.ts';
import type { ServerStats } from '../store/servers.ts';
import type { Store } from '../store/store.ts';
import type { Fetch } from './adapters/fetch.ts';
import { createLocal, type LocalCall } from './adapters/local.ts';
import type { Listener } from './adapters/node.ts';
import { createClock } from './clock.ts';
import { bindHandlers } from './endpoints/endpoint.ts';
import { createHandlers } from './endpoints/handlers.ts';
import { createIsNewError, guarded, silent, type Log } from './log.ts';
import { createMcpEndpoint, MCP_PATH } from './mcp/endpoint.ts';
import { createMounts, runMount, type CreateMount, type Mounts } from './mount.ts';
import { createHealthChecks, createPublic } from './public/public.ts';
import { authenticate, findAccount, type Caller } from './request/auth.ts';
import { BASE_URL, mountOf, ownPathOf, readBase, type Base } from './request/base-url.ts';
import { createFindClientIp, createIsProxyPeer } from './request/client-ip.ts';
import { answerPreflight, SANDBOX } from './request/cors.ts';
import { UNCONDITIONAL } from './request/etag.ts';
import { readProgramInput } from './request/input.ts';
import type { GatewayRequest } from './request/request.ts';
import { createResolve, pathOf } from './request/route.ts';
import {
  readThrottle,
  withThrottle,
  type Authenticate,
  type ThrottleOptions,
} from './request/throttle.ts';
import { createCache, readCacheBytes, type CacheStats } from './response/cache.ts';
import type { Content } from './response/http-response.ts';
import { createLongResponses } from './response/long-responses.ts';
import type { Result } from './result.ts';
import { createScheduler } from './scheduler.ts';
import { createHttp, type Http } from './server/http.ts';
import { createSlowAccounts } from './slow-accounts.ts';

/** Options of a gateway. */
export interface GatewayOptions {
  /** The log for errors, warnings and requests. Default: none. */
  readonly log?: Log | undefined;
  /** Origins whose pages may read responses in a browser, such as `https://app.example`. Default: none. */
  readonly allowOrigins?: readonly string[] | undefined;
  /**
   * The address at which callers reach the gateway, such as `https://host.example/memories`, or its path,
   * such as `/memories`. Links start with it, and its path is removed from requests if the
   * host has not done so. Default: the path at which Express or a similar host has mounted the gateway.
   */
  readonly baseUrl?: string | undefined;
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
  readonly mcp: Pick<Http, 'listener' | 'fetch'>;
  /** Returns the API of an account, in the same process and without a key. Default: without a scope. */
  readonly as: (account_id: string, scope?: Scope) => Api;
  /** Returns whether requests can be served, as `/readyz` does. Never rejects. */
  ready(): Promise<boolean>;
  /** Returns figures of the response cache and of the PostgreSQL servers. A SQLite file has no servers. */
  stats(): { readonly cache: CacheStats; readonly servers: readonly ServerStats[] };
  /** Starts a shutdown: `/readyz` returns 503 and every response closes its connection. */
  drain(): void;
  /** Closes the store: calls fail with 503 from now on, and lists that are being sent break off. */
  close(): Awaitable<void>;
}

/** Creates a gateway over a store. Throws `Refusal` if an option is invalid. */
export function createGateway(store: Store, options: GatewayOptions = {}): Gateway {
  const { baseUrl, maxTarget, sandboxDocs = false, logAddress = false } = options;
  const allowOrigins = [...(options.allowOrigins ?? []), ...(sandboxDocs ? [SANDBOX] : [])];
  const log = guarded(options.log ?? silent);
  const { base, prefix } = requireBase(baseUrl ?? '');
  const throttle = readThrottle(options.throttle);
  const { proxies = [] } = options.throttle ?? {};
  const findClientIp = createFindClientIp(proxies, log);
  const isProxyPeer = createIsProxyPeer(proxies);
  const state = { draining: false, closed: false };

  const { schedule, nextTurn } = createScheduler(store);
  const reportDamage = createReportDamage(log);
  const endpoints = bindHandlers(routes, createHandlers(store, { nextTurn, reportDamage }));
  const resolve = createResolve(endpoints);
  const cache = createCache(
    readCacheBytes(options.cacheBytes),
    store.readTransaction !== undefined,
  );
  const longResponses = createLongResponses();
  const slowAccounts = createSlowAccounts(nextTurn);
  const healthChecks = createHealthChecks(store, state);
  const publicEndpoints = createPublic(healthChecks, sandboxDocs);

  const now = createClock(log);
  const byKey: Authenticate = ({ headers }) =>
    authenticate(store, headers, { now: now(), keyUsed: mounts.keyUsed });
  const findCaller = throttle ? withThrottle(byKey, throttle.perMinute) : byKey;

  function handle(request: GatewayRequest, target: string): Awaitable<Result<Content>> {
    const path = pathOf(target);
    if (path === MCP_PATH) return handleMcp(request);
    const preflight = answerPreflight(request);
    if (preflight) return preflight;
    if (path !== '/v1' && !path.startsWith('/v1/')) {
      const mount = mounts.find(path);
      return mount ? runMount(mount, request, target) : publicEndpoints.handle(request, path);
    }
    return andThen(findCaller(request), (caller) => {
      if (caller instanceof Failure) return caller;
      request.trace.last_four = caller.last_four;
      return readFor(caller, request, target);
    });
  }

  function readFor(caller: Caller, request: GatewayRequest, target: string): Awaitable<Content> {
    const { condition, headers, isAborted, trace } = request;
    const { account_id } = caller;
    trace.account_id = account_id;
    const call = resolve(request, target, account_id);
    const context = { caller, condition, headers, isAborted, longResponses };
    return slowAccounts.run({ account_id, isAborted }, () => cache.run(call, context));
  }

  function runLocally({ account_id, scope, route, input, isAborted }: LocalCall) {
    return andThen(findAccount(store, account_id), (found) => {
      const call = route.prepare(readProgramInput(route, input));
      return cache.run(call, { caller: { ...found, scope }, condition: UNCONDITIONAL, isAborted });
    });
  }

  const http = {
    log,
    state,
    schedule,
    base: baseUrl && base,
    prefix,
    allowOrigins,
    maxTarget,
    longResponses,
    logAddress,
    findClientIp: throttle || logAddress ? findClientIp : undefined,
    isOwn: (nodeRequest: Parameters<typeof isOwn>[0]) => isOwn(nodeRequest),
  };
  const { listener, fetch, report } = createHttp(handle, http);
  const handleMcp = createMcpEndpoint({
    findCaller,
    apiOf: createLocal({
      routes: endpoints,
      run: (call) => slowAccounts.run(call, () => runLocally(call)),
      schedule,
      report,
    }),
    report,
    now,
    pause: nextTurn,
    allowOrigins: options.allowOrigins ?? [],
    base,
    readerUrl: () => (URL.canParse(base) && mounts.find('/app/') ? `${base}/app/m` : undefined),
  });
  const as = createLocal({ routes: endpoints, run: runLocally, schedule, report });
  const mounts: Mounts = createMounts(options.mounts ?? [], {
    log,
    base,
    now,
    authenticate: findCaller,
    read: (request, target, account_id) =>
      andThen(findAccount(store, account_id), (caller) => readFor(caller, request, target)),
    as,
    mcp: handleMcp,
    callerOf: (id, scope) => andThen(findAccount(store, id), (found) => ({ ...found, scope })),
    isFromProxy: ({ peer }) => isProxyPeer(peer),
    clientIp: ({ peer, headers }) => findClientIp(peer, headers),
  });

  function isOwn(nodeRequest: { readonly url?: string | undefined }): boolean {
    const { url = '' } = nodeRequest;
    const path = ownPathOf(url, prefix);
    // The root of a host is its own, unless the gateway is mounted somewhere below it.
    if (path === '/' && mountOf(nodeRequest) === '') return prefix !== '' && url.startsWith(prefix);
    if (path === '/' || path === MCP_PATH) return true;
    if (path === '/v1' || path.startsWith('/v1/') || publicEndpoints.owns(path)) return true;
    return mounts.find(path) !== undefined;
  }

  return {
    listener,
    fetch,
    mcp: createHttp((request) => handleMcp(request), { ...http, isOwn: undefined }),
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

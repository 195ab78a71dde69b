// createGateway: the routes joined to their handlers, and answer(), the one pipeline of every door.

import type { Api, Route } from '../contract/api.ts';
import { andThen, type Awaitable } from '../contract/awaitable.ts';
import type { Wanted } from '../contract/calls.ts';
import { endpointsOf, type Endpoint } from '../contract/endpoints.ts';
import type { Answer } from '../contract/handlers.ts';
import { routes } from '../contract/routes.ts';
import { Refusal } from '../store/refusal.ts';
import type { Store } from '../store/store.ts';
import { authenticate, open } from './auth.ts';
import { BASE_URL, readBase, withoutPrefix, type Base } from './base.ts';
import { createBeside } from './beside.ts';
import { createCaller } from './caller.ts';
import { NONE } from './condition.ts';
import type { Exchange } from './exchange.ts';
import { createFetch, type Fetch } from './fetch.ts';
import { createHandlers, type Context } from './handlers.ts';
import { readInput, readValues } from './input.ts';
import { createListener, type Listener } from './listener.ts';
import { guarded, silent, type Log } from './log.ts';
import { createMatch } from './match.ts';
import { refuseHeaders } from './refuse.ts';
import type { Found } from './reply.ts';
import { createReport } from './report.ts';
import { createRespond } from './respond.ts';

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
}

/** A gateway: its doors, and how to close it. */
export interface Gateway {
  /** Answers a request of `node:http`; never throws and never rejects. */
  readonly listener: Listener;
  /** Answers a `Request`; never rejects. */
  readonly fetch: Fetch;
  /** The API as the holder of an account's key sees it, in the same process and without a key. */
  readonly as: (account_id: string) => Api;
  /** From now on `/readyz` says 503 and every answer closes its connection. */
  drain(): void;
  /** Closes the store: calls fail with 503 from now on, and lists that are on their way break. */
  close(): Awaitable<void>;
}

type Handle = (
  endpoint: Endpoint<Route>,
  context: Context,
  input: unknown,
) => Awaitable<Answer<unknown>>;

/** Makes a gateway over a store. Fails with `Refusal` when `baseUrl` is no base address. */
export function createGateway(store: Store, options: GatewayOptions = {}): Gateway {
  const { allowOrigins = [], baseUrl } = options;
  const log = guarded(options.log ?? silent);
  const { base, prefix } = requireBase(baseUrl ?? '');
  const handle = joinHandlers(store);
  const match = createMatch(endpointsOf<Route>(routes));
  const state = { draining: false, closed: false };
  const beside = createBeside(store, state);
  // A clock that never goes back: once expired, a key stays so whatever happens to the system's time.
  let latest = 0;
  const now = () => (latest = Math.max(latest, Date.now()));

  function answer(exchange: Exchange): Awaitable<Found> {
    exchange.target = withoutPrefix(exchange.target, prefix);
    const [path, query] = split(exchange.target);
    if (path !== '/v1' && !path.startsWith('/v1/')) return beside(exchange, path);
    return andThen(authenticate(store, exchange.headers, now()), (caller) => {
      exchange.last_four = caller.last_four;
      const { endpoint, params } = match(exchange.method, path);
      exchange.route = endpoint.name;
      exchange.next = endpoint.route.next;
      refuseHeaders(endpoint.route, exchange.headers);
      const input = readInput(endpoint.route, params, query);
      const { condition, isGone } = exchange;
      return handle(endpoint, { caller, condition, isGone }, input);
    });
  }

  function callAs(account_id: string, { endpoint, input, signal }: Wanted<Route>) {
    const isGone = () => signal?.aborted === true;
    return andThen(open(store, account_id), (caller) =>
      handle(endpoint, { caller, condition: NONE, isGone }, readValues(endpoint.route, input)),
    );
  }

  const report = createReport(log, state);
  const respond = createRespond(answer, report);
  const door = { respond, report, log, state, allowOrigins, base: baseUrl && base };
  return {
    listener: createListener(door),
    fetch: createFetch(door),
    as: createCaller(callAs, report),
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

function joinHandlers(store: Store): Handle {
  const groups: Record<string, Record<string, unknown>> = createHandlers(store);
  // `Handlers` has proved that each route has the handler of its types; here they are all alike.
  type Handler = (context: Context, input: unknown) => Awaitable<Answer<unknown>>;
  const handlers = new Map(
    Object.entries(groups).flatMap(([group, ofGroup]) =>
      Object.entries(ofGroup).map(([name, handler]) => [`${group}.${name}`, handler as Handler]),
    ),
  );
  return ({ name }, context, input) => (handlers.get(name) as Handler)(context, input);
}

function split(target: string): [path: string, query: string] {
  const at = target.indexOf('?');
  return at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];
}

// createGateway: the routes joined to their handlers, and answer(), the one pipeline of every door.

import type { Answer } from '../contract/api.ts';
import { andThen, type Awaitable } from '../contract/awaitable.ts';
import { routes } from '../contract/routes.ts';
import type { Store } from '../store/store.ts';
import { authenticate } from './auth.ts';
import type { Exchange } from './exchange.ts';
import { createHandlers, type Context } from './handlers.ts';
import { readInput } from './input.ts';
import { createListener, type Listener } from './listener.ts';
import { silent, type Log } from './log.ts';
import { createMatch, endpointsOf, type Endpoint } from './match.ts';
import { createProbes } from './probes.ts';

/** What a gateway may be told beside its store. */
export interface GatewayOptions {
  /** Nothing is reported when left out. */
  readonly log?: Log;
  /** Origins whose pages may read answers in a browser, such as `https://app.example`; none if left out. */
  readonly allowOrigins?: readonly string[];
}

/** A gateway: its door, and how to close it. */
export interface Gateway {
  /** Answers a request of `node:http`; never throws and never rejects. */
  readonly listener: Listener;
  /** From now on `/readyz` says 503 and every answer closes its connection. */
  drain(): void;
}

type Handler = (context: Context, input: unknown) => Awaitable<Answer<unknown>>;

/** Makes a gateway over a store, which stays the caller's to close. */
export function createGateway(store: Store, options: GatewayOptions = {}): Gateway {
  const match = createMatch(joinHandlers(store));
  const state = { draining: false };
  const probe = createProbes(store, state);
  // A clock that never goes back: once expired, a key stays so whatever happens to the system's time.
  let latest = 0;
  const now = () => (latest = Math.max(latest, Date.now()));

  function answer(exchange: Exchange): Awaitable<Answer<unknown>> {
    const [path, query] = split(exchange.target);
    if (path !== '/v1' && !path.startsWith('/v1/')) return probe(exchange.method, path);
    return andThen(authenticate(store, exchange.headers, now()), (caller) => {
      exchange.last_four = caller.last_four;
      const { endpoint, params } = match(exchange.method, path);
      exchange.route = endpoint.name;
      const input = readInput(endpoint.route, params, query);
      return endpoint.handler({ caller, condition: exchange.condition }, input);
    });
  }

  return {
    listener: createListener(answer, {
      state,
      log: options.log ?? silent,
      allowOrigins: options.allowOrigins ?? [],
    }),
    drain() {
      state.draining = true;
    },
  };
}

function joinHandlers(store: Store): (Endpoint & { handler: Handler })[] {
  const handlers: Record<string, Record<string, unknown>> = createHandlers(store);
  return endpointsOf(routes).map((endpoint) => {
    const [group, name] = endpoint.name.split('.') as [string, string];
    // `Handlers` has proved that each route has the handler of its types; here they are all alike.
    return { ...endpoint, handler: handlers[group]?.[name] as Handler };
  });
}

function split(target: string): [path: string, query: string] {
  const at = target.indexOf('?');
  return at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];
}

// The entry points of the gateway in one table: each promise about results is tested through all of them.

import * as v from 'valibot';

import { createClient } from '../../../src/client/index.ts';
import { outputSchema } from '../../../src/client/validate.ts';
import type { Api } from '../../../src/contract/api.ts';
import { clientRoutes } from '../../../src/contract/client-routes.ts';
import { createApi } from '../../../src/contract/create-api.ts';
import { toParameterText, toParameterTexts } from '../../../src/contract/endpoints.ts';
import { Failure } from '../../../src/contract/failure.ts';
import type { ClientRoute } from '../../../src/contract/route.ts';
import type { Store, SyncStore } from '../../../src/store/store.ts';
import { engine, engines } from '../engines/engine.ts';
import { send } from '../wire/wire.ts';
import { isShort, isThorough } from './thorough.ts';
import type { World } from './world.ts';

export interface EntryPoint {
  readonly name: string;
  /** Wraps the store. */
  readonly wrap: (store: SyncStore) => Store;
  /** The prefix at which the gateway is mounted. */
  readonly baseUrl?: string;
  /** The API for the holder of a key. */
  readonly open: (world: World, key: string) => Api;
}

const asItIs = (store: SyncStore): Store => store;
const PREFIX = '/some/prefix';

const all: readonly EntryPoint[] = [
  { name: 'HTTP', wrap: asItIs, open: openWire },
  { name: 'HTTP, with an asynchronous store', wrap: answerLater, open: openWire },
  { name: 'HTTP, under a prefix', wrap: asItIs, baseUrl: PREFIX, open: openWire },
  { name: 'fetch', wrap: asItIs, open: openFetch },
  { name: 'fetch, with an asynchronous store', wrap: answerLater, open: openFetch },
  { name: 'the caller', wrap: asItIs, open: openCaller },
  { name: 'the caller, with an asynchronous store', wrap: answerLater, open: openCaller },
  { name: 'the client', wrap: asItIs, open: openClient },
  { name: 'the client, under a prefix', wrap: asItIs, baseUrl: PREFIX, open: openClient },
  {
    name: 'the client, with the fetch handler of a gateway',
    wrap: asItIs,
    open: openClientByFetch,
  },
];

const DAILY = new Set([
  'HTTP',
  'fetch, with an asynchronous store',
  'the caller',
  'the client, under a prefix',
]);

/** They reach the store in the same way on another engine, so the short form there takes the outermost and the innermost. */
const SHORT_ELSEWHERE = new Set(['HTTP', 'the caller']);

/** All entry points in a thorough run, and every day those that differ most. */
export const entryPoints = isThorough
  ? all
  : all.filter(({ name }) =>
      (isShort && engine !== engines.sqlite ? SHORT_ELSEWHERE : DAILY).has(name),
    );

function openWire({ port, gatewayUrl, scopeOf }: World, key: string): Api {
  const isScoped = scopeOf(key)?.reads === 'summaries';
  return openHttp(new URL(gatewayUrl).pathname.replace(/\/$/, ''), async (path) => {
    const { status, text, headers } = await send(port, { path, key, isScoped });
    return { status, text, link: headers['link'] };
  });
}

function openFetch({ gateway }: World, key: string): Api {
  return openHttp('', async (path) => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await gateway.fetch(new Request(`http://gateway${path}`, { headers }));
    const { status } = response;
    return { status, text: await response.text(), link: response.headers.get('link') ?? undefined };
  });
}

function openCaller({ gateway, accountOf, scopeOf }: World, key: string): Api {
  return gateway.as(accountOf(key), scopeOf(key));
}

function openClient({ gatewayUrl: baseUrl }: World, apiKey: string): Api {
  return createClient({ baseUrl, apiKey, retries: 0 });
}

function openClientByFetch({ gateway }: World, apiKey: string): Api {
  return createClient({ baseUrl: 'http://gateway', apiKey, retries: 0, fetch: gateway.fetch });
}

interface Got {
  readonly status: number;
  readonly text: string;
  readonly link: string | undefined;
}

/** The API without the client: fills in paths, checks responses, follows links. */
function openHttp(prefix: string, get: (path: string) => Promise<Got>): Api {
  return createApi<ClientRoute>(clientRoutes, async ({ endpoint: { route }, input, first }) => {
    const rest = Object.entries(input).filter(([name]) => !route.path.includes(`{${name}}`));
    const query = new URLSearchParams(
      rest.flatMap(([name, value]) => toParameterTexts(name, value).map((text) => [name, text])),
    );
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(toParameterText(input[name])),
    );
    const { status, text, link } = await get(`${prefix}${path}?${query.toString()}`);
    const body: unknown = JSON.parse(text);
    if (status !== 200)
      throw new Failure(status, v.parse(v.strictObject({ detail: v.string() }), body).detail);
    const target = /<([^>]+)>; rel="next"/.exec(link ?? '')?.[1];
    const next = target === undefined ? undefined : new URL(target, 'http://h');
    if (next !== undefined && next.pathname !== `${prefix}${route.path}`) throw new Error(link);
    return {
      output: v.parse(outputSchema(route, first), body),
      next: next?.searchParams.get('cursor') ?? next?.searchParams.get('since') ?? undefined,
    };
  });
}

/** Wraps a store in promises, like that of an engine on a network. */
export function answerLater(store: SyncStore): Store {
  return {
    apiKey: async (...args) => store.apiKey(...args),
    account: async (...args) => store.account(...args),
    memory: async (...args) => store.memory(...args),
    items: async (...args) => store.items(...args),
    chunk: async (...args) => store.chunk(...args),
    positions: async (...args) => store.positions(...args),
    changes: async (...args) => store.changes(...args),
    memoryCount: async (...args) => store.memoryCount(...args),
    days: async (...args) => store.days(...args),
    postings: async (...args) => store.postings(...args),
    places: async (...args) => store.places(...args),
    vocabulary: async (...args) => store.vocabulary(...args),
    details: async (...args) => store.details(...args),
    original: async (...args) => store.original(...args),
    facets: async (...args) => store.facets(...args),
    actionItems: async (...args) => store.actionItems(...args),
    signs: async (...args) => store.signs(...args),
    vectors: async (...args) => store.vectors(...args),
    check: async () => store.check(),
    close: async () => store.close(),
  };
}

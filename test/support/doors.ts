// The doors of the gateway in one table: a promise about results runs through each of them.

import * as v from 'valibot';

import { outputOf } from '../../src/client/answer.ts';
import { createClient } from '../../src/client/index.ts';
import { answers, type Answering } from '../../src/contract/answers.ts';
import type { Api } from '../../src/contract/api.ts';
import { createApi } from '../../src/contract/calls.ts';
import { toText } from '../../src/contract/endpoints.ts';
import { Failure } from '../../src/contract/failure.ts';
import type { SyncStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { send } from './wire.ts';
import type { World } from './world.ts';

export interface Door {
  readonly name: string;
  /** Stands between the gateway and its store. */
  readonly wrap: (store: SyncStore) => Store;
  /** Where the gateway is mounted. */
  readonly baseUrl?: string;
  /** The API as the holder of a key sees it. */
  readonly open: (world: World, key: string) => Api;
}

const asItIs = (store: SyncStore): Store => store;
const PREFIX = '/some/prefix';

export const doors: readonly Door[] = [
  { name: 'the wire', wrap: asItIs, open: openWire },
  { name: 'the wire, over a store that answers later', wrap: answerLater, open: openWire },
  { name: 'the wire, under a prefix', wrap: asItIs, baseUrl: PREFIX, open: openWire },
  { name: 'fetch', wrap: asItIs, open: openFetch },
  { name: 'fetch, over a store that answers later', wrap: answerLater, open: openFetch },
  { name: 'the caller', wrap: asItIs, open: openCaller },
  { name: 'the caller, over a store that answers later', wrap: answerLater, open: openCaller },
  { name: 'the client', wrap: asItIs, open: openClient },
  { name: 'the client, under a prefix', wrap: asItIs, baseUrl: PREFIX, open: openClient },
  { name: 'the client, by the fetch of a gateway', wrap: asItIs, open: openClientByFetch },
];

function openWire({ port, gatewayUrl }: World, key: string): Api {
  return openHttp(new URL(gatewayUrl).pathname.replace(/\/$/, ''), async (path) => {
    const { status, text, headers } = await send(port, { path, key });
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

function openCaller({ gateway, accountOf }: World, key: string): Api {
  return gateway.as(accountOf(key));
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

/** The API by hand, without the client: paths filled in, answers checked, links followed. */
function openHttp(prefix: string, get: (path: string) => Promise<Got>): Api {
  return createApi<Answering>(answers, async ({ endpoint: { route }, input, asked }) => {
    const rest = Object.entries(input).filter(([name]) => !route.path.includes(`{${name}}`));
    const query = new URLSearchParams(rest.map(([name, value]) => [name, toText(value)]));
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(toText(input[name])),
    );
    const { status, text, link } = await get(`${prefix}${path}?${query.toString()}`);
    const body: unknown = JSON.parse(text);
    if (status !== 200)
      throw new Failure(status, v.parse(v.strictObject({ detail: v.string() }), body).detail);
    const target = /<([^>]+)>; rel="next"/.exec(link ?? '')?.[1];
    const next = target === undefined ? undefined : new URL(target, 'http://h');
    if (next !== undefined && next.pathname !== `${prefix}${route.path}`) throw new Error(link);
    return {
      output: v.parse(outputOf(route, asked), body),
      next: next?.searchParams.get(route.next ?? '') ?? undefined,
    };
  });
}

/** The same store with promises, as an engine on a network has. */
export function answerLater(store: SyncStore): Store {
  return {
    apiKey: async (...args) => store.apiKey(...args),
    account: async (...args) => store.account(...args),
    memory: async (...args) => store.memory(...args),
    items: async (...args) => store.items(...args),
    piece: async (...args) => store.piece(...args),
    positions: async (...args) => store.positions(...args),
    changes: async (...args) => store.changes(...args),
    check: async () => store.check(),
    close: async () => store.close(),
  };
}

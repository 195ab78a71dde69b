// A product's API on loopback, for tests of sources: it answers as documented, and can fail at any request.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

import type { Awaitable } from '../../../src/lib/async.ts';
import { listen } from '../world/server-in-process.ts';

/** A request that the product got. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The JSON of a POST. */
  readonly body: unknown;
}

/** A response: a value is sent as JSON, text and bytes as they are. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Whether the connection is cut in the middle of the body. */
  readonly isCut?: boolean;
}

/** How the product answers. */
export type Answering = (request: Received) => Awaitable<Answer>;

/** A product in a test. */
export interface FakeProduct {
  readonly url: string;
  /** All requests, in order. */
  readonly requests: Received[];
  /** What happens before the answer to the request of a number, such as a change of the data. */
  readonly before: Map<number, () => void>;
  /** What happens instead of the answer to the request of a number, the first of which is 1. */
  readonly faults: Map<number, Answer | (() => void)>;
}

/** Serves a product until the test ends. A fault that is a function runs, and its request is never answered. */
export async function createProduct(t: TestContext, answer: Answering): Promise<FakeProduct> {
  const requests: Received[] = [];
  const faults: FakeProduct['faults'] = new Map();
  const before: FakeProduct['before'] = new Map();
  const server = createServer((request, response) => {
    void (async () => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
      const given = await text(request);
      const received = {
        method: request.method ?? '',
        path: pathname,
        query: searchParams,
        headers: request.headers,
        body: given === '' ? undefined : (JSON.parse(given) as unknown),
      };
      requests.push(received);
      before.get(requests.length)?.();
      const fault = faults.get(requests.length);
      if (typeof fault === 'function') return fault();
      return send(response, fault ?? (await answer(received)));
    })();
  });
  return { url: `http://127.0.0.1:${await listen(t, server)}`, requests, before, faults };
}

function send(
  response: ServerResponse,
  { status = 200, headers = {}, body = '', isCut = false }: Answer,
): void {
  const isReady = typeof body === 'string' || body instanceof Uint8Array;
  const content = Buffer.from(isReady ? body : JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': content.length,
    ...headers,
  });
  if (!isCut) return void response.end(content);
  response.write(content.subarray(0, Math.ceil(content.length / 2)));
  setImmediate(() => response.destroy());
}

/** Cuts a list into pages by a cursor that is the id of the last item, so that changes between pages move nothing. */
export function pageOf<Item extends { readonly id: string }>(
  items: readonly Item[],
  cursor: string | null,
  size: number,
): { readonly items: Item[]; readonly next: string | undefined } {
  const start = cursor === null ? 0 : items.findIndex(({ id }) => id === cursor) + 1;
  const page = items.slice(start, start + size);
  const isEnd = start + size >= items.length;
  return { items: page, next: isEnd ? undefined : page.at(-1)?.id };
}

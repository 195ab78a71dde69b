// The reference page at any prefix, beside a real gateway.

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

import { readFixtures } from '../../scripts/fixtures.ts';
import { docsFile } from '../../src/gateway/docs.ts';
import { openapiAt } from './openapi.ts';
import { createWorld } from './world.ts';

/** A gateway with its reference page. */
export interface Docs {
  /** The address of the page, such as `http://127.0.0.1:1/some/prefix/docs`. */
  readonly url: string;
  /** The key of Mira, whose memories are those of fixtures/. */
  readonly key: string;
  close(): Promise<void>;
}

/** Serves the page at `<prefix>/docs`, and what it reads beside it. */
export async function serveDocs(prefix: string): Promise<Docs> {
  const ends: (() => unknown)[] = [];
  const world = await createWorld({
    after: (end: () => unknown) => ends.push(end),
  } as unknown as TestContext);
  const mira = readFixtures().find(({ id }) => id === 'mira');
  const key = world.addAccount('mira', [...(mira?.memories ?? [])]);
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const rest = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : '';
    if (rest.startsWith('/v1/')) {
      request.url = rest;
      world.gateway.listener(request, response);
    } else void answer(rest, prefix, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${prefix}/docs`,
    key,
    async close() {
      server.closeAllConnections();
      server.close();
      for (const end of ends) await end();
    },
  };
}

async function answer(path: string, prefix: string, response: ServerResponse): Promise<void> {
  if (path === '/openapi.json') {
    response.writeHead(200, ['content-type', 'application/json; charset=utf-8']);
    response.end(JSON.stringify(openapiAt(prefix)));
    return;
  }
  const [, name] = /^\/docs(?:\/(.+))?$/.exec(path) ?? [undefined, '?'];
  const document = await docsFile(name ?? '');
  if (document === undefined) response.writeHead(404).end();
  else {
    const { type, headers, body } = document;
    response.writeHead(200, [
      'content-type',
      type,
      'x-content-type-options',
      'nosniff',
      ...headers,
    ]);
    response.end(body);
  }
}

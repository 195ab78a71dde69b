// A gateway with a planted fault, as a program, for testing the fuzz test. Takes the name of a fault, then the arguments of serve.

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';

import { createGateway } from '../../src/gateway/gateway.ts';
import { createServer } from '../../src/gateway/server/server.ts';
import { openStore } from '../../src/store/sqlite/store.ts';
import type { SyncStore } from '../../src/store/store.ts';
import { SHARED } from './accounts.ts';

/** A fault replaces store methods, or runs before the gateway's listener. */
interface Fault {
  /** The finding that the fuzz test must report. */
  readonly found: RegExp;
  readonly store?: (store: SyncStore) => Partial<SyncStore>;
  readonly request?: (request: IncomingMessage, response: ServerResponse) => void;
}

const keys = new WeakMap<object, string>();

const FAULTS: Readonly<Record<string, Fault>> = {
  'fails on a parameter': {
    found: /^500 must have/,
    store: ({ items }) => ({
      items(range, maxBytes) {
        if (range.is_processing === true) throw new TypeError('planted');
        return items(range, maxBytes);
      },
    }),
  },
  'returns the memory of another account': {
    found: /^text of another/,
    store: ({ memory }) => ({
      memory: (wanted) =>
        memory(
          wanted.id === SHARED && wanted.known === ''
            ? { ...wanted, account_id: 'canary-of-ana' }
            : wanted,
        ),
    }),
  },
  'reuses the key of the first request of a connection': {
    found: /^text of another|^a different response than|^401 for/,
    request({ socket, rawHeaders }) {
      const at = rawHeaders.findIndex((name) => /^x-api-key$/i.test(name)) + 1;
      if (at === 0) return;
      const key = keys.get(socket) ?? rawHeaders[at] ?? '';
      keys.set(socket, key);
      rawHeaders[at] = key;
    },
  },
  'omits the detail': {
    found: /^422 must have a detail/,
    request: (_, response) => replaceBody(response, '{"error":"limit"}'),
  },
  'reveals internal details': {
    found: /^422 must have no internal details/,
    request: (_, response) => replaceBody(response, '{"detail":"TypeError: at list (list.ts:1)."}'),
  },
  'breaks off': {
    found: /^malformed response/,
    request({ method, headers }, response) {
      if (method !== 'GET' || headers['range'] === undefined) return;
      response.writeHead = (status: number) => {
        response.writeHead = () => response;
        response.socket?.end(`HTTP/1.1 ${status} OK\r\ncontent-length: 100\r\n\r\n[`);
        return response;
      };
    },
  },
  'forgets a header': {
    found: /must have vary/,
    request({ headers }, response) {
      const writeHead = response.writeHead.bind(response);
      if (headers['if-none-match'] === undefined) return;
      response.writeHead = ((status: number, head: string[]) =>
        writeHead(
          status,
          head.filter((_, i) => head[i - (i % 2)] !== 'vary'),
        )) as typeof writeHead;
    },
  },
  'logs a key': {
    found: /^it logged/,
    request({ rawHeaders, url = '' }) {
      if (url.includes('%00')) process.stdout.write(`${rawHeaders.join()}\n`);
    },
  },
  'ends the process': {
    found: /^it ended with 3/,
    request({ url = '' }) {
      if (url.includes('%ff')) process.exit(3);
    },
  },
};

/** Replaces the body of 422 responses. */
function replaceBody(response: ServerResponse, body: string): void {
  const writeHead = response.writeHead.bind(response);
  const end = response.end.bind(response);
  response.writeHead = ((status: number, head: string[]) => {
    if (status !== 422) return writeHead(status, head);
    response.end = (() => end(body, 'utf8')) as typeof end;
    const at = head.indexOf('content-length') + 1;
    return writeHead(status, head.with(at, String(body.length)));
  }) as typeof writeHead;
}

/** All faults by name, with the finding that each must cause. */
export const faults = Object.entries(FAULTS).map(([name, { found }]) => ({ name, found }));

async function serve(name: string, database: string): Promise<void> {
  const fault = FAULTS[name];
  const store = openStore(database);
  const error = (fields: object): void =>
    void process.stdout.write(`${JSON.stringify({ level: 'error', ...fields })}\n`);
  const gateway = createGateway({ ...store, ...fault?.store?.(store) }, { log: { error } });
  const server = createServer((request, response) => {
    fault?.request?.(request, response);
    gateway.listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`{"url":"http://127.0.0.1:${port}"}\n`);
}

if (import.meta.main) {
  const [name = '', ...args] = process.argv.slice(2);
  const options = { database: { type: 'string' }, port: { type: 'string' } } as const;
  const { values } = parseArgs({ args, options, strict: false });
  await serve(name, String(values.database));
}

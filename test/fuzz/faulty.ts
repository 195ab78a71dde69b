// A gateway with a fault, as a program: what the fuzz must find. Takes the fault, then what `serve` takes.

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';

import { createGateway } from '../../src/gateway/gateway.ts';
import { createServer } from '../../src/gateway/server.ts';
import { openStore, type SyncStore } from '../../src/store/sqlite.ts';
import { SHARED } from './scene.ts';

/** A fault stands between the gateway and its store, or before its listener. */
interface Fault {
  /** What the fuzz must say of it. */
  readonly found: RegExp;
  readonly store?: (store: SyncStore) => Partial<SyncStore>;
  readonly request?: (request: IncomingMessage, response: ServerResponse) => void;
}

const keys = new WeakMap<object, string>();

const FAULTS: Readonly<Record<string, Fault>> = {
  'throws on a parameter': {
    found: /^500, which must have/,
    store: ({ items }) => ({
      items(range, maxBytes) {
        if (range.is_processing === true) throw new TypeError('planted');
        return items(range, maxBytes);
      },
    }),
  },
  'gives the memory of another account': {
    found: /^words of another/,
    store: ({ memory }) => ({
      memory: (wanted) =>
        memory(
          wanted.id === SHARED && wanted.known === ''
            ? { ...wanted, account_id: 'canary-of-ana' }
            : wanted,
        ),
    }),
  },
  'keeps the key of the first request of a connection': {
    found: /^words of another|^another answer than|^401 for/,
    request({ socket, rawHeaders }) {
      const at = rawHeaders.findIndex((name) => /^x-api-key$/i.test(name)) + 1;
      if (at === 0) return;
      const key = keys.get(socket) ?? rawHeaders[at] ?? '';
      keys.set(socket, key);
      rawHeaders[at] = key;
    },
  },
  'leaves the detail out': {
    found: /^422, which must have a detail/,
    request: (_, response) => replaceBody(response, '{"error":"limit"}'),
  },
  'says too much': {
    found: /^422, which must have nothing of the inside/,
    request: (_, response) => replaceBody(response, '{"detail":"TypeError: at list (list.ts:1)."}'),
  },
  'breaks off': {
    found: /^bytes that are no answer/,
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
    found: /which must have vary/,
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

/** Sends another body where the answer is 422. */
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

/** All faults by name, and what must be said of each. */
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

// Imports through the app in tests: a gateway whose app imports, and a browser that uploads as the page does.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import type { ImportState } from '../../../src/app/server/imports.ts';
import { createImports } from '../../../src/cli/serve/imports/imports.ts';
import { onlyFiles } from '../engines/engine.ts';
import { send } from '../wire/wire.ts';
import { issued, newFolder } from '../world/artifacts.ts';
import { freePort } from '../world/free-port.ts';
import { PROGRAM_WORDS, ROOT, startProcess, stop, waitFor } from '../world/program.ts';
import { cookieOf, createAppWorld, createTestBrowser, type TestBrowser } from './app-world.ts';

export const SAMPLE = readFileSync(join(ROOT, 'fixtures/samples/limitless/week.json'));

/** The folder for data, where uploads are if the database is on a server. */
export const DATA = newFolder();
process.env['XDG_DATA_HOME'] = DATA;

/** A gateway whose app imports. */
export async function createImporting(t: TestContext, maxBytes = 10_000_000) {
  const ready = Promise.withResolvers<Awaited<ReturnType<typeof createImports>>>();
  const world = await createAppWorld(t, {
    app: {
      imports: {
        begin: async (account_id) => (await ready.promise).begin(account_id),
        write: async (part) => (await ready.promise).write(part),
        start: async (of, how) => (await ready.promise).start(of, how),
        get: async (of) => (await ready.promise).get(of),
        remove: async (of) => (await ready.promise).remove(of),
        removeAll: async (id) => (await ready.promise).removeAll(id),
      },
    },
  });
  const context = { env: { ...process.env }, program: PROGRAM_WORDS };
  const imports = await createImports({ context, database: world.database, maxBytes });
  t.after(() => imports.close());
  ready.resolve(imports);
  return { ...world, imports, uploads: () => uploadsOf(world.database) };
}

/** Returns the folder of the uploads to a database of which one server runs. */
export function uploadsOf(database: string): string {
  const all = onlyFiles ? join(DATA, 'memory-gateway/uploads') : `${database}.uploads`;
  const [own, ...others] = readdirSync(all);
  assert.deepEqual(others, []);
  return join(all, own ?? '');
}

/** Starts the program on a database. */
export async function serveProgram(
  t: TestContext,
  database: string,
  options: readonly string[] = [],
) {
  const port = await freePort();
  const words = ['serve', '--port', String(port), ...options];
  // As an argument, the address of an owner would become the one of the reader.
  const server = startProcess(words, { env: { MEMORY_GATEWAY_DATABASE: database } });
  t.after(() => stop(server));
  await waitFor(server, 'stdout', /listening/);
  const signIn = async (secret: string) => {
    const browser = createTestBrowser({ port });
    await browser.post('/sessions', { way: 'link', secret });
    for (const token of browser.jar.values()) issued(token);
    return browser;
  };
  return { port, signIn, server };
}

export interface Sent {
  readonly name?: string;
  readonly bytes?: Buffer;
  readonly from?: number;
  readonly total?: number;
  readonly headers?: Record<string, string>;
}

/** Sends a part of a file, as the page does. */
export async function put(browser: TestBrowser, port: number, path: string, sent: Sent = {}) {
  const { name = 'week.json', bytes = SAMPLE, from = 0, total = bytes.length, headers = {} } = sent;
  const cookie = cookieOf(browser.jar);
  return send(port, {
    method: 'PUT',
    path: `/app/v1/imports/${path}`,
    headers: {
      host: `127.0.0.1:${port}`,
      origin: `http://127.0.0.1:${port}`,
      ...(cookie && { cookie }),
      'content-type': 'application/octet-stream',
      'content-range':
        total === 0 ? 'bytes */0' : `bytes ${from}-${from + bytes.length - 1}/${total}`,
      'x-file-name': encodeURIComponent(name),
      ...headers,
    },
    body: bytes,
  });
}

const stateOf = (answer: { readonly text: string }) => JSON.parse(answer.text) as ImportState;

export async function begin(browser: TestBrowser): Promise<string> {
  return stateOf(await browser.post('/imports')).id;
}

/** Waits until the importer has ended. */
export async function ended(browser: TestBrowser, id: string): Promise<ImportState> {
  for (;;) {
    const state = stateOf(await browser.get(`/imports/${id}`));
    if (!state.state.endsWith('ing')) return state;
    await sleep(50);
  }
}

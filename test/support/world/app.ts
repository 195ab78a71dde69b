// Serves a gateway with the web app on the fixtures, at any prefix and port, and makes what an owner makes in a terminal.

import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import type { AppOptions } from '../../../src/app/server/app-parts.ts';
import { openGateway } from '../../../src/app/server/open-with-app.ts';
import { readFixtures } from '../../../src/cli/commands/database/seed.ts';
import type { Gateway, GatewayOptions } from '../../../src/gateway/gateway.ts';
import { once as memo } from '../../../src/lib/once.ts';
import { engineOf } from '../../../src/store/engines.ts';
import { prepareMemory } from '../../../src/store/import/memory-row.ts';
import { createDatabase } from '../../../src/store/sqlite/writer.ts';
import { newFolder } from './artifacts.ts';
import { memories } from './world.ts';

/** A gateway with its app. */
export interface ServedApp {
  readonly database: string;
  readonly port: number;
  /** Returns an address of the app at a host, such as `http://127.0.0.1:1/prefix/app/`. */
  readonly at: (path?: string, host?: string) => string;
  /** Returns a sign-in link for an account, as `memory-gateway sign-in` prints it. */
  readonly link: (account?: string, host?: string) => Promise<string>;
  /** Stops listening. All connections end. */
  readonly stop: () => Promise<void>;
  /** Listens again, on the same port. */
  readonly restart: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Settings of a served app. */
export interface ServeAppOptions {
  /** The path prefix. Default: none. */
  readonly prefix?: string;
  /** A free port if there is none. */
  readonly port?: number;
  readonly gateway?: Partial<GatewayOptions>;
  readonly app?: AppOptions;
  /** A database that exists. Default: a new one with the memories of `fixtures/`. */
  readonly database?: string;
}

/** Serves the app. */
export async function serveApp(options: ServeAppOptions = {}): Promise<ServedApp> {
  const { prefix = '', database = createFixtures() } = options;
  const base = prefix === '' ? {} : { baseUrl: prefix };
  let running: { readonly gateway: Gateway; readonly server: Server } | undefined;
  const start = async (port: number) => {
    const gateway = openGateway({ database, app: options.app ?? {}, ...base, ...options.gateway });
    const server = createServer(gateway.listener).listen(port, '127.0.0.1');
    await once(server, 'listening');
    running = { gateway, server };
    return (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    const { gateway, server } = running ?? {};
    running = undefined;
    server?.closeAllConnections();
    server?.close();
    await gateway?.close();
  };
  const port = await start(options.port ?? 0);
  const at = (path = '', host = `127.0.0.1:${port}`) => `http://${host}${prefix}/app/${path}`;
  return {
    database,
    port,
    at,
    link: async (account = 'mira', host = `127.0.0.1:${port}`) =>
      at(`sign-in#${await createSecret(database, account)}`, host),
    stop,
    restart: async () => {
      await start(port);
    },
    close: stop,
  };
}

/** Creates the secret of a sign-in link. */
export async function createSecret(database: string, account: string): Promise<string> {
  const store = await engineOf(database).openApp();
  try {
    const { secret } = await store.links.create(account, 'command line');
    return secret;
  } finally {
    await store.close();
  }
}

/** Creates a database with the accounts and memories of `fixtures/`, and an account with several pages of them. */
function createFixtures(): string {
  const database = join(newFolder(), 'app.db');
  copyFileSync(fixtures(), database);
  return database;
}

/** Returns that database to copy, which this process makes once: it takes 70 ms of processor time. */
const fixtures = memo(() => {
  const database = join(newFolder(), 'fixtures.db');
  createDatabase(database, (writer) => {
    for (const { id, name, memories: own, detailsOf } of readFixtures()) {
      writer.accounts.create({ id, name, created_by: 'seed' });
      writer.memories.putReady([...own].map((each) => prepareMemory(id, each, detailsOf?.(each))));
    }
    writer.accounts.create({ id: 'many', name: 'Many Memories', created_by: 'seed' });
    writer.memories.putAll('many', memories(120));
  });
  return database;
});

// A server over a database file, in the test's own process.

import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

import { createGateway, type Gateway, type GatewayOptions } from '../../src/gateway/gateway.ts';
import { createServer } from '../../src/gateway/server.ts';
import type { SyncStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { openAny } from './engine.ts';

export interface Serving {
  readonly gateway: Gateway;
  readonly port: number;
}

export interface ServingOptions extends GatewayOptions {
  /** Stands between the gateway and its store. */
  readonly wrap?: (store: SyncStore) => Store;
}

/** Serves a database on a free port until the test ends. */
export async function createServerOn(
  t: TestContext,
  database: string,
  { wrap = (store) => store, ...options }: ServingOptions = {},
): Promise<Serving> {
  // What stands between is written as if it answered at once; it hands on what comes later.
  const store = (await openAny(database)) as SyncStore;
  const gateway = createGateway(wrap(store), options);
  const server = createServer(gateway.listener, options.log);
  t.after(() => store.close());
  return { gateway, port: await listen(t, server) };
}

/** Listens on a free port until the test ends; returns the port. */
export async function listen(t: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

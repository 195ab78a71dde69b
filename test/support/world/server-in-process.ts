// Serves a database file in the test's own process.

import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

import { createGateway, type Gateway, type GatewayOptions } from '../../../src/gateway/gateway.ts';
import { createServer } from '../../../src/gateway/server/server.ts';
import type { Store, SyncStore } from '../../../src/store/store.ts';
import { openAny } from '../engines/engine.ts';

export interface Serving {
  readonly gateway: Gateway;
  readonly port: number;
}

export interface ServingOptions extends GatewayOptions {
  /** Wraps the store. */
  readonly wrap?: (store: SyncStore) => Store;
}

/** Serves a database on a free port until the test ends. */
export async function createServerOn(
  t: TestContext,
  database: string,
  { wrap = (store) => store, ...options }: ServingOptions = {},
): Promise<Serving> {
  // The wrapped store is typed as synchronous, but the gateway accepts promises.
  const store = (await openAny(database)) as SyncStore;
  const gateway = createGateway(wrap(store), options);
  const server = createServer(gateway.listener, options.log);
  t.after(() => store.close());
  return { gateway, port: await listen(t, server) };
}

/** Listens on a free port until the test ends. Returns the port. */
export async function listen(t: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

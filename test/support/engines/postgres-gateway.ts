// A gateway on PostgreSQL in the test's own process, with its log.

import type { TestContext } from 'node:test';

import type { Gateway } from '../../../src/gateway/gateway.ts';
import { connectGateway, type ConnectGatewayOptions } from '../../../src/gateway/open.ts';
import { createServer } from '../../../src/gateway/server/server.ts';
import { leave } from '../world/artifacts.ts';
import { listen } from '../world/server-in-process.ts';

export interface Connected {
  readonly gateway: Gateway;
  readonly port: number;
  /** The failures that were logged, one sentence each. */
  readonly log: string[];
}

/** Serves a database on a free port until the test ends. */
export async function connectOn(
  t: TestContext,
  database: string,
  postgres: ConnectGatewayOptions['postgres'] = {},
): Promise<Connected> {
  const log: string[] = [];
  const error = (fields: object) => {
    const { err } = fields as { err?: Error };
    log.push(err?.name === 'Refusal' ? err.message : `NOT A REFUSAL: ${err?.stack}`);
    leave(JSON.stringify(fields) + String(err));
  };
  // Without a cache, because a cached response reads from no server.
  const gateway = await connectGateway({ database, postgres, cacheBytes: 0, log: { error } });
  t.after(() => gateway.close());
  return { gateway, log, port: await listen(t, createServer(gateway.listener)) };
}

// A connection pool of the driver with timeouts, droppable idle connections, and a bounded shutdown.

import { Socket } from 'node:net';

import type { Pool, PoolClient, PoolConfig, types } from 'pg';

import { delay } from '../../../contract/abort.ts';

/** The timeout for getting a connection, from the pool or over the network. */
const CONNECT_MS = 2000;

/** The client's timeout is this much longer than the server's, for servers that have stopped responding. */
const RESULT_MARGIN_MS = 1000;

/** The interval of TCP keep-alive, which detects connections that the network has dropped. */
const KEEP_ALIVE_MS = 10_000;

/** How long closing may take before sockets are destroyed. */
const CLOSE_TIMEOUT_MS = 1000;

/** The type ids of `bigint` and `numeric`, which we read as numbers. All our values are below 2⁵³. */
const NUMERIC_TYPES = new Set([20, 1700]);

/** Options of a pool. Times are in milliseconds. */
export interface PoolOptions {
  readonly connections: number;
  /** 0 means no timeout. */
  readonly statementMs: number;
  readonly lockMs: number;
  readonly isReadOnly: boolean;
  readonly onError: (error: Error) => void;
}

/** A pool of the driver with the operations that the driver lacks. */
export interface BoundedPool {
  readonly pool: Pool;
  /** The client's timeout of a statement. The server cancels it earlier if it can. */
  readonly resultTimeoutMs: number;
  /** Drops idle connections. Never rejects. */
  readonly dropIdle: () => Promise<void>;
  /** Closes all connections. After a second it destroys sockets whose server does not respond. */
  readonly close: () => Promise<void>;
}

/** Creates a pool. It connects on first use. */
export function createPool(
  pg: { readonly Pool: typeof Pool; readonly types: typeof types },
  address: string,
  { connections, statementMs, lockMs, isReadOnly, onError }: PoolOptions,
): BoundedPool {
  const sockets = new Set<Socket>();
  const { getTypeParser } = pg.types;
  const config: PoolConfig = {
    application_name: 'memory-gateway',
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: 3600,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: 2 * statementMs,
    // `options` in the address replaces this.
    options: isReadOnly ? '-c default_transaction_read_only=on' : undefined,
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        NUMERIC_TYPES.has(oid) ? Number : getTypeParser(oid, format)) as typeof getTypeParser,
    },
    connectionString: address,
    stream() {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once('close', () => sockets.delete(socket));
    },
  };
  const pool: Pool = new pg.Pool(config);
  // Without a listener, a broken idle connection would end the process.
  pool.on('error', (error) => {
    delete (error as { client?: unknown }).client; // the error is cached for a while and must not hold the connection
    onError(error);
  });
  let dropping: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  return {
    pool,
    resultTimeoutMs: statementMs === 0 ? Infinity : statementMs + RESULT_MARGIN_MS,
    dropIdle: () => (dropping ??= dropAll().finally(() => (dropping = undefined))),
    close: () => (closing ??= end()),
  };

  async function dropAll(): Promise<void> {
    await Promise.all(Array.from({ length: pool.idleCount }, dropOne));
  }

  async function dropOne(): Promise<void> {
    try {
      (await reserve(pool, () => {})).release(true);
    } catch {
      // The connection is gone already.
    }
  }

  async function end(): Promise<void> {
    const ended = new AbortController();
    const cutting = cut(ended.signal);
    await pool.end(); // waits for statements, but not for sockets to close
    await Promise.all(
      Array.from(sockets, (socket) => new Promise((closed) => socket.once('close', closed))),
    );
    ended.abort();
    await cutting;
  }

  async function cut(signal: AbortSignal): Promise<void> {
    await delay(CLOSE_TIMEOUT_MS, signal).catch(() => {});
    for (const socket of sockets) socket.destroy();
  }
}

/**
 * Reserves a connection. It is listened to from the callback on: if the server ends it in the packet that opened it,
 * the error arrives before a promise would be awaited, and would end the process.
 */
export function reserve(pool: Pool, onError: (error: unknown) => void): Promise<PoolClient> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (client === undefined) {
        reject(error);
        return;
      }
      client.on('error', onError);
      resolve(client);
    });
  });
}

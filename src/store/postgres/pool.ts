// The pool: connections with bounds, which can be dropped while nobody uses them, and which end when they must.

import { Socket } from 'node:net';

import type { Pool, PoolConfig, types } from 'pg';

import { pause } from '../../contract/pause.ts';

/** How long a statement waits for a connection, of the pool or of the network. */
export const CONNECT_MS = 2000;

/** How much later than the server we give a statement up: one that has stopped does not tell that it took too long. */
const SILENCE_MS = 1000;

/** An idle connection is tried so often, by TCP, that a network which has dropped it is noticed. */
const PROBE_MS = 10_000;

/** How long a server may take to say goodbye, before the connections are cut. */
const END_MS = 1000;

/** Values that are numbers to us: `bigint` and sums, which JavaScript has no room for beyond 2⁵³. */
const NUMBERS = new Set([20, 1700]);

/** How many connections, how long a statement and its wait for a lock may take, whether any may write, and who hears of idle ones that break. */
export interface PoolOptions {
  readonly connections: number;
  /** 0: without end. */
  readonly statementMs: number;
  readonly lockMs: number;
  readonly isReadOnly: boolean;
  readonly onError: (error: Error) => void;
}

/** A pool of the driver, and what that has no word for. */
export interface OurPool {
  readonly pool: Pool;
  /** When an answer that does not come is given up; the server has cancelled the statement before, if it can. */
  readonly answerMs: number;
  /** Drops the connections that nobody uses. Never rejects. */
  readonly dropIdle: () => Promise<void>;
  /** Ends all connections; after a second also those whose server is silent. */
  readonly close: () => Promise<void>;
}

/** Makes a pool of connections; none is made before it is wanted. */
export function createPool(
  pg: { readonly Pool: typeof Pool; readonly types: typeof types },
  address: string,
  { connections, statementMs, lockMs, isReadOnly, onError }: PoolOptions,
): OurPool {
  const sockets = new Set<Socket>();
  const { getTypeParser } = pg.types;
  const config: PoolConfig = {
    application_name: 'memory-gateway',
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: 3600,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_MS,
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: 2 * statementMs,
    // What stands in the address as its options comes in the place of this one.
    options: isReadOnly ? '-c default_transaction_read_only=on' : undefined,
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        NUMBERS.has(oid) ? Number : getTypeParser(oid, format)) as typeof getTypeParser,
    },
    connectionString: address,
    stream() {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once('close', () => sockets.delete(socket));
    },
  };
  const pool: Pool = new pg.Pool(config);
  // Without a listener, one that breaks would end the process.
  pool.on('error', (error) => {
    delete (error as { client?: unknown }).client; // the error is kept for a while, its connection is not
    onError(error);
  });
  let dropping: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  return {
    pool,
    answerMs: statementMs === 0 ? Infinity : statementMs + SILENCE_MS,
    dropIdle: () => (dropping ??= dropAll().finally(() => (dropping = undefined))),
    close: () => (closing ??= end()),
  };

  async function dropAll(): Promise<void> {
    await Promise.all(Array.from({ length: pool.idleCount }, dropOne));
  }

  async function dropOne(): Promise<void> {
    try {
      (await pool.connect()).release(true);
    } catch {
      // It is gone by itself.
    }
  }

  async function end(): Promise<void> {
    const ended = new AbortController();
    const cutting = cut(ended.signal);
    await pool.end(); // which waits for statements, and not for connections
    await Promise.all(
      Array.from(sockets, (socket) => new Promise((closed) => socket.once('close', closed))),
    );
    ended.abort();
    await cutting;
  }

  async function cut(signal: AbortSignal): Promise<void> {
    await pause(END_MS, signal).catch(() => {});
    for (const socket of sockets) socket.destroy();
  }
}

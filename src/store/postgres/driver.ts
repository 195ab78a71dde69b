// The driver: what is asked of PostgreSQL is answered or given up in time, and a broken connection is asked over once.

import type { PoolClient } from 'pg';

import { showDatabase } from '../address.ts';
import { keepAlike } from '../alike.ts';
import { Refusal } from '../refusal.ts';
import { ask, lend, type Client } from './asking.ts';
import type { Prepared } from './build.ts';
import { codeOf, explainPostgres, isLost } from './errors.ts';
import { CONNECT_MS, createPool } from './pool.ts';

/** How a database is connected to. Times are in milliseconds; what stands in its address comes before these. */
export interface ConnectOptions {
  /** How many connections at most: 10 if left out. */
  readonly connections?: number | undefined;
  /** How long a statement may take: 5 s if left out, and without end where it is 0. */
  readonly statementMs?: number | undefined;
  /** How long a statement may wait for a lock: 1 s if left out. */
  readonly lockMs?: number | undefined;
  /** Whether the server refuses all writes on these connections. */
  readonly isReadOnly?: boolean | undefined;
  /** Hears of connections that break while nobody uses them. */
  readonly onError?: ((error: Error) => void) | undefined;
}

const CONNECTIONS = 10;
/** How long a statement may take where nobody says. */
export const STATEMENT_MS = 5000;
const LOCK_MS = 1000;

/** How many statements may wait for a connection, for each that there may be. */
const WAITING = 100;

/** For so long what fails alike is one error, which the log has once. */
const ALIKE_MS = 10_000;

/** A pool of connections to one server. */
export interface Connections {
  readonly address: string;
  /**
   * Reads by a query that is prepared by its name, on any connection; where that one was lost, it is read
   * once more on a new one. Fails with `Refusal`.
   */
  readonly query: <Values, Row>(prepared: Prepared<Values, Row>, values: Values) => Promise<Row[]>;
  /** Does work on one connection, which nobody else has meanwhile. */
  withClient<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /** How many connections there are, how many are idle, and how many statements wait for one. */
  stats(): { readonly total: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}

/** Makes a pool of connections; none is made before it is wanted. Fails with `Refusal` where the driver is not installed. */
export async function connect(address: string, options: ConnectOptions = {}): Promise<Connections> {
  const { connections = CONNECTIONS, statementMs = STATEMENT_MS, lockMs = LOCK_MS } = options;
  const alike = keepAlike(ALIKE_MS);
  const bounds = { connections, statementMs, lockMs, isReadOnly: options.isReadOnly ?? false };
  const made = createPool(await loadDriver(), address, {
    ...bounds,
    onError: (error) => options.onError?.(explain(error) as Error),
  });
  const { pool } = made;

  return {
    address,
    async query({ name, text, parameters }, values) {
      requireRoom();
      const asked = { name, text, values: parameters(values) };
      const ends = performance.now() + CONNECT_MS + made.answerMs;
      try {
        return await ask(pool, asked, made.answerMs);
      } catch (error) {
        if (!isLost(error)) throw explain(error);
      }
      // What has ended one connection has ended others as a rule, which have yet to notice.
      await made.dropIdle();
      const left = Math.max(1, ends - performance.now());
      try {
        return await ask(pool, asked, left);
      } catch (error) {
        throw explain(error);
      }
    },
    async withClient(work) {
      requireRoom();
      let client: PoolClient | undefined;
      let fault: unknown;
      const noteFault = (error: unknown) => (fault = error);
      try {
        client = await pool.connect();
        client.on('error', noteFault);
        return await work(lend(client, made.answerMs));
      } catch (error) {
        throw explain((fault = error));
      } finally {
        client?.off('error', noteFault);
        client?.release(fault !== undefined);
      }
    },
    stats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: made.close,
  };

  /** Also what others know of the connections is doubted where one of them answers nothing. */
  function explain(error: unknown): unknown {
    if (codeOf(error) === 'ETIMEDOUT') void made.dropIdle();
    const explained = explainPostgres(error, address);
    return explained instanceof Refusal ? alike(explained) : explained;
  }

  function requireRoom(): void {
    if (pool.waitingCount < connections * WAITING) return;
    throw explain(
      new Refusal(
        `${showDatabase(address)} has all our connections in use, and too many statements wait for one; raise --connections, or see what is slow.`,
        { trouble: 'busy' },
      ),
    );
  }
}

async function loadDriver() {
  try {
    return (await import('pg')).default;
  } catch (cause) {
    throw new Refusal('PostgreSQL is reached by the package pg; install it with: npm install pg', {
      cause,
    });
  }
}

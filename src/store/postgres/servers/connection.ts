// Connections to a PostgreSQL server: every statement has a deadline, and a read on a lost connection is retried once.

import type { PoolClient, Pool, QueryResult } from 'pg';

import { dedupeErrors } from '../../../lib/dedupe-errors.ts';
import { showDatabase } from '../../address.ts';
import { Refusal } from '../../refusal.ts';
import { errorCode, explainPostgres, isConnectionLost } from '../errors.ts';
import type { Prepared } from '../statements.ts';
import { createPool, reserve } from './pool.ts';

/** A statement for the driver. A named one is prepared once per connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: unknown[];
}

/** The rows returned, and the number of rows read or written. */
type StatementResult<Row> = Pick<QueryResult, 'rowCount'> & { readonly rows: Row[] };

/** A connection reserved for one piece of work. */
export interface Client {
  query<Row>(statement: string | Statement, values?: unknown[]): Promise<StatementResult<Row>>;
}

/** Receives the result of a statement, or its error. */
type OnResult = (fault: Error | null | undefined, answer?: QueryResult) => void;

/** The driver's own message for a timeout, which `errorCode` recognises. */
const TIMEOUT_MESSAGE = 'Query read timeout';

/**
 * Runs a statement on any connection of a pool. If it fails, the connection is dropped: a late result
 * must not reach the next statement.
 */
function runOnPool<Row>(pool: Pool, statement: Statement, withinMs: number): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client, release) => {
      if (client === undefined) {
        reject(error);
        return;
      }
      const onResult = callOnce((fault, answer) => {
        client.off('error', onResult);
        release(fault ?? undefined);
        if (answer === undefined) reject(fault);
        else resolve(answer.rows as Row[]);
      });
      client.on('error', onResult);
      runStatement(client, statement, withinMs, onResult);
    });
  });
}

/** Wraps a connection so that each statement has a timeout. After a timeout the caller must drop the connection. */
export function withTimeout(client: PoolClient, withinMs: number): Client {
  return {
    query: <Row>(text: string | Statement, values?: unknown[]) =>
      new Promise<StatementResult<Row>>((resolve, reject) => {
        const statement = typeof text === 'string' ? { text } : text;
        const onResult = callOnce((fault, answer) => {
          if (answer === undefined) reject(fault);
          else resolve(answer);
        });
        runStatement(client, { ...statement, ...(values && { values }) }, withinMs, onResult);
      }),
  };
}

/**
 * Runs a statement with a timeout. The driver's own `query_timeout` makes each statement refer to
 * itself, so V8 frees its rows only in a full garbage collection. Measured: a page of 50 costs half as
 * much CPU again.
 */
function runStatement(
  client: PoolClient,
  statement: Statement,
  withinMs: number,
  onResult: OnResult,
): void {
  const expire = () => onResult(new Error(TIMEOUT_MESSAGE));
  const timer = withinMs < Infinity ? setTimeout(expire, withinMs) : undefined;
  client.query(statement, (fault: Error | null, answer?: QueryResult) => {
    clearTimeout(timer);
    onResult(fault, answer);
  });
}

/** Calls a callback once: a dropped connection also fails its statement. */
function callOnce(onResult: OnResult): OnResult {
  let wasCalled = false;
  return (...result) => {
    if (wasCalled) return;
    wasCalled = true;
    onResult(...result);
  };
}

/** Options of a connection pool. Times are in milliseconds. The database address can override them. */
export interface ConnectOptions {
  /** The most connections. Default: 10. */
  readonly connections?: number | undefined;
  /** The timeout of a statement. Default: 5 s. 0 means none. */
  readonly statementMs?: number | undefined;
  /** How long a statement may wait for a lock. Default: 1 s. */
  readonly lockMs?: number | undefined;
  /** Whether the server refuses all writes on these connections. */
  readonly isReadOnly?: boolean | undefined;
  /** Is called when an idle connection breaks. */
  readonly onError?: ((error: Error) => void) | undefined;
}

const DEFAULT_CONNECTIONS = 10;
/** The default timeout of a statement. */
export const DEFAULT_STATEMENT_MS = 5000;
const DEFAULT_LOCK_MS = 1000;

/** The most statements that may wait for a connection, per connection of the pool. */
const MAX_WAITING_PER_CONNECTION = 100;

/** Errors with the same message within this time are one error, so the log has it once. */
const DEDUPE_MS = 10_000;

/** A pool of connections to one server. */
export interface ConnectionPool {
  readonly address: string;
  /**
   * Runs a prepared read on any connection, and retries it once on a new one if the connection was
   * lost and time is left. Takes at most the times for a connection and for a statement. Rejects with
   * `Refusal`.
   */
  readonly query: <Values, Row>(prepared: Prepared<Values, Row>, values: Values) => Promise<Row[]>;
  /** Runs work on one reserved connection. */
  withClient<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /** Counts connections, idle ones, and statements waiting for one. */
  stats(): { readonly total: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}

/** Creates a connection pool. It connects on first use. Rejects with `Refusal` if the driver is not installed. */
export async function connect(
  address: string,
  options: ConnectOptions = {},
): Promise<ConnectionPool> {
  const {
    connections = DEFAULT_CONNECTIONS,
    statementMs = DEFAULT_STATEMENT_MS,
    lockMs = DEFAULT_LOCK_MS,
  } = options;
  const dedupe = dedupeErrors(DEDUPE_MS);
  const limits = { connections, statementMs, lockMs, isReadOnly: options.isReadOnly ?? false };
  const bounded = createPool(await loadDriver(), address, {
    ...limits,
    onError: (error) => options.onError?.(explain(error) as Error),
  });
  const { pool } = bounded;

  return {
    address,
    async query({ name, text, parameters }, values) {
      requireRoom();
      const statement = { name, text, values: parameters(values) };
      const deadline = performance.now() + bounded.resultTimeoutMs;
      const leftMs = () => deadline - performance.now();
      try {
        return await runOnPool(pool, statement, bounded.resultTimeoutMs);
      } catch (error) {
        const isLost = isConnectionLost(error);
        // Whatever ended this connection has usually ended the idle ones, too.
        if (isLost && leftMs() > 0) await bounded.dropIdle();
        if (!isLost || leftMs() <= 0) throw explain(error);
      }
      try {
        return await runOnPool(pool, statement, leftMs());
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
        client = await reserve(pool, noteFault);
        return await work(withTimeout(client, bounded.resultTimeoutMs));
      } catch (error) {
        throw explain((fault = error));
      } finally {
        client?.off('error', noteFault);
        client?.release(fault !== undefined);
      }
    },
    stats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: bounded.close,
  };

  /** After a timeout, idle connections are suspect as well. */
  function explain(error: unknown): unknown {
    if (errorCode(error) === 'ETIMEDOUT') void bounded.dropIdle();
    const explained = explainPostgres(error, address);
    return explained instanceof Refusal ? dedupe(explained) : explained;
  }

  function requireRoom(): void {
    if (pool.waitingCount < connections * MAX_WAITING_PER_CONNECTION) return;
    throw explain(
      new Refusal(
        `${showDatabase(address)} has all connections in use and too many statements waiting. Raise --connections, or find the slow statements.`,
        { code: 'busy' },
      ),
    );
  }
}

async function loadDriver() {
  try {
    return (await import('pg')).default;
  } catch (cause) {
    throw new Refusal('PostgreSQL needs the package pg; install it with: npm install pg', {
      cause,
    });
  }
}

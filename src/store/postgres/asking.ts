// Asking: a statement on a connection, given up when its time is over.

import type { Pool, PoolClient, QueryResult } from 'pg';

/** A statement as the driver takes it; one that has a name is prepared by it. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: unknown[];
}

/** The rows that came, and how many were read or written. */
type Answer<Row> = Pick<QueryResult, 'rowCount'> & { readonly rows: Row[] };

/** A connection that nobody else has meanwhile. */
export interface Client {
  query<Row>(asked: string | Statement, values?: unknown[]): Promise<Answer<Row>>;
}

/** What the driver says itself where it gives a statement up, which `codeOf` knows. */
const LATE = 'Query read timeout';

/**
 * Asks on any connection of a pool, which is dropped where that fails: an answer that comes late is
 * nobody's. The driver's own `query_timeout` would do, but by it each statement holds itself: V8 then
 * took the rows of every answer for used until it had marked its whole heap, which made a page of 50
 * half as dear again.
 */
export function ask<Row>(pool: Pool, asked: Statement, withinMs: number): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client, release) => {
      if (client === undefined) {
        reject(error);
        return;
      }
      let timer: NodeJS.Timeout | undefined;
      let isOver = false;
      const end = (fault: Error | null | undefined, result?: QueryResult) => {
        if (isOver) return; // a connection that is dropped fails its statement, too
        isOver = true;
        clearTimeout(timer);
        client.off('error', end);
        release(fault ?? undefined);
        if (result === undefined) reject(fault);
        else resolve(result.rows as Row[]);
      };
      if (withinMs < Infinity) timer = setTimeout(() => end(new Error(LATE)), withinMs);
      client.on('error', end);
      client.query(asked, end);
    });
  });
}

/** Lends a connection: each statement on it is given up after so long. */
export function lend(client: PoolClient, withinMs: number): Client {
  const within = withinMs < Infinity && { query_timeout: withinMs };
  return {
    query<Row>(asked: string | Statement, values?: unknown[]) {
      const statement = typeof asked === 'string' ? { text: asked } : asked;
      const given = { ...statement, ...(values && { values }), ...within };
      const answer: Promise<Answer<unknown>> = client.query(given);
      return answer as Promise<Answer<Row>>;
    },
  };
}

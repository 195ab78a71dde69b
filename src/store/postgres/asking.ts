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

/** Hears once of an answer, or of why there is none. */
type Hear = (fault: Error | null | undefined, answer?: QueryResult) => void;

/** What the driver says itself where it gives a statement up, which `codeOf` knows. */
const LATE = 'Query read timeout';

/**
 * Asks on any connection of a pool, which is dropped where that fails: an answer that comes late is
 * nobody's.
 */
export function ask<Row>(pool: Pool, asked: Statement, withinMs: number): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client, release) => {
      if (client === undefined) {
        reject(error);
        return;
      }
      const hear = once((fault, answer) => {
        client.off('error', hear);
        release(fault ?? undefined);
        if (answer === undefined) reject(fault);
        else resolve(answer.rows as Row[]);
      });
      client.on('error', hear);
      askOn(client, asked, withinMs, hear);
    });
  });
}

/** Lends a connection: each statement on it is given up after so long, and with it the connection, by who has lent it. */
export function lend(client: PoolClient, withinMs: number): Client {
  return {
    query: <Row>(asked: string | Statement, values?: unknown[]) =>
      new Promise<Answer<Row>>((resolve, reject) => {
        const statement = typeof asked === 'string' ? { text: asked } : asked;
        const hear = once((fault, answer) => {
          if (answer === undefined) reject(fault);
          else resolve(answer);
        });
        askOn(client, { ...statement, ...(values && { values }) }, withinMs, hear);
      }),
  };
}

/**
 * Asks, and gives up in time. The driver's own `query_timeout` would do, but by it each statement holds
 * itself: V8 then took the rows of every answer for used until it had marked its whole heap, which made
 * a page of 50 half as dear again.
 */
function askOn(client: PoolClient, asked: Statement, withinMs: number, hear: Hear): void {
  const late = () => hear(new Error(LATE));
  const timer = withinMs < Infinity ? setTimeout(late, withinMs) : undefined;
  client.query(asked, (fault: Error | null, answer?: QueryResult) => {
    clearTimeout(timer);
    hear(fault, answer);
  });
}

/** A connection that is dropped fails its statement, too. */
function once(hear: Hear): Hear {
  let hasHeard = false;
  return (...heard) => {
    if (hasHeard) return;
    hasHeard = true;
    hear(...heard);
  };
}

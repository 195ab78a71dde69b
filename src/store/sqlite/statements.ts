// Prepared statements: a query is prepared when it first runs, and then kept for the life of its connection.

import { hash } from 'node:crypto';

import type { Database, Statement } from 'better-sqlite3';

import { systemTime } from '../../lib/time.ts';
import { bindSlots, type Compiled, type Connection, type NamedQuery } from '../sql/query.ts';

/**
 * Runs writes in one transaction: all are committed, or none if `work` throws or rejects. Asynchronous
 * work must have the connection to itself. Within a transaction, `work` becomes a part of it.
 */
export function inTransaction<T>(db: Database, work: () => T): T {
  if (db.inTransaction) return work();
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    if (result instanceof Promise) return result.then(commit).catch(undo) as T;
    return commit(result);
  } catch (error) {
    return undo(error);
  }

  function commit<R>(result: R): R {
    db.exec('COMMIT');
    return result;
  }

  function undo(error: unknown): never {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** A prepared statement that takes its values by name. */
export interface PreparedStatement<Values, Row> {
  get(values: Values): Row | undefined;
  all(values: Values): Row[];
  /** Steps through rows. Finish before awaiting anything, because the connection is busy until then. */
  iterate(values: Values): IterableIterator<Row>;
  /** Runs a write and returns the number of changed rows. */
  run(values: Values): number;
}

/**
 * Hides parameters from SQLite's query planner. better-sqlite3 compiles SQLite with STAT4, whose planner
 * looks at the values of some parameters (in a join, a LIMIT, an index with ORDER BY). Such a statement
 * is prepared again on every run. The planner does not look behind a unary plus, which has no other
 * effect. Measured: the positions of a page 24 → 6 µs, a key with its account 16 → 4 µs.
 */
export function hideParameters(sql: string): string {
  return sql.replaceAll('?', '+?'); // Kysely writes no literals, so each `?` is a parameter
}

/** Returns a prepared statement for a query. It is prepared at its first run, because a gateway has dozens and may need two. */
export function prepareOn<Values, Row>(
  db: Database,
  query: NamedQuery<Values, Row>,
): PreparedStatement<Values, Row> {
  let compiled: Compiled<Values>;
  let statement: Statement<unknown[], Row> | undefined;

  function prepared(): Statement<unknown[], Row> {
    compiled = { sql: query.sql, slots: query.slots };
    return (statement = db.prepare<unknown[], Row>(hideParameters(compiled.sql)));
  }

  return {
    get: (values) => (statement ?? prepared()).get(...bindSlots(compiled, values)),
    all: (values) => (statement ?? prepared()).all(...bindSlots(compiled, values)),
    iterate: (values) => (statement ?? prepared()).iterate(...bindSlots(compiled, values)),
    run: (values) => (statement ?? prepared()).run(...bindSlots(compiled, values)).changes,
  };
}

/** Prepares a query of one column. It returns the values alone: an object for each row takes twice the time. */
export function prepareColumn<Values, Row>(
  db: Database,
  query: NamedQuery<Values, Row>,
): (values: Values) => Row[keyof Row][] {
  let compiled: Compiled<Values>;
  let statement: Statement<unknown[], Row[keyof Row]> | undefined;
  return (values) => {
    if (statement === undefined) {
      compiled = { sql: query.sql, slots: query.slots };
      statement = db.prepare<unknown[], Row[keyof Row]>(hideParameters(compiled.sql)).pluck();
    }
    return statement.all(...bindSlots(compiled, values));
  };
}

/** Returns a connection with the function `sha256`, as PostgreSQL has it. */
export function hashingConnectionTo(db: Database): Connection {
  db.function('sha256', { deterministic: true }, (bytes) =>
    bytes instanceof Uint8Array ? hash('sha256', bytes, 'buffer') : null,
  );
  return connectionTo(db);
}

/** Returns a connection for the writes that both engines share, with the clock that they take times from. */
export function connectionTo(db: Database, now: () => number = systemTime): Connection {
  return {
    now,
    prepare: (query) => prepareOn(db, query),
    transaction: (work) => inTransaction(db, work),
  };
}

// Held statements: a query prepared once for the life of its connection.
import type { Database } from 'better-sqlite3';

import type { Query } from './query.ts';

/** A prepared query that takes its values by name. */
export interface Held<Values, Row> {
  get(values: Values): Row | undefined;
  all(values: Values): Row[];
  /** Steps through rows; must be left before anything is awaited, as the connection is busy till then. */
  iterate(values: Values): IterableIterator<Row>;
  /** Runs a write and returns how many rows it changed. */
  run(values: Values): number;
}

/** Prepares a query on a connection. */
export function hold<Values, Row>(db: Database, query: Query<Values, Row>): Held<Values, Row> {
  const statement = db.prepare<unknown[], Row>(query.sql);
  const bind = query.parameters;
  return {
    get: (values) => statement.get(...bind(values)),
    all: (values) => statement.all(...bind(values)),
    iterate: (values) => statement.iterate(...bind(values)),
    run: (values) => statement.run(...bind(values)).changes,
  };
}

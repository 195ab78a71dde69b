// Queries for PostgreSQL: built as those of SQLite are, in a schema of their own, and named so that they are prepared once.

import { hash } from 'node:crypto';

import {
  createQueryId,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  DummyDriver,
  PostgresAdapter,
  PostgresQueryCompiler,
  QueryCreator,
  WithSchemaPlugin,
} from 'kysely';

import { lazy } from '../lazy.ts';
import type { Query } from '../query.ts';
import type { PostgresTables } from './tables.ts';

/** The schema in which all tables are. */
export const SCHEMA = 'memory_gateway';

const executor = new DefaultQueryExecutor(
  new PostgresQueryCompiler(),
  new PostgresAdapter(),
  new DefaultConnectionProvider(new DummyDriver()),
  [new WithSchemaPlugin(SCHEMA)],
);

/** Builds queries that only PostgreSQL takes; as all others they run by the driver. */
export const buildPostgres = new QueryCreator<PostgresTables>({ executor });

/** A query as the driver takes it: its name tells it from all others. */
export interface Prepared<Values, Row> {
  readonly name: string;
  readonly text: string;
  readonly parameters: (values: Values) => unknown[];
  readonly row?: Row;
}

/** Compiles a query for PostgreSQL, when it is first wanted. */
export function prepare<Values, Row>(query: Query<Values, Row>): () => Prepared<Values, Row> {
  return lazy(() => {
    const { sql: text, parameters } = query.compileBy((node) => {
      const id = createQueryId();
      return executor.compileQuery(executor.transformQuery(node, id), id);
    });
    return { name: `memory_gateway_${hash('sha256', text).slice(0, 16)}`, text, parameters };
  });
}

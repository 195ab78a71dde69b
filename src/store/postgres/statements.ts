// Prepared statements of PostgreSQL: queries compiled into our schema, each with a name so that it is prepared once.

import { hash } from 'node:crypto';

import type { ColumnType } from 'kysely';
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

import { once } from '../../lib/once.ts';
import { bindSlots, type NamedQuery } from '../sql/query.ts';
import type { Tables } from '../sql/tables/tables.ts';

/** The tables of the PostgreSQL schema, including temporary ones. */
export interface PostgresTables extends Omit<Tables, 'memories' | 'search_weeks'> {
  schema_versions: SchemaVersionTable;
  memories: Omit<Tables['memories'], 'pk'> & SearchedColumns;
  search_weeks: Tables['search_weeks'];
  'pg_temp.imported': Tables['imported'];
}

/** An applied migration. */
export interface SchemaVersionTable {
  version: number;
  name: string;
}

/** The columns that search uses. */
export interface SearchedColumns {
  /** All words in order, a space around each, and "_" between texts. */
  words: ColumnType<string, string | Uint8Array, string | Uint8Array>;
  /** Each distinct term with its shard prefix. Null if there are too many for an index entry. */
  lexemes: string | null;
}

/** The schema of all our tables. */
export const SCHEMA = 'memory_gateway';

const executor = new DefaultQueryExecutor(
  new PostgresQueryCompiler(),
  new PostgresAdapter(),
  new DefaultConnectionProvider(new DummyDriver()),
  [new WithSchemaPlugin(SCHEMA)],
);

/** Builds queries that only PostgreSQL understands. */
export const postgresQuery = new QueryCreator<PostgresTables>({ executor });

/** A compiled query with its statement name. */
export interface Prepared<Values, Row> {
  readonly name: string;
  readonly text: string;
  readonly parameters: (values: Values) => unknown[];
  readonly row?: Row;
}

/** Returns a function that compiles a query for PostgreSQL on first use. */
export function prepare<Values, Row>(query: NamedQuery<Values, Row>): () => Prepared<Values, Row> {
  return once(() => {
    const compiled = query.compileBy((node) => {
      const id = createQueryId();
      return executor.compileQuery(executor.transformQuery(node, id), id);
    });
    const { sql: text } = compiled;
    const name = `memory_gateway_${hash('sha256', text).slice(0, 16)}`;
    return { name, text, parameters: (values) => bindSlots(compiled, values) };
  });
}

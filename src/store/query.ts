// Queries: built by Kysely once, when first wanted, with named slots where values go, and run on held statements.

import {
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  DummyDriver,
  QueryCreator,
  SqliteAdapter,
  SqliteQueryCompiler,
  type Compilable,
  type CompiledQuery,
  type RootOperationNode,
} from 'kysely';

import { lazy } from './lazy.ts';
import type { Tables } from './tables.ts';

/**
 * Builds queries and cannot run any: its driver is a dummy, so all SQL runs on held statements. It is
 * what stands in a `Kysely`, without the third of the library that changes schemas.
 */
export const build = new QueryCreator<Tables>({
  executor: new DefaultQueryExecutor(
    new SqliteQueryCompiler(),
    new SqliteAdapter(),
    new DefaultConnectionProvider(new DummyDriver()),
  ),
});

/** SQL text, and the function that puts named values in the order of its placeholders. */
export interface Compiled<Values> {
  readonly sql: string;
  readonly parameters: (values: Values) => unknown[];
}

/** A query as SQLite takes it, and as others do. */
export interface Query<Values, Row> extends Compiled<Values> {
  /** Compiles it for another engine. */
  readonly compileBy: (compile: (node: RootOperationNode) => CompiledQuery) => Compiled<Values>;
  readonly row?: Row;
}

/** Stands in a query for the value that `name` will have when it runs. */
export type Slot<Values> = <K extends keyof Values & string>(name: K) => Values[K];

interface Placeholder {
  readonly slot: string;
}

/** Takes down how a query is written; it is built and compiled once, when it is first wanted. */
export function query<Values, Row>(
  write: (slot: Slot<Values>) => Compilable<Row>,
): Query<Values, Row> {
  const written = lazy(() => compile(write));
  const compiled = lazy(() => withSlots<Values>(written()));
  return {
    get sql() {
      return compiled().sql;
    },
    parameters: (values) => compiled().parameters(values),
    compileBy: (other) => withSlots(other(written().query)),
  };
}

/**
 * Builds a query. Kysely has no placeholders of its own, so each slot travels through the builder as
 * an object in the place of its value and is found again among the parameters.
 */
function compile<Values, Row>(write: (slot: Slot<Values>) => Compilable<Row>): CompiledQuery {
  const slot: Slot<Values> = (name) => ({ slot: name }) as Values[typeof name];
  return write(slot).compile();
}

function withSlots<Values>({ sql, parameters }: CompiledQuery): Compiled<Values> {
  const names = parameters.map((parameter) => (isPlaceholder(parameter) ? parameter.slot : null));
  return {
    sql,
    parameters: (values) =>
      names.map((name, i) =>
        name === null ? parameters[i] : (values as Record<string, unknown>)[name],
      ),
  };
}

function isPlaceholder(parameter: unknown): parameter is Placeholder {
  return typeof parameter === 'object' && parameter !== null && 'slot' in parameter;
}

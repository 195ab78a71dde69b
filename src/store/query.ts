// Queries: built by Kysely once, with named slots where values go, and run on held statements.

import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Compilable,
} from 'kysely';

import type { Tables } from './tables.ts';

/** Builds queries and cannot run any: its driver is a dummy, so all SQL runs on held statements. */
export const build = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** SQL text, and the function that puts named values in the order of its placeholders. */
export interface Query<Values, Row> {
  readonly sql: string;
  readonly parameters: (values: Values) => unknown[];
  readonly row?: Row;
}

/** Stands in a query for the value that `name` will have when it runs. */
export type Slot<Values> = <K extends keyof Values & string>(name: K) => Values[K];

interface Placeholder {
  readonly slot: string;
}

/**
 * Compiles a query once. Kysely has no placeholders of its own, so each slot travels through the
 * builder as an object in the place of its value and is found again among the parameters.
 */
export function query<Values, Row>(
  write: (slot: Slot<Values>) => Compilable<Row>,
): Query<Values, Row> {
  const slot: Slot<Values> = (name) => ({ slot: name }) as Values[typeof name];
  const compiled = write(slot).compile();
  const names = compiled.parameters.map((parameter) =>
    isPlaceholder(parameter) ? parameter.slot : null,
  );
  return {
    sql: compiled.sql,
    parameters: (values) =>
      names.map((name, i) =>
        name === null ? compiled.parameters[i] : (values as Record<string, unknown>)[name],
      ),
  };
}

function isPlaceholder(parameter: unknown): parameter is Placeholder {
  return typeof parameter === 'object' && parameter !== null && 'slot' in parameter;
}

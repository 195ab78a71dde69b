// Queries: built once with Kysely, when first needed, with named slots for values; both engines run them.

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

import type { Awaitable } from '../../lib/async.ts';
import { once } from '../../lib/once.ts';
import type { Tables } from './tables/tables.ts';

/**
 * Builds queries, but cannot run them: its driver is a dummy, because all SQL runs as prepared
 * statements. It does what a `Kysely` does, without the third of the library that changes schemas.
 */
export const build = new QueryCreator<Tables>({
  executor: new DefaultQueryExecutor(
    new SqliteQueryCompiler(),
    new SqliteAdapter(),
    new DefaultConnectionProvider(new DummyDriver()),
  ),
});

/** SQL text, and what fills its placeholders in their order: named slots, or constants. */
export interface Compiled<Values> {
  readonly sql: string;
  readonly slots: readonly ({ readonly name: keyof Values } | { readonly constant: unknown })[];
}

/** Puts named values into the order of a query's placeholders. */
export function bindSlots<Values>({ slots }: Compiled<Values>, values: Values): unknown[] {
  const bound: unknown[] = [];
  for (const slot of slots) bound.push('name' in slot ? values[slot.name] : slot.constant);
  return bound;
}

/** A query, compiled for SQLite, that can be compiled for other engines. */
export interface NamedQuery<Values, Row> extends Compiled<Values> {
  /** Compiles the query for another engine. */
  readonly compileBy: (compile: (node: RootOperationNode) => CompiledQuery) => Compiled<Values>;
  readonly row?: Row;
}

/** Stands in a query for the value of `name` when it runs. */
export type Slot<Values> = <K extends keyof Values & string>(name: K) => Values[K];

interface Placeholder {
  readonly slot: string;
}

/** Defines a query. It is built and compiled once, when it is first needed. */
export function query<Values, Row>(
  write: (slot: Slot<Values>) => Compilable<Row>,
): NamedQuery<Values, Row> {
  const written = once(() => compile(write));
  const compiled = once(() => withSlots<Values>(written()));
  return {
    get sql() {
      return compiled().sql;
    },
    get slots() {
      return compiled().slots;
    },
    compileBy: (other) => withSlots(other(written().query)),
  };
}

/**
 * Builds a query. Kysely has no named placeholders, so each slot passes through the builder as an
 * object instead of its value, and is found again among the parameters.
 */
function compile<Values, Row>(write: (slot: Slot<Values>) => Compilable<Row>): CompiledQuery {
  const slot: Slot<Values> = (name) => ({ slot: name }) as Values[typeof name];
  return write(slot).compile();
}

function withSlots<Values>({ sql, parameters }: CompiledQuery): Compiled<Values> {
  return {
    sql,
    slots: parameters.map((parameter) =>
      isPlaceholder(parameter) ? { name: parameter.slot as keyof Values } : { constant: parameter },
    ),
  };
}

function isPlaceholder(parameter: unknown): parameter is Placeholder {
  return typeof parameter === 'object' && parameter !== null && 'slot' in parameter;
}

/** A prepared statement, which takes its values by name. */
export interface Statement<Values, Row> {
  get(values: Values): Awaitable<Row | undefined>;
  all(values: Values): Awaitable<Row[]>;
  /** Runs a write and returns the number of changed rows. */
  run(values: Values): Awaitable<number>;
}

/** A connection. SQLite returns results at once, PostgreSQL returns promises. */
export interface Connection {
  /** The time in milliseconds since 1970: of the system, or of the gateway whose app writes. */
  readonly now: () => number;
  readonly prepare: <Values, Row>(query: NamedQuery<Values, Row>) => Statement<Values, Row>;
  /** Runs writes in one transaction: all are committed, or none if `work` throws or rejects. */
  readonly transaction: <T>(work: () => Awaitable<T>) => Awaitable<T>;
}

/** The same functions on a connection that returns results at once. */
export type Synchronous<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => Awaited<R>
    : T[K];
};

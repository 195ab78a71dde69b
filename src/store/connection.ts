// A connection as writes see it, whatever the engine: queries held on it, and transactions.

import type { Awaitable } from '../contract/awaitable.ts';
import type { Query } from './query.ts';

/** A query held on a connection, which takes its values by name. */
export interface Statement<Values, Row> {
  get(values: Values): Awaitable<Row | undefined>;
  all(values: Values): Awaitable<Row[]>;
  /** Runs a write and returns how many rows it changed. */
  run(values: Values): Awaitable<number>;
}

/** Where queries run: SQLite answers at once, PostgreSQL later. */
export interface Connection {
  readonly hold: <Values, Row>(query: Query<Values, Row>) => Statement<Values, Row>;
  /** Runs writes as one: all are committed, or none when `work` fails. */
  readonly transaction: <T>(work: () => Awaitable<T>) => Awaitable<T>;
}

/** The same functions on a connection that answers at once. */
export type Synchronous<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => Awaited<R>
    : T[K];
};

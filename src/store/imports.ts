// An import: memories put into a database batch by batch, or only compared with what it has, whatever the engine.

import type { Awaitable } from '../contract/awaitable.ts';
import { isPostgres } from './address.ts';
import type { Arrival, Put } from './arrivals.ts';
import { withFileImport } from './sqlite/imports.ts';

/** How an import is done. */
export interface How {
  /** Nothing is written. */
  readonly isDry: boolean;
  /** All of it is one transaction. */
  readonly isWhole: boolean;
}

/** An import under way. */
export interface Import {
  /** The ids of all accounts. */
  accounts(): Awaitable<string[]>;
  /** Fails with `Refusal` when there is no such account. */
  require(id: string): Awaitable<void>;
  /** Puts memories, all or none. Fails with `Refusal` on a full disk or a lock. */
  put(arrivals: readonly Arrival[]): Awaitable<Put[]>;
  /** Ends it: what is one transaction is in from here on. */
  commit(): Awaitable<void>;
}

/**
 * Opens a database for an import and closes it whatever comes; one that is dry only reads it. Of an
 * import that is one transaction nothing stays without `commit`. Fails with `Refusal`.
 */
export async function withImport<T>(
  database: string,
  how: How,
  work: (into: Import) => Promise<T>,
): Promise<T> {
  if (!isPostgres(database)) return withFileImport(database, how, work);
  const { withPostgresImport } = await import('./postgres/imports.ts');
  return withPostgresImport(database, how, work);
}

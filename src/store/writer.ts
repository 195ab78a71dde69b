// The writing side of a database, whatever the engine: accounts, keys and memories, for the command line and scripts.

import type { Awaitable } from '../contract/awaitable.ts';
import type { accountWrites } from './accounts.ts';
import { isPostgres } from './address.ts';
import type { Erased } from './erased.ts';
import type { keyWrites } from './keys.ts';
import type { NewMemory, Written } from './ready.ts';
import { withFileWriter } from './sqlite/writer.ts';

/** The writes of a database. */
export interface Writer {
  readonly accounts: ReturnType<typeof accountWrites>;
  readonly keys: ReturnType<typeof keyWrites>;
  readonly memories: MemoryWrites;
  /**
   * Deletes memories, all of them or none, and returns whether nothing of them is left. Fails with
   * `Refusal` when the account or one of the memories is not there.
   */
  erase(erased: Erased): Awaitable<boolean>;
  /** Runs writes as one: all are committed, or none when `work` fails. */
  readonly transaction: <T>(work: () => Awaitable<T>) => Awaitable<T>;
}

/** The writes of memories. */
export interface MemoryWrites {
  /** Adds or replaces a memory; returns whether anything changed. Fails with `ValiError` when the contract does not hold. */
  put(account_id: string, memory: NewMemory): Awaitable<boolean>;
  /** Puts many memories, all or none; returns what became of them, in order. Fails as `put` does. */
  putAll(account_id: string, memories: readonly NewMemory[]): Awaitable<Written[]>;
  /** Deletes a memory and leaves its id in the feed of changes. Returns whether it was there. */
  delete(account_id: string, id: string): Awaitable<boolean>;
  count(account_id: string): Awaitable<number>;
}

/** Opens a database for one piece of work and closes it whatever comes. Fails with `Refusal`. */
export async function withWriter<T>(
  database: string,
  work: (writer: Writer) => Awaitable<T>,
): Promise<T> {
  if (!isPostgres(database)) return withFileWriter(database, work);
  const { withPostgresWriter } = await import('./postgres/writer.ts');
  return withPostgresWriter(database, work);
}

// Snapshot: a database as it is at one moment, whatever is written meanwhile and whatever the engine.

import type { AccountRecord } from './accounts.ts';
import { isPostgres } from './address.ts';
import { withFileSnapshot } from './sqlite/snapshot.ts';
import type { Encoded } from './store.ts';

/** Memories in order, some at a time; the last may be none. A file gives them at once, a server later. */
export type Batches = Iterable<readonly Encoded[]> | AsyncIterable<readonly Encoded[]>;

/** The reads of a snapshot. */
export interface Snapshot {
  /** All accounts, oldest first, with how many memories they have. */
  readonly accounts: readonly AccountRecord[];
  /** Reads the memories of an account whole, oldest first, in batches of some 256 KiB. */
  memories(account_id: string): Batches;
}

/** Opens a database for one piece of work that sees one state of it, and closes it whatever comes. Fails with `Refusal`. */
export async function withSnapshot<T>(
  database: string,
  work: (snapshot: Snapshot) => T | Promise<T>,
): Promise<T> {
  if (!isPostgres(database)) return withFileSnapshot(database, work);
  const { withPostgresSnapshot } = await import('./postgres/snapshot.ts');
  return withPostgresSnapshot(database, work);
}

// Entries in a file: the rows of accounts, keys and the feed, read one by one to be verified.

import type { Database } from 'better-sqlite3';

import { accountFaults, changeFaults, entries, epochFaults, keyFaults } from '../entries.ts';
import { hold } from './held.ts';

/** Finds what cannot be in the rows of accounts and of keys. */
export function* ownerFaults(db: Database): Generator<string> {
  for (const row of hold(db, entries.accounts).iterate({})) yield* accountFaults(row);
  for (const row of hold(db, entries.keys).iterate({})) yield* keyFaults(row);
}

/** Finds what cannot be in the rows of the feed, and changes that are older than the one before them. */
export function* entryFaults(db: Database): Generator<string> {
  const faults = changeFaults();
  for (const row of hold(db, entries.changes).iterate({})) yield* faults(row);
  for (const row of hold(db, entries.epochs).iterate({})) yield* epochFaults(row);
}

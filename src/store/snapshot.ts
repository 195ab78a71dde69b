// Snapshot: a database as it is at one moment, whatever is written meanwhile.

import type { Database } from 'better-sqlite3';

import { list } from './accounts.ts';
import { explain, openFile } from './file.ts';
import { hold } from './held.ts';
import { rangeReads } from './ranges.ts';
import type { Item } from './store.ts';

/** How many bytes of memories are read in one go. */
const BATCH_BYTES = 256 * 1024;

/** Memories in order, some at a time; the last may be none. */
export type Batches = Generator<readonly Item[], void, undefined>;

/** The reads of a snapshot. */
export type Snapshot = ReturnType<typeof readsOf>;

/**
 * Opens a file for one piece of work that sees one state of it, and closes it whatever comes. Until
 * then the log of writes beside the file grows with what others write. Fails with `Refusal`.
 */
export async function withSnapshot<T>(
  path: string,
  work: (snapshot: Snapshot) => T | Promise<T>,
): Promise<T> {
  const db = openFile(path, 'read');
  try {
    return await inSnapshot(db, () => work(readsOf(db)));
  } catch (error) {
    throw explain(error, path);
  } finally {
    db.close();
  }
}

/**
 * Works in one read transaction on the state of now, told in milliseconds since 1970. Fails with
 * `Refusal` where the file is locked, and else as the work does, which may be on other files, too.
 */
export async function inSnapshot<T>(
  db: Database,
  work: (now: number) => T | Promise<T>,
): Promise<T> {
  try {
    begin(db);
    return await work(Date.now());
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
  }
}

function begin(db: Database): void {
  try {
    db.exec('BEGIN');
    db.pragma('data_version'); // the first read takes the snapshot, and nothing ends it but the end
  } catch (error) {
    throw explain(error, db.name);
  }
}

function readsOf(db: Database) {
  const ranges = rangeReads(db);
  const accounts = hold(db, list).all({});
  return {
    /** All accounts, oldest first, with how many memories they have. */
    accounts,
    /** Reads the memories of an account whole, oldest first, in batches of some 256 KiB. */
    *memories(account_id: string): Batches {
      const range = { account_id, order: 'asc', bytes: 'body' } as const;
      let batch = ranges.items(range, BATCH_BYTES);
      while (batch.rest !== undefined) {
        yield batch.items;
        batch = ranges.items({ ...range, after: batch.rest }, BATCH_BYTES);
      }
      yield batch.items;
    },
  };
}

// The snapshot of a file: its state at one moment, in one read transaction.

import type { Database } from 'better-sqlite3';

import { list } from '../accounts.ts';
import { BATCH_BYTES } from '../bytes.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Encoded } from '../store.ts';
import { explain, openFile } from './file.ts';
import { hold } from './held.ts';
import { rangeReads } from './ranges.ts';

/** The reads of a snapshot, which are done when they return. */
export interface FileSnapshot extends Snapshot {
  memories(account_id: string): Generator<readonly Encoded[], void, undefined>;
}

/**
 * Opens a file for one piece of work that sees one state of it, and closes it whatever comes. Until
 * then the log of writes beside the file grows with what others write. Fails with `Refusal`.
 */
export async function withFileSnapshot<T>(
  path: string,
  work: (snapshot: FileSnapshot) => T | Promise<T>,
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

function readsOf(db: Database): FileSnapshot {
  const ranges = rangeReads(db);
  const accounts = hold(db, list).all({});
  return {
    accounts,
    *memories(account_id) {
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

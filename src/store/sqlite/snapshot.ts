// Snapshots of a SQLite file: its state at one moment, in one read transaction.

import type { Database } from 'better-sqlite3';

import { nameAccounts } from '../accounts/accounts.ts';
import { BATCH_BYTES } from '../bytes.ts';
import type { ListFilters, Snapshot } from '../engine.ts';
import type { EncodedEntry } from '../store.ts';
import { explainSqlite, openFile } from './connection.ts';
import { listReads } from './lists.ts';
import { hashingConnectionTo, prepareOn } from './statements.ts';

/** The synchronous reads of a snapshot. */
export interface FileSnapshot extends Snapshot {
  memories(
    account_id: string,
    filters?: ListFilters,
  ): Generator<readonly EncodedEntry[], void, undefined>;
}

/**
 * Opens a file, runs work on one snapshot of it and closes the file. Until then the write-ahead log
 * grows with the writes of others. Rejects with `Refusal`.
 */
export async function withFileSnapshot<T>(
  path: string,
  work: (snapshot: FileSnapshot) => T | Promise<T>,
): Promise<T> {
  const db = openFile(path, 'visit');
  try {
    return await inSnapshot(db, () => work(readsOf(db)));
  } catch (error) {
    throw explainSqlite(error, path);
  } finally {
    db.close();
  }
}

/**
 * Runs work in one read transaction. `now` is the time of the snapshot in milliseconds since 1970.
 * Rejects with `Refusal` if the file is locked, and otherwise as the work does.
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
    db.pragma('data_version'); // the first read takes the snapshot, which lasts until ROLLBACK
  } catch (error) {
    throw explainSqlite(error, db.name);
  }
}

function readsOf(db: Database): FileSnapshot {
  const ranges = listReads(db);
  const accounts = prepareOn(db, nameAccounts).all({});
  return {
    accounts,
    connection: hashingConnectionTo(db),
    *memories(account_id, { order = 'asc', ...filters } = {}) {
      const range = { ...filters, account_id, order, projection: 'body' } as const;
      let batch = ranges.items(range, BATCH_BYTES);
      while (batch.rest !== undefined) {
        yield batch.items;
        batch = ranges.items({ ...range, after: batch.rest }, BATCH_BYTES);
      }
      yield batch.items;
    },
  };
}

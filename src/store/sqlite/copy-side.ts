// A SQLite file as the source or the target of a copy between databases.

import { hash } from 'node:crypto';

import type { Database } from 'better-sqlite3';

import { createReads, explainErrors, type CopySide, type CopyTarget } from '../copy/side.ts';
import { readSql } from '../sql/migrations.ts';
import { explainSqlite, isMissing, openFile } from './connection.ts';
import { memoryWrites } from './memories.ts';
import { inSnapshot } from './snapshot.ts';
import { connectionTo } from './statements.ts';
import { truncateWal, createDatabase } from './writer.ts';

/** Runs work on one snapshot of a file, while others read and write it. Rejects with `Refusal`. */
export async function copyFromFile<T>(
  path: string,
  work: (source: CopySide, at: number) => Promise<T>,
): Promise<T> {
  const db = openFile(path, 'copy');
  try {
    return await inSnapshot(db, (at) => work(sideOf(db, path), at));
  } finally {
    db.close();
  }
}

/** Opens a file as the target of a copy; creates it if there is none. Rejects with `Refusal`. */
export async function copyIntoFile<T>(
  path: string,
  work: (target: CopyTarget) => Promise<T>,
): Promise<T> {
  if (isMissing(path)) createDatabase(path);
  const db = openFile(path, 'write');
  try {
    return await work(targetOf(db, path));
  } finally {
    truncateWal(db);
    db.close();
  }
}

function sideOf(db: Database, path: string): CopySide {
  // As in PostgreSQL.
  db.function('sha256', { deterministic: true }, (bytes) =>
    bytes instanceof Uint8Array ? hash('sha256', bytes, 'buffer') : null,
  );
  const connection = explainErrors(connectionTo(db), (error) => explainSqlite(error, path));
  return { name: path, connection, reads: createReads(connection) };
}

function targetOf(db: Database, path: string): CopyTarget {
  const memories = memoryWrites(db);
  return {
    ...sideOf(db, path),
    createJournalTable: () => db.exec(readSql('sqlite', 'copy/copies.sql')),
    put: (all) => memories.putReady(all),
    delete: (account_id, id) => memories.delete(account_id, id),
  };
}

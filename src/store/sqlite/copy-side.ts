// A SQLite file as the source or the target of a copy between databases.

import { hash } from 'node:crypto';

import type { Database } from 'better-sqlite3';

import type { CopyWrites } from '../copy/tables.ts';
import { readSql } from '../sql/migrations.ts';
import type { Connection } from '../sql/query.ts';
import { isMissing, openFile } from './connection.ts';
import { memoryWrites } from './memories.ts';
import { inSnapshot } from './snapshot.ts';
import { connectionTo } from './statements.ts';
import { truncateWal, createDatabase } from './writer.ts';

/** Runs work on one snapshot of a file, while others read and write it. Rejects with `Refusal`. */
export async function copyFromFile<T>(
  path: string,
  work: (source: Connection, at: number) => Promise<T>,
): Promise<T> {
  const db = openFile(path, 'copy');
  try {
    return await inSnapshot(db, (at) => work(withHashes(db), at));
  } finally {
    db.close();
  }
}

/** Opens a file as the target of a copy; creates it if there is none. Rejects with `Refusal`. */
export async function copyIntoFile<T>(
  path: string,
  work: (target: CopyWrites) => Promise<T>,
): Promise<T> {
  if (isMissing(path)) createDatabase(path);
  const db = openFile(path, 'write');
  const memories = memoryWrites(db);
  try {
    return await work({
      connection: withHashes(db),
      createJournalTable: () => db.exec(readSql('sqlite', 'copy/copies.sql')),
      put: (all) => memories.putReady(all),
      delete: (account_id, id) => memories.delete(account_id, id),
    });
  } finally {
    truncateWal(db);
    db.close();
  }
}

/** Returns a connection with the function `sha256`, as PostgreSQL has it. */
function withHashes(db: Database): Connection {
  db.function('sha256', { deterministic: true }, (bytes) =>
    bytes instanceof Uint8Array ? hash('sha256', bytes, 'buffer') : null,
  );
  return connectionTo(db);
}

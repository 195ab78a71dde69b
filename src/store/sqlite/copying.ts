// Copying by rows: a file of SQLite as the side of a copy that is read, or that is written.

import { hash } from 'node:crypto';

import type { Database } from 'better-sqlite3';

import { readsOf } from '../copy/reads.ts';
import { explained, type Side, type Target } from '../copy/side.ts';
import { readSql } from '../migrations.ts';
import { Refusal } from '../refusal.ts';
import { belongsTo } from './beside.ts';
import { emptyLog } from './erase.ts';
import { explain, isMissing, openFile } from './file.ts';
import { connectionTo } from './held.ts';
import { memoryWrites } from './memories.ts';
import { inSnapshot } from './snapshot.ts';
import { createDatabase } from './writer.ts';

/** Fails with `Refusal` where a copy would go into the database that it is of, or into what lies beside it. */
export function requireApart(from: string, to: string): void {
  if (from === to || belongsTo(from, to))
    throw new Refusal(`${to} is the database that is copied; name another one to copy to.`);
}

/** Reads one state of a file, which others may read and write meanwhile. Fails with `Refusal`. */
export async function fromFile<T>(
  path: string,
  work: (source: Side, at: number) => Promise<T>,
): Promise<T> {
  const db = openFile(path, 'read');
  try {
    return await inSnapshot(db, (at) => work(sideOf(db, path), at));
  } finally {
    db.close();
  }
}

/** Writes a file, which is made where there is none. Fails with `Refusal`. */
export async function intoFile<T>(path: string, work: (target: Target) => Promise<T>): Promise<T> {
  if (isMissing(path)) createDatabase(path);
  const db = openFile(path, 'write');
  try {
    return await work(targetOf(db, path));
  } finally {
    emptyLog(db);
    db.close();
  }
}

function sideOf(db: Database, path: string): Side {
  // As PostgreSQL has it.
  db.function('sha256', { deterministic: true }, (bytes) =>
    bytes instanceof Uint8Array ? hash('sha256', bytes, 'buffer') : null,
  );
  const connection = explained(connectionTo(db), (error) => explain(error, path));
  return { name: path, connection, reads: readsOf(connection) };
}

function targetOf(db: Database, path: string): Target {
  const memories = memoryWrites(db);
  return {
    ...sideOf(db, path),
    makeNotes: () => db.exec(readSql('sqlite', 'copy/copies.sql')),
    put: (all) => memories.putReady(all),
    delete: (account_id, id) => memories.delete(account_id, id),
  };
}

// The contents of a database and the files beside it, before and after a migration.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import Database from 'better-sqlite3';

import { verifyFile } from '../../../src/store/sqlite/check/verify.ts';
import { SCHEMA_VERSION } from '../../../src/store/sqlite/migrations.ts';

/** The contents of a database. */
export interface Contents {
  readonly schema: unknown;
  /** All rows of all tables, by table name. */
  readonly rows: Readonly<Record<string, unknown[]>>;
}

/** Checks the integrity of a database and reads all its rows. */
export function contentsOf(database: string): Contents {
  const db = new Database(database); // a read-only connection would leave -wal and -shm
  try {
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok');
    const tables = db
      .prepare<[], string>(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'search'`,
      )
      .pluck()
      .all();
    const rows = ['sqlite_schema', ...tables].map((name) => [
      name,
      db.prepare(`SELECT * FROM ${name}`).all(),
    ]);
    return { schema: db.pragma('user_version', { simple: true }), rows: Object.fromEntries(rows) };
  } finally {
    db.close();
  }
}

/** The files in the folder of a database that do not belong to it. */
export function beside(database: string): string[] {
  return readdirSync(dirname(database))
    .map((name) => join(dirname(database), name))
    .filter((path) => path !== database && !/\.db-(wal|shm)$/.test(path));
}

/** Asserts that a database is in its state before or after a migration, and that its safety copy is complete. */
export async function assertWhole(database: string, before: Contents): Promise<void> {
  const kept = beside(database).filter((path) => !/\.new(-wal|-shm|-journal)?$/.test(path));
  for (const path of kept) {
    assert.match(path, /\.before-migrate-\d{8}T\d{9}Z$/);
    assert.deepEqual(contentsOf(path), before);
  }
  const now = contentsOf(database);
  if (now.schema !== SCHEMA_VERSION) return assert.deepEqual(now, before);
  assert.deepEqual((await verifyFile(database)).findings, []);
  assert.equal(kept.length, 1);
}

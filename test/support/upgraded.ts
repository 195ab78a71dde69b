// Upgraded: what is in a database and beside it, before a migration and behind it.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import Database from 'better-sqlite3';

import { SCHEMA_VERSION } from '../../src/store/sqlite/migrate.ts';
import { verifyFile } from '../../src/store/sqlite/verify.ts';

/** What is in a database. */
export interface Contents {
  readonly schema: unknown;
  /** All rows of all tables, by their names. */
  readonly rows: Readonly<Record<string, unknown[]>>;
}

/** Reads all that is in a database, once it has been found whole. */
export function contentsOf(database: string): Contents {
  const db = new Database(database); // who only reads would leave -wal and -shm
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

/** The files beside a database that are not its own. */
export function beside(database: string): string[] {
  return readdirSync(dirname(database))
    .map((name) => join(dirname(database), name))
    .filter((path) => path !== database && !/\.db-(wal|shm)$/.test(path));
}

/** Asserts that a database is as it was before a migration, or as it is behind one; and that what was kept of it is whole. */
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

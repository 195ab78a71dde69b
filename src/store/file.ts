// Opens a SQLite file of ours, or says in one sentence why not and what mends it.

import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';

import Database from 'better-sqlite3';

import { APPLICATION_ID, SCHEMA_VERSION, schemaVersion } from './migrate.ts';
import { Refusal } from './refusal.ts';
import { NOT_OURS, NO_PERMISSION, remedyOf } from './remedies.ts';
import { commandOn } from './shell.ts';

/** What a file is opened for: `migrate` takes an older schema too, `create` a file that was just made, `look` any. */
export type Purpose = 'read' | 'write' | 'migrate' | 'create' | 'look';

const BUSY_MS: Readonly<Record<Purpose, number>> = {
  read: 100, // better-sqlite3 freezes the event loop while it waits for a lock
  look: 1000,
  write: 10_000,
  migrate: 10_000,
  create: 10_000,
};

/** Opens a database for a purpose. Fails with `Refusal` when it is missing, foreign, older or newer. */
export function openFile(path: string, purpose: Purpose): Database.Database {
  if (isMissing(path)) throw missing(path);
  let db: Database.Database | undefined;
  try {
    const file = realpathSync(path);
    db = new Database(file, {
      readonly: purpose === 'read' || (purpose === 'look' && hasLog(file)),
      fileMustExist: true,
      timeout: BUSY_MS[purpose],
    });
    if (purpose !== 'create' && purpose !== 'look') requireOurs(db, path, purpose);
    setPragmas(db, purpose);
    return db;
  } catch (error) {
    db?.close();
    throw explain(error, path);
  }
}

/** Tells whether there is no file. Fails with `Refusal` when it cannot be told, or it is no file at all. */
export function isMissing(path: string): boolean {
  try {
    if (statSync(path).isFile()) return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return true;
    throw new Refusal(`${path} cannot be reached (${code}); check the permissions of its folders.`);
  }
  throw new Refusal(`${path} is not a file; name a database file.`);
}

/**
 * Tells whether a log lies beside a file, which a look that might write would work off. Where there
 * is none, SQLite makes one to look, and only who may write takes it away again at the end. Fails
 * with `Refusal` where that cannot be, as something would be left.
 */
function hasLog(file: string): boolean {
  if (existsSync(`${file}-wal`) || existsSync(`${file}-journal`)) return true;
  try {
    accessSync(file, constants.W_OK);
    return false;
  } catch (cause) {
    throw new Refusal(`${file} ${NO_PERMISSION}`, { trouble: 'denied', cause });
  }
}

function missing(path: string): Refusal {
  return new Refusal(
    `There is no database at ${path}; create one with: ${commandOn(path, 'migrate')}`,
    { trouble: 'missing' },
  );
}

/** Fails with `Refusal` when a database is foreign, newer, or older and not to be migrated. */
export function requireOurs(db: Database.Database, path: string, purpose: Purpose): void {
  const version = schemaVersion(db);
  if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
    throw new Refusal(`${path} ${NOT_OURS}`, { trouble: 'foreign' });
  }
  if (version > SCHEMA_VERSION) {
    throw new Refusal(
      `${path} has schema ${version}, and this program knows ${SCHEMA_VERSION}; update it with: npm install -g memory-gateway@latest`,
      { trouble: 'newer' },
    );
  }
  if (version < SCHEMA_VERSION && purpose !== 'migrate') {
    throw new Refusal(
      `${path} has schema ${version}, and this program needs ${SCHEMA_VERSION}; run: ${commandOn(path, 'migrate')}`,
      { trouble: 'older' },
    );
  }
}

function setPragmas(db: Database.Database, purpose: Purpose): void {
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  db.pragma('temp_store = MEMORY');
  if (purpose === 'read' || purpose === 'look') {
    db.pragma('query_only = ON');
    db.pragma('cache_size = -16384'); // 16 MiB
  } else {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    db.pragma('secure_delete = ON'); // what is deleted leaves the file
    db.pragma('cache_size = -65536'); // 64 MiB: of an import, every batch comes by most of the indexes
  }
}

/** Turns an error of SQLite into a sentence for people, where there is one; others stay as they are. */
export function explain(error: unknown, path: string): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  const [trouble, remedy] = remedyOf(error.code);
  return new Refusal(`${path} ${remedy}`, { trouble, cause: error });
}

/** The version of SQLite that the program has in it. */
export function sqliteVersion(): string {
  const db = new Database(':memory:');
  try {
    return db.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '';
  } finally {
    db.close();
  }
}

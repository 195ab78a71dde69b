// Opens a SQLite file of ours, or says in one sentence why not and what mends it.

import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';

import Database from 'better-sqlite3';

import { Refusal } from '../refusal.ts';
import { missing, requireOurs, type Purpose } from './ours.ts';
import { NO_PERMISSION, remedyOf } from './remedies.ts';

/** How long a write waits for another program's. */
export const WRITE_BUSY_MS = 10_000;

/** How long a read waits for a lock: better-sqlite3 freezes the event loop meanwhile. */
export const READ_BUSY_MS = 100;

const BUSY_MS: Readonly<Record<Purpose, number>> = {
  read: READ_BUSY_MS,
  restore: 100,
  look: 1000,
  write: WRITE_BUSY_MS,
  migrate: WRITE_BUSY_MS,
  create: WRITE_BUSY_MS,
};

/** Opens a database for a purpose. Fails with `Refusal` when it is missing, foreign, older or newer. */
export function openFile(
  path: string,
  purpose: Purpose,
  patienceMs = BUSY_MS[purpose],
): Database.Database {
  if (isMissing(path)) throw missing(path, purpose);
  let db: Database.Database | undefined;
  try {
    const file = realpathSync(path);
    if (!isReading(purpose) && purpose !== 'look') requireWritable(file);
    db = new Database(file, {
      readonly: isReading(purpose) || (purpose === 'look' && hasLog(file)),
      fileMustExist: true,
      timeout: patienceMs,
    });
    if (purpose !== 'create' && purpose !== 'look') requireOurs(db, path, purpose);
    setPragmas(db, purpose);
    return db;
  } catch (error) {
    db?.close();
    throw explain(error, path, purpose);
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
  requireWritable(file);
  return false;
}

/** Fails with `Refusal` where a file may not be written: what SQLite makes beside it to find that out would keep its owner away. */
function requireWritable(file: string): void {
  try {
    accessSync(file, constants.W_OK);
  } catch (cause) {
    throw new Refusal(`${file} ${NO_PERMISSION}`, { trouble: 'denied', cause });
  }
}

function isReading(purpose: Purpose): boolean {
  return purpose === 'read' || purpose === 'restore';
}

function setPragmas(db: Database.Database, purpose: Purpose): void {
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  db.pragma('temp_store = MEMORY');
  if (isReading(purpose) || purpose === 'look') {
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

/** Tells an error of SQLite from others. */
export function isSqliteError(error: unknown): error is InstanceType<typeof Database.SqliteError> {
  return error instanceof Database.SqliteError;
}

/** Tells whether SQLite has found a file damaged. */
export function isDamage(error: unknown): boolean {
  const cause = error instanceof Refusal ? error.cause : error;
  return isSqliteError(cause) && cause.code.startsWith('SQLITE_CORRUPT');
}

/** Turns an error of SQLite into a sentence for people, where there is one; others stay as they are. */
export function explain(error: unknown, path: string, purpose?: Purpose): unknown {
  if (!isSqliteError(error)) return error;
  const [trouble, remedy] = remedyOf(error.code, purpose);
  return new Refusal(`${path} ${remedy}`, { trouble, cause: error });
}

/** Opens a database that is nowhere but in memory. */
export function openEmpty(): Database.Database {
  return new Database(':memory:');
}

/** The version of SQLite that the program has in it. */
export function sqliteVersion(): string {
  const db = openEmpty();
  try {
    return db.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '';
  } finally {
    db.close();
  }
}

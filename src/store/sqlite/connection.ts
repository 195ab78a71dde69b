// Opens SQLite files that belong to this program, with the settings for each purpose.

import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import Database from 'better-sqlite3';

import { Refusal } from '../refusal.ts';
import { build, query, type Slot } from '../sql/query.ts';
import {
  missingDatabase,
  requireCurrentSchema,
  type OpenPurpose,
  NO_PERMISSION,
  remedyOf,
} from './errors.ts';
import { prepareOn } from './statements.ts';

/** How long a write waits for the write of another program. */
export const WRITE_BUSY_MS = 10_000;

/** How long a read waits for a lock. better-sqlite3 blocks the event loop while it waits. */
export const READ_BUSY_MS = 100;

const BUSY_MS: Readonly<Record<OpenPurpose, number>> = {
  read: READ_BUSY_MS,
  visit: READ_BUSY_MS,
  restore: READ_BUSY_MS,
  look: 1000,
  write: WRITE_BUSY_MS,
  migrate: WRITE_BUSY_MS,
  create: WRITE_BUSY_MS,
};

/** Opens a database for a purpose. Throws `Refusal` if it is missing, foreign, older or newer. */
export function openFile(
  path: string,
  purpose: OpenPurpose,
  lockTimeoutMs = BUSY_MS[purpose],
): Database.Database {
  if (isMissing(path)) throw missingDatabase(path, purpose);
  let db: Database.Database | undefined;
  try {
    const file = realpathSync(path);
    if (!isReading(purpose)) requireWritable(file);
    db = new Database(file, {
      readonly: purpose === 'read' || (isReading(purpose) && hasLog(file, purpose)),
      fileMustExist: true,
      timeout: lockTimeoutMs,
    });
    if (purpose !== 'create' && purpose !== 'look') requireCurrentSchema(db, path, purpose);
    setPragmas(db, purpose);
    return db;
  } catch (error) {
    db?.close();
    throw explainSqlite(error, path, purpose);
  }
}

/** Returns whether there is no file. Throws `Refusal` if that cannot be found out, or if it is not a file. */
export function isMissing(path: string): boolean {
  try {
    if (statSync(path).isFile()) return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return true;
    const remedy =
      code === 'EACCES'
        ? 'check the permissions of its folders, or run this as its owner or with sudo'
        : 'check its path';
    throw new Refusal(`${path} cannot be reached (${code}); ${remedy}.`);
  }
  throw new Refusal(`${path} is not a file; name a database file.`);
}

/**
 * Returns whether a file that is only read must be opened read-only. It has a log next to it, which a
 * connection that can write would checkpoint. If there is none, SQLite creates one to read the file, and
 * only a connection that may write removes it again. Who may not write can read a file that needs no log.
 */
function hasLog(file: string, purpose: OpenPurpose): boolean {
  if (existsSync(`${file}-wal`) || existsSync(`${file}-journal`)) return true;
  if (purpose === 'look') requireWritable(file);
  return !isWritable(file);
}

/** Throws `Refusal` if a file is not writable. Otherwise SQLite would create files next to it that lock its owner out. */
function requireWritable(file: string): void {
  try {
    accessSync(file, constants.W_OK);
  } catch (cause) {
    throw new Refusal(`${file} ${NO_PERMISSION}`, { code: 'denied', cause });
  }
}

/** Returns whether a file exists and this user may write it, and in its folder. */
export function isWritable(path: string): boolean {
  try {
    const file = realpathSync(path);
    accessSync(file, constants.W_OK);
    accessSync(dirname(file), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function isReading(purpose: OpenPurpose): boolean {
  return ['read', 'visit', 'restore', 'look'].includes(purpose);
}

function setPragmas(db: Database.Database, purpose: OpenPurpose): void {
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  db.pragma('temp_store = MEMORY');
  if (isReading(purpose)) {
    db.pragma('query_only = ON');
    db.pragma('cache_size = -16384'); // 16 MiB
  } else {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    db.pragma('secure_delete = ON'); // overwrites deleted content
    // 32 MiB, because every batch of an import touches most of the indexes. 64 took as long for 1 GB.
    db.pragma('cache_size = -32768');
  }
}

/** Returns whether an error comes from SQLite. */
export function isSqliteError(error: unknown): error is InstanceType<typeof Database.SqliteError> {
  return error instanceof Database.SqliteError;
}

/** Returns whether an error, explained or not, means that SQLite found the file damaged. */
export function isDamage(error: unknown): boolean {
  const cause = error instanceof Refusal ? error.cause : error;
  return isSqliteError(cause) && cause.code.startsWith('SQLITE_CORRUPT');
}

/** Turns an error of SQLite into a `Refusal` with a remedy; returns other errors unchanged. */
export function explainSqlite(error: unknown, path: string, purpose?: OpenPurpose): unknown {
  if (!isSqliteError(error)) return error;
  const [code, remedy] = remedyOf(error.code, purpose);
  return new Refusal(`${path} ${remedy}`, { code, cause: error });
}

/**
 * Empties the write-ahead log, unless somebody reads from it for longer than a lock is waited for. Returns whether
 * it did: if the disk has no room for that, the writes are committed in any case.
 */
export function emptyLog(db: Database.Database): boolean {
  try {
    return db.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0;
  } catch {
    return false;
  }
}

/** Opens an empty database in memory. */
export function openInMemory(): Database.Database {
  return new Database(':memory:');
}

const versionQuery = query((_: Slot<object>) =>
  build.selectNoFrom((eb) => eb.fn<string>('sqlite_version', []).as('version')),
);

/** Returns the version of the bundled SQLite. */
export function sqliteVersion(): string {
  const db = openInMemory();
  try {
    return prepareOn(db, versionQuery).get({})?.version ?? '';
  } finally {
    db.close();
  }
}

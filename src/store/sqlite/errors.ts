// Errors of SQLite and of database files: what each means, and what to do about it.

import type { Database } from 'better-sqlite3';

import { commandOn } from '../address.ts';
import type { RefusalCode } from '../refusal.ts';
import { Refusal } from '../refusal.ts';
import { APPLICATION_ID, SCHEMA_VERSION, schemaVersion } from './migrations.ts';

/**
 * Why a file is opened: `visit` reads it for one command and leaves no file beside it, `migrate` accepts an older
 * schema, `create` an empty file, `restore` reads a backup, `look` reads any file.
 */
export type OpenPurpose = 'read' | 'visit' | 'write' | 'migrate' | 'create' | 'restore' | 'look';

/** Creates the refusal for a file that does not exist. */
export function missingDatabase(path: string, purpose: OpenPurpose): Refusal {
  if (purpose === 'restore')
    return new Refusal(`There is no backup at ${path}; name another file.`);
  return new Refusal(
    `There is no database at ${path}; create one with: ${commandOn(path, 'migrate')}`,
    { code: 'missing' },
  );
}

/** Throws `Refusal` if a database is foreign, newer, or older than the purpose allows. */
export function requireCurrentSchema(db: Database, path: string, purpose: OpenPurpose): void {
  const version = schemaVersion(db);
  if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
    throw new Refusal(`${path} ${NOT_OURS}`, { code: 'foreign' });
  }
  if (version > SCHEMA_VERSION) {
    throw new Refusal(
      `${path} has schema version ${version}, but this program knows only ${SCHEMA_VERSION}; use a newer version of the program, or put back the safety copy that migrate made beside the file.`,
      { code: 'newer' },
    );
  }
  if (version < SCHEMA_VERSION && purpose === 'restore') {
    throw new Refusal(
      `${path} has schema version ${version}, but this program needs ${SCHEMA_VERSION}; copy it, and run on the copy: memory-gateway migrate --discard --database COPY`,
      { code: 'older' },
    );
  }
  if (version < SCHEMA_VERSION && purpose !== 'migrate') {
    throw new Refusal(
      `${path} has schema version ${version}, but this program needs ${SCHEMA_VERSION}; run: ${commandOn(path, 'migrate')}`,
      { code: 'older' },
    );
  }
}

/** Follows the name of a file that this user may not use. */
export const NO_PERMISSION =
  'cannot be used; this user needs permission to use it and to write in its folder, where SQLite keeps -wal and -shm.';

/** Follows the name of a file that another program made. */
const NOT_OURS = 'is not a Memory Gateway database; name another file.';

const FULL = 'cannot be written, the disk is full; free some space.';

const LIMITED =
  'cannot be written any further; check its disk, and how much this user may write (quota, ulimit -f).';

const REMEDIES: Readonly<Record<string, readonly [RefusalCode, string]>> = {
  SQLITE_NOTADB: ['foreign', NOT_OURS],
  SQLITE_BUSY: ['locked', 'is locked by another program; close that program and try again.'],
  SQLITE_CORRUPT: [
    'damaged',
    'is damaged; put a backup in its place with: memory-gateway restore FILE.',
  ],
  // The program's own SQL is correct, so the schema must be wrong.
  SQLITE_ERROR: [
    'damaged',
    'lacks what this program reads; put a backup in its place with: memory-gateway restore FILE.',
  ],
  SQLITE_CANTOPEN: ['denied', NO_PERMISSION],
  SQLITE_READONLY: ['denied', NO_PERMISSION],
  SQLITE_FULL: ['full', FULL],
  SQLITE_IOERR_SHMSIZE: ['full', FULL], // -shm needs room too
  SQLITE_IOERR_WRITE: ['full', LIMITED],
};

/** For a backup: the remedy is to name another one. */
const DAMAGED_BACKUP = [
  'damaged',
  'is damaged, so nothing was restored; name another backup.',
] as const;

/** Returns what an error code of SQLite means: a refusal code, and the text that follows the file's name. */
export function remedyOf(code: string, purpose?: OpenPurpose): readonly [RefusalCode, string] {
  // Extended codes such as SQLITE_READONLY_DIRECTORY begin with the plain code.
  const plain = Object.keys(REMEDIES).find((each) => code.startsWith(each));
  const known = REMEDIES[plain ?? ''];
  if (purpose === 'restore' && known?.[0] === 'damaged') return DAMAGED_BACKUP;
  return (
    known ?? ['unusable', `cannot be used (${code}); see what is wrong with: memory-gateway verify`]
  );
}

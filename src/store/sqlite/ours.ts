// Ours: whether a database file is one of this program, and of its schema.

import type { Database } from 'better-sqlite3';

import { Refusal } from '../refusal.ts';
import { commandOn } from '../shell.ts';
import { APPLICATION_ID, SCHEMA_VERSION, schemaVersion } from './migrate.ts';
import { NOT_OURS } from './remedies.ts';

/** What a file is opened for: `migrate` takes an older schema too, `create` a file that was just made, `restore` reads a backup, `look` any. */
export type Purpose = 'read' | 'write' | 'migrate' | 'create' | 'restore' | 'look';

/** The refusal of a file that is not there. */
export function missing(path: string, purpose: Purpose): Refusal {
  if (purpose === 'restore')
    return new Refusal(`There is no backup at ${path}; name another file.`);
  return new Refusal(
    `There is no database at ${path}; create one with: ${commandOn(path, 'migrate')}`,
    { trouble: 'missing' },
  );
}

/** Fails with `Refusal` when a database is foreign, newer, or older and not to be migrated. */
export function requireOurs(db: Database, path: string, purpose: Purpose): void {
  const version = schemaVersion(db);
  if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
    throw new Refusal(`${path} ${NOT_OURS}`, { trouble: 'foreign' });
  }
  if (version > SCHEMA_VERSION) {
    throw new Refusal(
      `${path} has schema ${version}, and this program knows ${SCHEMA_VERSION}; run a newer program on it, or give its name back to what migrate has kept beside it.`,
      { trouble: 'newer' },
    );
  }
  if (version < SCHEMA_VERSION && purpose === 'restore') {
    throw new Refusal(
      `${path} has schema ${version}, and this program needs ${SCHEMA_VERSION}; copy it, and run on the copy: memory-gateway migrate --discard --database COPY`,
      { trouble: 'older' },
    );
  }
  if (version < SCHEMA_VERSION && purpose !== 'migrate') {
    throw new Refusal(
      `${path} has schema ${version}, and this program needs ${SCHEMA_VERSION}; run: ${commandOn(path, 'migrate')}`,
      { trouble: 'older' },
    );
  }
}

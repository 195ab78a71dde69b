// Migrations: the numbered files of sql/sqlite, each applied once, in order, in one transaction.

import { hash } from 'node:crypto';

import type { Database } from 'better-sqlite3';

import { fromJson, type Json } from '../../contract/json.ts';
import type { Memory } from '../../contract/memory.ts';
import { migrationsOf, readSql } from '../migrations.ts';
import { indexedWords, weekOf } from './search.ts';

/** Marks a SQLite file as ours: the bytes of "MemG". */
export const APPLICATION_ID = 0x4d656d47;

const migrations = migrationsOf('sqlite');

/** The schema this program reads and writes. */
export const SCHEMA_VERSION = migrations.at(-1)?.version ?? 0;

/** The schema a database has; 0 for one that was never migrated. */
export function schemaVersion(db: Database): number {
  return db.pragma('user_version', { simple: true }) as number;
}

/** Brings a database to `SCHEMA_VERSION`, in the transaction of its caller, and returns the names of what was applied. */
export function applyMigrations(db: Database): string[] {
  // What migrations need that SQLite does not know.
  const pure = { deterministic: true };
  db.function('sha256', pure, (bytes) => hash('sha256', bytes as Uint8Array));
  db.function('week_of', pure, (ms) => weekOf(ms as number));
  db.function('search_words', pure, (label, body) =>
    indexedWords(label as number, fromJson(body as Json<Memory>)),
  );
  const missing = migrations.filter(({ version }) => version > schemaVersion(db));
  for (const { name } of missing) db.exec(readSql('sqlite', name));
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.pragma(`user_version = ${SCHEMA_VERSION}`);
  return missing.map(({ name }) => name);
}

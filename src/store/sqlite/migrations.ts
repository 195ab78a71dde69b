// Migrations of a SQLite file: the numbered files of sql/sqlite, each applied once and in order.

import { hash } from 'node:crypto';

import type { Database } from 'better-sqlite3';

import { fromJson, type Json } from '../../contract/json.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { weekOf } from '../search/weeks.ts';
import { listMigrations, readSql } from '../sql/migrations.ts';
import { indexTermsOf } from './search/search.ts';

/** Marks a SQLite file as a Memory Gateway database: the bytes of "MemG". */
export const APPLICATION_ID = 0x4d656d47;

const migrations = listMigrations('sqlite');

/** The schema version that this program reads and writes. */
export const SCHEMA_VERSION = migrations.at(-1)?.version ?? 0;

/** Returns the schema version of a database: 0 if it was never migrated. */
export function schemaVersion(db: Database): number {
  return db.pragma('user_version', { simple: true }) as number;
}

/** Brings a database to `SCHEMA_VERSION` in the caller's transaction. Returns the names of the applied migrations. */
export function applyMigrations(db: Database): string[] {
  // Functions that the migrations call and SQLite lacks.
  const pure = { deterministic: true };
  db.function('sha256', pure, (bytes) => hash('sha256', bytes as Uint8Array));
  db.function('week_of', pure, (ms) => weekOf(ms as number));
  db.function('search_words', pure, (label, body) =>
    indexTermsOf(label as number, fromJson(body as Json<Memory>)).toString(),
  );
  const missing = migrations.filter(({ version }) => version > schemaVersion(db));
  for (const { name } of missing) db.exec(readSql('sqlite', name));
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.pragma(`user_version = ${SCHEMA_VERSION}`);
  return missing.map(({ name }) => name);
}

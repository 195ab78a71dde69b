// Creates databases of earlier schemas.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';

import type { Memory } from '../../../src/contract/schemas/memory.ts';
import { hashApiKey } from '../../../src/store/accounts/api-key.ts';
import { weekOf } from '../../../src/store/search/weeks.ts';
import { listMigrations, readSql } from '../../../src/store/sql/migrations.ts';
import { APPLICATION_ID } from '../../../src/store/sqlite/migrations.ts';
import { indexTermsOf } from '../../../src/store/sqlite/search/search.ts';
import { createDatabase, openWriter } from '../../../src/store/sqlite/writer.ts';
import { issued, newFolder } from '../world/artifacts.ts';
import { ROOT } from '../world/program.ts';
import { memory } from '../world/world.ts';
import { fillingOf } from './old-rows.ts';

/** The columns of a memory that every schema has. */
export const KEYS = [
  'account_id',
  'id',
  'started_at',
  'ended_at',
  'duration_seconds',
  'is_processing',
  'name',
  'quick_summary',
  'key_takeaways',
  'body_sha256',
  'body',
];

/** A body of schema 1, and the rest of its row. */
function rowOf(account_id: string, each: Memory): Record<string, unknown> {
  const body = Buffer.from(JSON.stringify({ ...each, user_id: account_id }));
  return {
    account_id,
    id: each.id,
    started_at: Date.parse(each.started_at),
    ended_at: Date.parse(each.ended_at),
    duration_seconds: each.duration_seconds,
    is_processing: Number(each.is_processing),
    name: each.name,
    quick_summary: each.summary.quick_summary,
    key_takeaways: JSON.stringify(each.summary.key_takeaways),
    body_sha256: createHash('sha256').update(body).digest('hex'),
    body,
  };
}

/**
 * Memories over years with all kinds of fields. Some start at the same instant, some before 1970.
 */
export const old = Array.from({ length: 150 }, (_, i) => {
  const started_at = new Date(
    Date.UTC(1968, 0, 1) + Math.floor(i / 2) * 283 * 24 * 3_600_000,
  ).toISOString();
  const is_processing = i % 10 === 0;
  return memory({
    id: `m${String(i).padStart(3, '0')}`,
    name: i % 3 === 0 ? 'alder 東京' : 'birch "\u0000\u2028\uD800',
    started_at,
    ended_at: started_at,
    is_processing,
    summary: is_processing
      ? { quick_summary: '', key_takeaways: [] }
      : { quick_summary: 'Café', key_takeaways: ['one', `nr${i}`] },
    transcript: i === 7 ? 'long '.repeat(20_000) : 'said \uDC00',
  });
});

/**
 * Creates a database of schema 1 with its single migration. Returns its file and a key of each
 * account.
 */
export function createOld(more: readonly Memory[] = []): {
  database: string;
  ana: string;
  bo: string;
} {
  const database = join(newFolder(), 'memories.db');
  const donor = join(newFolder(), 'donor.db');
  createDatabase(donor);
  const writer = openWriter(donor);
  const db = new Database(database);
  db.pragma('journal_mode = WAL');
  db.exec(readFileSync(join(ROOT, 'sql/sqlite/0001-memories.sql'), 'utf8'));
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.pragma('user_version = 1');
  const insert = db.prepare(
    `INSERT INTO memories (${KEYS.join()}) VALUES (${KEYS.map((name) => `@${name}`).join()})`,
  );
  const [ana = '', bo = ''] = ['ana', 'bo', 'empty'].map((id) => {
    db.prepare(
      "INSERT INTO accounts (id, name, created_at, created_by) VALUES (?, ?, 1, 'command line')",
    ).run(id, id);
    writer.accounts.create({ id, name: id, created_by: 'command line' });
    const { key } = writer.keys.create({ account_id: id, label: 'old', expires_at: null });
    db.prepare(
      "INSERT INTO api_keys (key_sha256, id, account_id, last_four, label, created_at) VALUES (?, ?, ?, ?, 'old', 1)",
    ).run(hashApiKey(key), `key-${id}`, id, key.slice(-4));
    return issued(key);
  });
  // Newest first, as an import may write them: the change feed has the order of writing.
  db.transaction(() => {
    for (const each of [...more, ...old.toReversed()]) insert.run(rowOf('ana', each));
  })();
  for (const each of old.slice(0, 3)) insert.run(rowOf('bo', { ...each, name: 'cedar' }));
  db.prepare("DELETE FROM memories WHERE account_id = 'bo' AND id = 'm001'").run();
  writer.close();
  db.close();
  return { database, ana, bo };
}

/** Creates a database of schema 2 whose last change is a deletion. */
export function createSecond(more: readonly Memory[] = []): string {
  const { database } = createOld(more);
  const db = new Database(database);
  bring(db, 2);
  db.exec(`INSERT INTO search (search, rowid, words)
    SELECT 'delete', pk, search_words(label, body) FROM memories JOIN search_weeks USING (account_id)
    WHERE week = week_of(started_at) ORDER BY pk DESC LIMIT 1`);
  db.exec('DELETE FROM memories WHERE pk = (SELECT max(pk) FROM memories)');
  db.close();
  return database;
}

/** Creates a database of a later schema, from one of schema 2, with rows in the tables that came since. */
export function createLater(schema: number, more: readonly Memory[] = []): string {
  const database = createSecond(more);
  const db = new Database(database);
  bring(db, schema);
  const tables = db.pragma('table_list') as readonly { readonly name: string }[];
  const columns = tables.map(({ name }) => {
    const found = db.pragma(`table_info(${name})`) as readonly { readonly name: string }[];
    return [name, found.map((each) => each.name)] as const;
  });
  db.exec(fillingOf(new Map(columns)));
  db.close();
  return database;
}

/** Applies migrations up to a schema, as the program of that time did. */
function bring(db: Database.Database, schema: number): void {
  db.function('sha256', (bytes) =>
    createHash('sha256')
      .update(bytes as Uint8Array)
      .digest('hex'),
  );
  db.function('week_of', (ms) => weekOf(Number(ms)));
  db.function('search_words', (label, body) =>
    indexTermsOf(Number(label), JSON.parse(String(body)) as Memory).toString(),
  );
  const from = Number(db.pragma('user_version', { simple: true }));
  const missing = listMigrations('sqlite').filter(
    ({ version }) => version > from && version <= schema,
  );
  for (const { name } of missing) db.exec(readSql('sqlite', name));
  db.pragma(`user_version = ${schema}`);
}

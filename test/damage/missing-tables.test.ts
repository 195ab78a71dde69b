// A database that lacks a table or a column: refused if a read uses it, and served if none does.

import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import Database from 'better-sqlite3';

import { openStore } from '../../src/store/sqlite/store.ts';
import { createDatabase } from '../../src/store/sqlite/writer.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { memories } from '../support/world/world.ts';

const folder = newFolder();
const whole = join(folder, 'whole.db');
createDatabase(whole, (writer) => {
  writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'seed' });
  writer.memories.putAll('ana', memories(5));
});

/** Returns a changed copy of the database. */
function changed(sql: string): string {
  const path = join(folder, 'changed.db');
  copyFileSync(whole, path);
  const db = new Database(path);
  db.pragma('foreign_keys = OFF');
  db.pragma('legacy_alter_table = ON'); // leaves triggers unchanged
  db.exec(sql);
  db.close();
  return path;
}

/** Opens a database and reads everything in it. Returns why the database is refused. */
function refusalOf(path: string): string | undefined {
  let store;
  try {
    store = openStore(path);
  } catch (error) {
    assert.equal((error as Error).name, 'Refusal');
    return (error as Error).message;
  }
  try {
    const account_id = 'ana';
    store.check();
    store.apiKey('0'.repeat(64));
    assert.ok(store.account(account_id));
    for (const projection of ['body', 'slim'] as const) {
      assert.ok(store.memory({ account_id, id: 'm001', projection, known: '' }));
      assert.equal(store.memory({ account_id, id: 'nowhere', projection, known: '' }), undefined);
      for (const order of ['asc', 'desc'] as const)
        for (const filter of [{}, { is_processing: false }, { q: 'hello' }]) {
          const range = { account_id, projection, order, ...filter };
          store.chunk(range, 1e6);
          store.items(range, 1e6);
          store.positions(range);
        }
    }
    assert.equal(store.changes({ account_id, limit: 10 }).changes.length, 5);
    return undefined;
  } finally {
    store.close();
  }
}

/** All objects of one type in the schema. */
function all(sql: string): string[] {
  const db = new Database(whole, { readonly: true });
  try {
    return db.prepare<[], string>(sql).pluck().all();
  } finally {
    db.close();
  }
}

/** The tables that `/v1` reads: not those of recurring sources, of corrections, nor of the app. */
const TABLES = `SELECT name FROM pragma_table_list
  WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite_%'
  AND name NOT IN ('sources', 'source_memories', 'watched_files', 'sessions', 'sign_in_links',
    'challenges', 'passkeys', 'passwords', 'sign_in_failures', 'account_events',
    'oauth_clients', 'grants', 'grant_tokens', 'corrections',
    'deleted_memories', 'pulls', 'shares', 'bookmarks', 'searches', 'uncorrected', 'key_reads')`;

describe('A database that lacks', () => {
  it('a table is refused with its name and how to fix it', () => {
    for (const table of all(TABLES)) {
      const refusal = refusalOf(changed(`DROP TABLE ${table}`));
      assert.match(
        String(refusal),
        new RegExp(
          `changed\\.db lacks ${table}, which .* is damaged with "memory-gateway verify( --database [^"]+)?", then .* with: memory-gateway restore FILE `,
        ),
      );
    }
  });

  it('a column is refused with its name, unless no read uses it', () => {
    const read: string[] = [];
    for (const column of all(
      `SELECT tables.name || '.' || columns.name FROM (${TABLES} AND type = 'table') AS tables, pragma_table_info(tables.name) AS columns`,
    )) {
      const [table, name] = column.split('.');
      const refusal = refusalOf(changed(`ALTER TABLE ${table} RENAME COLUMN ${name} TO lost`));
      if (refusal === undefined) read.push(column);
      else assert.ok(refusal.includes(` lacks ${column}, which `), refusal);
    }
    assert.ok(read.includes('memories.quick_summary') && read.includes('api_keys.label'));
  });

  it('an index or a trigger is served, and so is one with additional tables', () => {
    const more = 'CREATE TABLE mine (x); CREATE VIEW yours AS SELECT x FROM mine';
    assert.equal(refusalOf(changed(more)), undefined);
    const names = all(`SELECT type || ' ' || name FROM sqlite_schema
      WHERE type IN ('index', 'trigger') AND sql IS NOT NULL`);
    for (const each of names) assert.equal(refusalOf(changed(`DROP ${each}`)), undefined, each);
  });
});

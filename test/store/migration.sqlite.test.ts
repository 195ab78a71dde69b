// Migration: a database of an earlier schema is migrated to the current one, with everything in it.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import Database from 'better-sqlite3';

import { verifyFile } from '../../src/store/sqlite/check/verify.ts';
import { upgradeFile } from '../../src/store/sqlite/files/upgrade.ts';
import { openWriter, withFileWriterSync } from '../../src/store/sqlite/writer.ts';
import { createLater, createOld, createSecond, KEYS, old } from '../support/damage/old-schemas.ts';
import { ids, items, linksOf, walk } from '../support/wire/lists.ts';
import { send } from '../support/wire/wire.ts';
import { ROOT } from '../support/world/program.ts';
import { createServerOn } from '../support/world/server-in-process.ts';
import { memory } from '../support/world/world.ts';

/** All migrations, in their order. */
const MIGRATIONS = readdirSync(join(ROOT, 'sql/sqlite'))
  .filter((name) => name.endsWith('.sql'))
  .toSorted();

/** Oldest first, like a list in ascending order. */
const right = old.map(({ id }) => id);

/** Everything that a migration must not change. */
function keptIn(database: string): readonly unknown[][] {
  const db = new Database(database, { readonly: true });
  const columns = `pk, ${KEYS.join()}, slim`;
  const all = [
    `SELECT ${columns} FROM memories ORDER BY pk`,
    'SELECT key_sha256, id, account_id, last_four, label, created_at, expires_at, revoked_at FROM api_keys',
    ...['accounts', 'changes', 'change_epochs', 'search_weeks'].map(
      (table) => `SELECT * FROM ${table}`,
    ),
    `SELECT seq FROM sqlite_sequence WHERE name = 'memories'`,
    `SELECT * FROM search_data`,
  ].map((sql) => db.prepare(sql).all());
  db.close();
  return all;
}

describe('A database of schema 2', () => {
  it('keeps its memories with their numbers and etags, its revisions, its feed and its index', async () => {
    const database = createSecond();
    const before = keptIn(database);
    assert.ok(before.every((rows) => rows.length > 0));
    assert.deepEqual((await upgradeFile({ database })).applied, MIGRATIONS.slice(2));
    assert.deepEqual(keptIn(database), before);
    assert.deepEqual((await verifyFile(database)).findings, []);
  });

  it('never reuses the number of a deleted memory', async (t) => {
    const database = createSecond();
    await upgradeFile({ database });
    withFileWriterSync(database, ({ memories }) => memories.put('empty', memory({ id: 'new' })));
    const db = new Database(database, { readonly: true });
    t.after(() => db.close());
    const newest = db.prepare('SELECT max(pk) FROM memories').pluck().get();
    assert.equal(newest, old.length + 4, 'behind the three of bo, of which the last is gone');
  });
});

/** Returns the rows of all tables of a database, or of the given columns of them. */
function rowsIn(
  database: string,
  columnsOf?: ReadonlyMap<string, readonly string[]>,
): Map<string, { readonly columns: readonly string[]; readonly rows: unknown[] }> {
  const db = new Database(database, { readonly: true });
  const tables = db
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search%'`,
    )
    .pluck()
    .all();
  const found = (columnsOf ? [...columnsOf.keys()] : tables).map((table) => {
    const info = db.pragma(`table_info(${table})`) as readonly { readonly name: string }[];
    const columns = columnsOf?.get(table) ?? info.map(({ name }) => name);
    const rows = db.prepare(`SELECT ${columns.join()} FROM ${table} ORDER BY 1, 2`).all();
    return [table, { columns, rows }] as const;
  });
  db.close();
  return new Map(found);
}

for (const schema of [8, 18])
  describe(`A database of schema ${schema}`, () => {
    it('keeps every row of every table: sessions, grants, scopes of keys, sources, and what keys have read', async () => {
      const database = createLater(schema);
      const before = rowsIn(database);
      for (const table of ['api_keys', 'sources', 'sessions', 'passkeys', 'grants', 'grant_tokens'])
        assert.notDeepEqual(before.get(table)?.rows, [], table);
      assert.equal(before.get('key_reads')?.rows.length, schema === 18 ? 1 : undefined);
      const { applied } = await upgradeFile({ database });
      assert.deepEqual(applied, MIGRATIONS.slice(schema));
      const after = rowsIn(
        database,
        new Map([...before].map(([table, { columns }]) => [table, columns])),
      );
      assert.deepEqual(after, before);
      assert.deepEqual((await verifyFile(database)).findings, []);
    });
  });

describe('A database of schema 1', () => {
  it('has all its memories afterwards, byte for byte, in every kind of list', async (t) => {
    const { database, ana, bo } = createOld();
    const { applied } = await upgradeFile({ database });
    assert.deepEqual(applied, MIGRATIONS.slice(1));
    assert.deepEqual((await upgradeFile({ database })).applied, [], 'once');
    const { port } = await createServerOn(t, database);
    const get = (path: string, key = ana) => send(port, { path, key });

    const whole = old.map((each) => JSON.stringify({ ...each, user_id: 'ana' }));
    assert.equal((await get('/v1/memories?order=asc')).text, `[${whole.join()}]`);
    assert.deepEqual(ids(await get('/v1/memories')), right.toReversed());
    const one = await get('/v1/memories/m007');
    assert.equal(one.text, whole[7]);
    assert.equal(one.headers['etag'], `"${createHash('sha256').update(one.body).digest('hex')}"`);

    const pages = await walk(
      { port, key: ana },
      '/v1/memories?order=asc&limit=40&fields=summary,name',
    );
    const slim = old.map(({ id, name, summary }) => JSON.stringify({ id, name, summary }));
    assert.equal(pages.map(({ text }) => text.slice(1, -1)).join(), slim.join());
    const processing = right.filter((_, i) => i % 10 === 0);
    assert.deepEqual(ids(await get('/v1/memories?is_processing=true&order=asc')), processing);
    assert.equal(items(await get('/v1/memories?started_before=1970-01-01')).length, 6);

    const finds = async (q: string, key = ana) =>
      ids(await get(`/v1/memories?order=asc&q=${encodeURIComponent(q)}`, key));
    assert.deepEqual(
      await finds('alder'),
      right.filter((_, i) => i % 3 === 0),
    );
    assert.deepEqual(await finds('京 cafe nr9'), ['m009']);
    assert.deepEqual(await finds('long'), ['m007']);
    assert.deepEqual(await finds('"one nr4"'), []);
    assert.deepEqual(await finds('cedar'), []);
    assert.deepEqual(await finds('cedar', bo), ['m000', 'm002']);
  });

  it('has a feed of all its memories, which continues from there', async (t) => {
    const { database, ana, bo } = createOld();
    await upgradeFile({ database });
    const { port } = await createServerOn(t, database);
    const feed = async (path: string, key = ana) => {
      const answer = await send(port, { path, key });
      return {
        told: items(answer).map((each) => `${String(each['change'])} ${String(each['memory_id'])}`),
        next: String(linksOf(answer)['next']),
      };
    };
    const all = await feed('/v1/changes');
    assert.deepEqual(
      all.told,
      right.toReversed().map((id) => `upsert ${id}`),
    );
    assert.deepEqual((await feed('/v1/changes', bo)).told, ['upsert m000', 'upsert m002']);
    assert.deepEqual((await feed(all.next)).told, []);
    assert.equal((await send(port, { path: all.next, key: bo })).status, 410, 'a feed of its own');
    const writer = openWriter(database);
    t.after(() => writer.close());
    writer.memories.delete('ana', 'm003');
    writer.memories.put('ana', memory({ id: 'new' }));
    assert.deepEqual((await feed(all.next)).told, ['delete m003', 'upsert new']);
  });

  it('is written to like a new database', async (t) => {
    const { database, ana } = createOld();
    await upgradeFile({ database });
    const { port } = await createServerOn(t, database);
    const writer = openWriter(database);
    t.after(() => writer.close());
    for (const each of old) assert.equal(writer.memories.put('ana', each), false, each.id);
    const finds = async (q: string) =>
      ids(await send(port, { path: `/v1/memories?q=${q}`, key: ana }));
    writer.memories.put('ana', { ...old[7]!, name: 'fir', transcript: '' });
    assert.deepEqual([await finds('long'), await finds('fir')], [[], ['m007']]);
    for (const { id } of old) assert.equal(writer.memories.delete('ana', id), true);
    for (const q of ['alder', 'birch', 'cafe', 'said', 'fir', 'one'])
      assert.deepEqual(await finds(q), [], q);
    const db = new Database(database);
    t.after(() => db.close());
    db.exec("INSERT INTO search (search) VALUES ('integrity-check')");
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok');
  });
});

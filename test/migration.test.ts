// Migration: a database of an earlier schema becomes one of today, with all that it kept.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import Database from 'better-sqlite3';

import type { Memory } from '../src/contract/memory.ts';
import { hashApiKey } from '../src/store/apikey.ts';
import { APPLICATION_ID } from '../src/store/migrate.ts';
import { indexedWords, weekOf } from '../src/store/search.ts';
import { verifyFile } from '../src/store/verify.ts';
import { migrate, openWriter, withWriter } from '../src/store/writer.ts';
import { issued, newFolder } from './support/left.ts';
import { ids, items, linksOf, walk } from './support/lists.ts';
import { ROOT } from './support/program.ts';
import { createServerOn } from './support/serving.ts';
import { send } from './support/wire.ts';
import { memory } from './support/world.ts';

const KEYS = [
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

/** A body as schema 1 had it, and the row around it. */
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

/** Memories over years and in all shapes; some at one instant, some before 1970. */
const old = Array.from({ length: 150 }, (_, i) => {
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
/** In the order of lists that are oldest first. */
const right = old.map(({ id }) => id);

/** Makes a database as the first version did, by its one migration; returns its file and a key of each account. */
function createOld(): { database: string; ana: string; bo: string } {
  const database = join(newFolder(), 'memories.db');
  const donor = join(newFolder(), 'donor.db');
  migrate(donor);
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
  // The newest first, as an import may have come: the feed is in the order of writing.
  for (const each of old.toReversed()) insert.run(rowOf('ana', each));
  for (const each of old.slice(0, 3)) insert.run(rowOf('bo', { ...each, name: 'cedar' }));
  db.prepare("DELETE FROM memories WHERE account_id = 'bo' AND id = 'm001'").run();
  writer.close();
  db.close();
  return { database, ana, bo };
}

/** Makes a database as the second schema had it, whose newest number is of a memory that is gone. */
function createSecond(): string {
  const { database } = createOld();
  const db = new Database(database);
  db.function('week_of', (ms) => weekOf(Number(ms)));
  db.function('search_words', (label, body) =>
    indexedWords(Number(label), JSON.parse(String(body)) as Memory),
  );
  db.exec(readFileSync(join(ROOT, 'sql/sqlite/0002-search-and-changes.sql'), 'utf8'));
  db.pragma('user_version = 2');
  db.exec(`INSERT INTO search (search, rowid, words)
    SELECT 'delete', pk, search_words(label, body) FROM memories JOIN search_weeks USING (account_id)
    WHERE week = week_of(started_at) ORDER BY pk DESC LIMIT 1`);
  db.exec('DELETE FROM memories WHERE pk = (SELECT max(pk) FROM memories)');
  db.close();
  return database;
}

/** All that a migration may not change. */
function keptIn(database: string): readonly unknown[][] {
  const db = new Database(database, { readonly: true });
  const columns = `pk, ${KEYS.join()}, slim`;
  const all = [
    `SELECT ${columns} FROM memories ORDER BY pk`,
    ...['accounts', 'api_keys', 'changes', 'change_epochs', 'search_weeks'].map(
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
    assert.deepEqual(migrate(database), ['0003-integrity.sql']);
    assert.deepEqual(keptIn(database), before);
    assert.deepEqual((await verifyFile(database)).findings, []);
  });

  it('never uses the number of a memory again that was deleted before', (t) => {
    const database = createSecond();
    migrate(database);
    withWriter(database, ({ memories }) => memories.put('empty', memory({ id: 'new' })));
    const db = new Database(database, { readonly: true });
    t.after(() => db.close());
    const newest = db.prepare('SELECT max(pk) FROM memories').pluck().get();
    assert.equal(newest, old.length + 4, 'behind the three of bo, of which the last is gone');
  });
});

describe('A database of schema 1', () => {
  it('has all its memories afterwards, byte for byte, in every kind of list', async (t) => {
    const { database, ana, bo } = createOld();
    assert.deepEqual(migrate(database), ['0002-search-and-changes.sql', '0003-integrity.sql']);
    assert.deepEqual(migrate(database), [], 'once');
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

  it('has a feed of all that is there, which goes on from then', async (t) => {
    const { database, ana, bo } = createOld();
    migrate(database);
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
    assert.deepEqual(
      (await feed(all.next, bo)).told,
      ['upsert m000', 'upsert m002'],
      'a feed of its own',
    );
    const writer = openWriter(database);
    t.after(() => writer.close());
    writer.memories.delete('ana', 'm003');
    writer.memories.put('ana', memory({ id: 'new' }));
    assert.deepEqual((await feed(all.next)).told, ['delete m003', 'upsert new']);
  });

  it('is written to as a new one is: what is unchanged stays, words follow, deletion forgets', async (t) => {
    const { database, ana } = createOld();
    migrate(database);
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

// A damaged file: what can be read is served, the rest is 500, and nobody else pays for it.

import assert from 'node:assert/strict';
import { closeSync, openSync, utimesSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import Database from 'better-sqlite3';

import { openGateway } from '../src/gateway/open.ts';
import { openStore } from '../src/store/sqlite.ts';
import { createDatabase, withWriter } from '../src/store/sqlite/writer.ts';
import { issued, leave, newFolder } from './support/left.ts';
import { memories } from './support/world.ts';

const COUNT = 200;

/** A file with a page of memories that is no page any more, and a key to it. */
function createDamaged(): { readonly database: string; readonly key: string } {
  const database = join(newFolder(), 'memories.db');
  createDatabase(database);
  const { key } = withWriter(database, (writer) => {
    writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
    for (const each of memories(COUNT, 500)) writer.memories.put('ana', each);
    return writer.keys.create({ account_id: 'ana', label: 'test', expires_at: null });
  });
  const db = new Database(database);
  const pages = db
    .prepare<[], number>(
      `SELECT pageno FROM dbstat WHERE name = 'memories' AND pagetype = 'leaf' ORDER BY pageno`,
    )
    .pluck()
    .all();
  const pageSize = Number(db.pragma('page_size', { simple: true }));
  db.close();
  const page = pages[Math.floor(pages.length / 2)] ?? 0;
  const file = openSync(database, 'r+');
  writeSync(file, Buffer.alloc(16, 0xff), 0, 16, (page - 1) * pageSize);
  closeSync(file);
  return { database, key: issued(key) };
}

describe('A file with a damaged page', () => {
  it('costs those who ask for what was there a 500, and nobody else anything', async (t) => {
    const { database, key } = createDamaged();
    const failures: unknown[] = [];
    const gateway = openGateway({
      database,
      cacheBytes: 0,
      log: { error: (fields) => failures.push(leave(JSON.stringify(fields))) },
    });
    t.after(() => gateway.close());
    const ask = async (path: string) =>
      (await gateway.fetch(new Request(`http://a${path}`, { headers: { 'x-api-key': key } })))
        .status;
    const paths = memories(COUNT).map(({ id }) => `/v1/memories/${id}`);
    for (const statuses of [
      await Promise.all(paths.map(ask)),
      await Promise.all(paths.toReversed().map(ask)),
    ]) {
      const failed = statuses.filter((status) => status === 500).length;
      assert.ok(failed > 0 && failed < 20, `${failed} failed`);
      assert.equal(statuses.filter((status) => status === 200).length, COUNT - failed);
    }
    assert.ok(failures.length > 0, 'told whole to the log');
    assert.equal(await ask('/v1/changes'), 200);
    assert.equal(await ask('/readyz'), 200);
  });

  it('is opened anew ever more rarely while it stays as it is, and within a second of a change', (t) => {
    const { database } = createDamaged();
    let now = Math.ceil(performance.now());
    t.mock.method(performance, 'now', () => now);
    const store = openStore(database);
    t.after(() => store.close());
    const ids = memories(COUNT).map(({ id }) => id);
    const read = (id: string) =>
      store.memory({ account_id: 'ana', id, bytes: 'body', known: '' }) !== undefined;
    const lost = ids.find((id) => {
      try {
        return !read(id);
      } catch {
        return true;
      }
    });
    assert.ok(lost !== undefined);
    const close = t.mock.method(Database.prototype, 'close');
    const opened: number[] = [];
    const after = (second: number) => {
      now += 1000;
      assert.throws(() => read(lost), /is damaged; put a backup in its place/);
      assert.equal(read('m000'), true);
      if (close.mock.callCount() > opened.length) opened.push(second);
    };
    for (let second = 1; second <= 200; second++) after(second);
    assert.deepEqual(opened.splice(0), [1, 2, 4, 8, 16, 32, 64, 124, 184]);
    close.mock.resetCalls();
    utimesSync(database, 1, 1);
    for (let second = 1; second <= 10; second++) after(second);
    assert.deepEqual(opened, [1, 2, 4, 8]);
  });
});

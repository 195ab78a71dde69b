// A damaged file: healthy memories are served, damaged ones are 500, and other requests are not affected.

import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import Database from 'better-sqlite3';

import { openGateway } from '../../src/gateway/open.ts';
import { openStore } from '../../src/store/sqlite/store.ts';
import { createDatabase, withFileWriterSync } from '../../src/store/sqlite/writer.ts';
import { overwrite } from '../support/damage/overwrite-pages.ts';
import { serveAlone } from '../support/processes/serve-process.ts';
import { send } from '../support/wire/wire.ts';
import { issued, leave, newFolder } from '../support/world/artifacts.ts';
import { stop } from '../support/world/program.ts';
import { memories } from '../support/world/world.ts';

const COUNT = 200;

/** Creates a file with a destroyed page of memories, or with all leaves of the tables and indexes of another name, and a key for it. */
function createDamaged(name = 'memories'): { readonly database: string; readonly key: string } {
  const database = join(newFolder(), 'memories.db');
  createDatabase(database);
  const { key } = withFileWriterSync(database, (writer) => {
    writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
    writer.memories.putAll('ana', memories(COUNT, 500));
    return writer.keys.create({ account_id: 'ana', label: 'test', expires_at: null });
  });
  const db = new Database(database);
  const pages = db
    .prepare<[string], number>(
      `SELECT pageno FROM dbstat WHERE name GLOB ? AND pagetype = 'leaf' ORDER BY pageno`,
    )
    .pluck()
    .all(name);
  const pageSize = Number(db.pragma('page_size', { simple: true }));
  db.close();
  const middle = Math.floor(pages.length / 2);
  for (const page of name === 'memories' ? pages.slice(middle, middle + 1) : pages)
    overwrite(database, (page - 1) * pageSize, Buffer.alloc(16, 0xff));
  return { database, key: issued(key) };
}

describe('A file with a damaged page', () => {
  it('is served to its end if only what runs beside requests needs the page, and the log says so', async (t) => {
    const { database, key } = createDamaged('*pulls*');
    const { child, port, lines } = await serveAlone(t, database);
    const told = () => lines().find(({ msg }) => msg === 'the sources of the app cannot be read');
    while (told() === undefined) {
      assert.equal((await send(port, { key })).status, 200);
      await sleep(20);
    }
    assert.match(JSON.stringify(told()), /is damaged/);
    assert.equal(await stop(child), 0);
  });

  it('is a 500 for requests that need the page, and affects no others', async (t) => {
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

  it('is reopened at most once a second while reads fail, and after a change', (t) => {
    const { database } = createDamaged();
    let now = Math.ceil(performance.now());
    t.mock.method(performance, 'now', () => now);
    const store = openStore(database);
    t.after(() => store.close());
    const ids = memories(COUNT).map(({ id }) => id);
    const read = (id: string) =>
      store.memory({ account_id: 'ana', id, projection: 'body', known: '' }) !== undefined;
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
    const seconds = Array.from({ length: 20 }, (_, i) => i + 1);
    seconds.forEach(after);
    assert.deepEqual(opened.splice(0), seconds);
    for (let i = 0; i < 5; i++) assert.throws(() => read(lost)); // within the same second
    assert.equal(close.mock.callCount(), seconds.length);
    close.mock.resetCalls();
    utimesSync(database, 1, 1);
    seconds.forEach(after);
    assert.deepEqual(opened, seconds);
  });
});

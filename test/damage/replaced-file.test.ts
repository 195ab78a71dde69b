// A database that is replaced, moved or damaged while a server runs: noticed within a second, logged once, and reopened.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import Database from 'better-sqlite3';

import { hashApiKey } from '../../src/store/accounts/api-key.ts';
import { openStore } from '../../src/store/sqlite/store.ts';
import { isSameInode } from '../../src/store/sqlite/watch/file-identity.ts';
import { withFileWriterSync } from '../../src/store/sqlite/writer.ts';
import { createFiles, HARMS, LINK_HARMS, type Files } from '../support/damage/file-faults.ts';
import { send } from '../support/wire/wire.ts';
import { leave, newFolder } from '../support/world/artifacts.ts';
import { createServerOn } from '../support/world/server-in-process.ts';
import { memories } from '../support/world/world.ts';

/** Serves the old state of the files, and collects the log. */
async function serve(t: TestContext, { linked = false, rollback = false } = {}) {
  const files = await createFiles(newFolder(), linked);
  // In WAL mode a lock does not stop readers.
  if (rollback) withMode(files.served, 'DELETE');
  const logged: string[] = [];
  const error = (fields: object): void => {
    logged.push(String((fields as { err?: unknown }).err));
    leave(logged.at(-1) ?? '');
  };
  const { port, gateway } = await createServerOn(t, files.served, { log: { error } });
  const ask = (path: string) => send(port, { path, key: files.key });
  return { files, port, gateway, logged, ask };
}

function withMode(file: string, mode: string): void {
  const db = new Database(file);
  assert.equal(db.pragma(`journal_mode = ${mode}`, { simple: true }), mode.toLowerCase());
  db.close();
}

/** A name that identifies the state. */
function nameIn(state: 'old' | 'next'): string {
  return state === 'old' ? 'Memory m003' : 'Next';
}

/** Sends requests until a memory has the name of a state, or until requests fail. */
async function until(
  ask: (path: string) => ReturnType<typeof send>,
  state: 'old' | 'next' | 'nothing',
) {
  for (;;) {
    const { status, text } = await ask('/v1/memories/m003');
    if (state === 'nothing' ? status === 500 : status === 200) {
      const body = JSON.parse(text) as { name?: string; detail?: string };
      if (state === 'nothing') assert.match(String(body.detail), /could not complete/);
      if (state === 'nothing' || body.name === nameIn(state)) return;
    }
    await sleep(20);
  }
}

const chosen = new Set([
  'is renamed away',
  'is replaced by rename',
  'is replaced by rename, and its write-ahead log stays',
  'is overwritten by another database',
  'is emptied',
  'loses its write-ahead log, and is written afterwards',
  'gets a newer schema',
  'loses a column',
  'loses a table',
]);

describe('A database that', { concurrency: true }, () => {
  for (const { name, harm, seen, mended } of [
    ...HARMS.filter((each) => chosen.has(each.name)),
    ...LINK_HARMS,
  ])
    it(`${name} is noticed by requests and /readyz, and its repair too`, async (t) => {
      const { files, port, ask } = await serve(t, { linked: name.includes('link') });
      await until(ask, 'old');
      const mend = harm(files);
      await until(ask, seen);
      assert.equal((await ask('/readyz')).status, seen === 'nothing' ? 503 : 200);
      assert.equal((await ask('/healthz')).status, 200);
      mend();
      await until(ask, mended);
      assert.equal((await send(port, { path: '/readyz' })).status, 200);
    });

  it('is missing is logged once, and again the next time', async (t) => {
    const { files, ask, logged } = await serve(t);
    const gone = HARMS.find(({ name }) => name === 'is renamed away')?.harm as (
      files: Files,
    ) => () => void;
    for (const times of [1, 2]) {
      const mend = gone(files);
      await until(ask, 'nothing');
      await Promise.all(Array.from({ length: 20 }, () => ask('/v1/memories')));
      mend();
      await until(ask, 'old');
      assert.equal(logged.length, times, logged.join('\n'));
    }
    assert.match(logged[0] ?? '', /There is no database at /);
  });

  it('has a new file and an old log says what to remove', async (t) => {
    const { files, ask, logged } = await serve(t);
    HARMS.find(({ name }) => name.endsWith('its write-ahead log stays'))?.harm(files);
    await until(ask, 'nothing');
    assert.match(
      logged.join('\n'),
      /was replaced, but the log of the old file is still beside it; stop all programs that write to it, remove \S+-wal and \S+-shm, and/,
    );
  });
});

/** Lets another process lock a database. Returns a function that ends the lock. */
async function lock(t: TestContext, database: string): Promise<() => Promise<void>> {
  const code = `
    const { default: Database } = await import('better-sqlite3');
    const db = new Database(process.argv[1], { timeout: 0 });
    db.pragma('locking_mode = EXCLUSIVE');
    try { db.exec('BEGIN EXCLUSIVE; DELETE FROM search_weeks WHERE week = -1'); console.log('locked'); }
    catch (error) { console.log(error.code); }
    process.stdin.resume().on('end', () => db.close());`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, database]);
  t.after(() => child.kill('SIGKILL'));
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  assert.equal(String(said).trim(), 'locked');
  return async () => {
    child.stdin.end();
    await once(child, 'close');
  };
}

describe('A locked database', () => {
  it('makes only the first request wait; each gets 500 until the lock ends', async (t) => {
    const { files, port, ask, logged } = await serve(t, { rollback: true });
    assert.equal((await ask('/v1/memories')).status, 200);
    const unlock = await lock(t, files.served);
    const before = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => ask('/v1/memories?limit=2')),
    );
    for (const { status, text } of answers) {
      assert.equal(status, 500);
      assert.match(String(JSON.parse(text).detail), /could not complete/);
    }
    assert.equal((await send(port, { path: '/readyz' })).status, 503);
    assert.equal((await send(port, { path: '/healthz' })).status, 200);
    // A connection waits 100 ms for a lock, so 50 requests would wait 5 s one after another.
    assert.ok(performance.now() - before < 2500);
    assert.equal(logged.length, 1);
    assert.match(logged[0] ?? '', /is locked by another program; close that program/);
    await unlock();
    assert.equal((await send(port, { path: '/readyz' })).status, 200);
    assert.equal((await ask('/v1/memories')).status, 200);
  });
});

describe('A replaced file is recognised', () => {
  const file = join(newFolder(), 'file');
  writeFileSync(file, '');
  const [before, after] = [1, 2].map((time) => {
    utimesSync(file, time, time); // changes the modification time
    const { dev, ino, birthtimeMs, ctimeMs } = statSync(file);
    return { dev, ino, birthtimeMs, ctimeMs };
  });
  assert.ok(before !== undefined && after !== undefined);

  it('by its inode number, or by its birth time if the number is reused', () => {
    assert.ok(isSameInode(before, after));
    assert.ok(!isSameInode(before, { ...after, ino: after.ino + 1 }));
    assert.ok(!isSameInode(before, { ...after, dev: after.dev + 1 }));
    assert.ok(!isSameInode(before, { ...after, birthtimeMs: after.ctimeMs + 1 }));
    assert.ok(!isSameInode(before, undefined));
    assert.ok(isSameInode(undefined, undefined));
  });

  it('by its birth time, even if it equals the time of the last change', () => {
    const born = { ...before, birthtimeMs: 1, ctimeMs: 2 };
    assert.ok(!isSameInode(born, { ...before, birthtimeMs: 3, ctimeMs: 3 }));
    assert.ok(!isSameInode({ ...before, birthtimeMs: 3, ctimeMs: 3 }, born));
    assert.ok(isSameInode({ ...born, ctimeMs: 1 }, born), 'new at the first look');
  });

  const unborn = (ctimeMs: number) => ({ ...before, ctimeMs, birthtimeMs: ctimeMs });

  it('not after a write, on systems where Node reports the last change as birth time', () => {
    assert.ok(isSameInode(unborn(1), unborn(2)));
    assert.ok(!isSameInode(unborn(1), { ...unborn(2), ino: before.ino + 1 }));
  });
});

describe('A served database', () => {
  it('that gets a newer schema fails with one error a second', async (t) => {
    const files = await createFiles(newFolder());
    const store = openStore(files.served);
    t.after(() => store.close());
    const now = performance.now();
    t.mock.method(performance, 'now', () => now);
    HARMS.find(({ name }) => name === 'gets a newer schema')?.harm(files);
    const errors = new Set<unknown>();
    for (let i = 0; i < 5; i++) {
      assert.throws(
        () => store.apiKey(hashApiKey(files.key)),
        (error) => errors.add(error).size === 1,
      );
      assert.ok(store.memory({ account_id: 'ana', id: 'm003', projection: 'body', known: '' }));
    }
    assert.match(String([...errors]), /schema/);
  });

  it('has no file that other users can read, including its logs', async (t) => {
    const { files, ask } = await serve(t);
    assert.equal((await ask('/v1/memories')).status, 200);
    for (const end of ['', '-wal', '-shm'])
      assert.equal(statSync(files.served + end).mode & 0o777, 0o600, end);
  });

  it('has its log checkpointed while a client of a long list has stopped reading', async (t) => {
    const { files, port } = await serve(t);
    withFileWriterSync(files.served, ({ memories: { putAll } }) =>
      putAll('ana', memories(300, 50_000)),
    );
    const writer = new Database(files.served);
    t.after(() => writer.close());
    writer.exec(`UPDATE memories SET name = 'Changed'`);
    const sent = request({ port, path: '/v1/memories', headers: { 'x-api-key': files.key } }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    t.after(() => response.destroy());
    writer.exec(`UPDATE memories SET name = 'And again'`);
    const [{ busy, log }] = writer.pragma('wal_checkpoint(TRUNCATE)') as [Record<string, number>];
    assert.deepEqual({ busy, log }, { busy: 0, log: 0 });
    assert.equal(statSync(`${files.served}-wal`).size, 0);
  });

  it('cannot be locked exclusively by another program', async (t) => {
    const { files, ask } = await serve(t);
    assert.equal((await ask('/v1/memories')).status, 200);
    const other = new Database(files.served, { timeout: 0 });
    t.after(() => other.close());
    other.pragma('locking_mode = EXCLUSIVE');
    assert.throws(() => other.exec('BEGIN EXCLUSIVE'), { code: 'SQLITE_BUSY' });
    assert.equal((await ask('/v1/memories')).status, 200);
  });
});

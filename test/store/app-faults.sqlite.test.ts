// The app's store on a file that is locked, read-only, replaced or gone: sessions can still be read, and writes say what to do.

import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import Database from 'better-sqlite3';

import { hashSecret } from '../../src/store/app/access.ts';
import { Refusal } from '../../src/store/refusal.ts';
import { openAppFile } from '../../src/store/sqlite/app/open.ts';
import { createDatabase } from '../../src/store/sqlite/writer.ts';
import { lock, NO_LIMIT, NO_READ_ONLY, withFilesUpTo } from '../support/damage/full-disk.ts';
import { AGENT } from '../support/world/app-store.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { runProcess } from '../support/world/program.ts';

const SIGN_IN = { account_id: 'ana', way: 'link', agent: AGENT, is_short: false } as const;

/** A file with the account `ana`, who is signed in. */
async function createSignedIn(t: TestContext) {
  const database = join(newFolder(), 'memories.db');
  createDatabase(database, ({ accounts }) => {
    accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
  });
  const app = openAppFile(database);
  t.after(() => app.close());
  const { token } = await app.sessions.create(SIGN_IN);
  const find = async () => (await app.sessions.find(hashSecret(token)))?.account.id;
  assert.equal(await find(), 'ana');
  return { database, app, find };
}

function isRefusal(code: string, says: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof Refusal);
    assert.equal(error.code, code);
    assert.match(error.message, says);
    return true;
  };
}

describe("The app's store", () => {
  it('reads sessions while another program writes, and its own write waits for that', async (t) => {
    const { database, app, find } = await createSignedIn(t);
    const other = new Database(database);
    t.after(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    const waiting = app.sessions.create(SIGN_IN);
    await sleep(200);
    assert.equal(await find(), 'ana');
    other.exec('COMMIT');
    assert.equal((await waiting).session.account_id, 'ana');
  });

  it('says that another program is writing if it does not end', { timeout: 30_000 }, async (t) => {
    const { database, app, find } = await createSignedIn(t);
    const other = new Database(database);
    t.after(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    await assert.rejects(
      async () => app.sessions.create(SIGN_IN),
      isRefusal('locked', /is being written by another program, such as an import; try again/),
    );
    const [session] = await app.sessions.list('ana');
    assert.ok(session);
    // Notes of use are no reason to fail a request, nor to wait.
    await app.sessions.seen({ ...session, seen_at: 0 });
    await assert.rejects(
      async () => app.keys.recordUse(new Map([['0'.repeat(64), 1]])),
      isRefusal('locked', /is locked by another program/),
    );
    assert.equal(await find(), 'ana');
  });

  it(
    'reads sessions in a read-only folder, and says that it cannot write',
    { skip: NO_READ_ONLY },
    async (t) => {
      const { database, app, find } = await createSignedIn(t);
      assert.equal(await app.canWrite(), true);
      const unlock = lock(t, dirname(database));
      assert.equal(await app.canWrite(), false);
      assert.equal(await find(), 'ana');
      await assert.rejects(
        async () => app.sessions.create(SIGN_IN),
        isRefusal('denied', /cannot be used; this user needs permission to use it and to write/),
      );
      const [session] = await app.sessions.list('ana');
      assert.ok(session);
      await app.sessions.seen({ ...session, seen_at: 0 });
      assert.equal(await find(), 'ana');
      unlock();
      assert.equal(await app.canWrite(), true);
      await app.sessions.create(SIGN_IN);
    },
  );

  it('reads the file that has its name now, and no session of another file', async (t) => {
    const { database, app, find } = await createSignedIn(t);
    const fresh = join(newFolder(), 'other.db');
    createDatabase(fresh, ({ accounts }) => {
      accounts.create({ id: 'ana', name: 'Another Ana', created_by: 'command line' });
    });
    for (const end of ['-wal', '-shm']) rmSync(database + end, { force: true });
    renameSync(fresh, database);
    assert.equal(await find(), undefined);
    assert.deepEqual(await app.accounts.find('ana'), { id: 'ana', name: 'Another Ana' });
    await app.sessions.create(SIGN_IN);
    assert.equal((await app.sessions.list('ana')).length, 1);
  });

  it('leaves nothing in the log, so that a file is read that is put in place without removing the log', async (t) => {
    const { database, app, find } = await createSignedIn(t);
    const fresh = join(newFolder(), 'other.db');
    createDatabase(fresh, () => {});
    await app.sessions.create(SIGN_IN);
    renameSync(fresh, database);
    assert.equal(await find(), undefined);
    assert.equal(await app.accounts.find('ana'), undefined);
  });

  it(
    'does not say that a write has failed if only its log cannot be emptied',
    { skip: NO_LIMIT },
    async (t) => {
      const { database, app } = await createSignedIn(t);
      const limit = 65_536; // enough for the log, and less than where the file has the links
      assert.ok(statSync(database).size > 2 * limit);
      const { code, stdout, stderr } = await runProcess(
        ['sign-in', 'ana', '--json', '--database', database],
        { under: withFilesUpTo(limit) },
      );
      assert.equal(code, 0, stderr);
      assert.ok(statSync(`${database}-wal`).size > 0, 'the log could not be emptied');
      const [link = ''] = (JSON.parse(stdout) as { links: string[] }).links;
      const secret = issued(link.slice(link.indexOf('#') + 1));
      assert.equal((await app.links.use(secret))?.account.id, 'ana');
    },
  );

  it('says that the file is gone, and works again when it is back', async (t) => {
    const { database, app, find } = await createSignedIn(t);
    const away = `${database}.away`;
    const db = new Database(database);
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
    copyFileSync(database, away);
    for (const end of ['', '-wal', '-shm']) rmSync(database + end, { force: true });
    const isGone = isRefusal('missing', /There is no database at .*; create one with/);
    await assert.rejects(find, isGone);
    await assert.rejects(async () => app.sessions.create(SIGN_IN), isGone);
    assert.equal(await app.canWrite(), false);
    renameSync(away, database);
    assert.equal(await find(), 'ana');
    assert.equal(await app.canWrite(), true);
  });

  it('names the command if the schema is of another version', async (t) => {
    const { database, app, find } = await createSignedIn(t);
    const other = new Database(database);
    t.after(() => other.close());
    const version = Number(other.pragma('user_version', { simple: true }));
    other.pragma(`user_version = ${version - 1}`);
    const isOlder = isRefusal('older', /run: memory-gateway migrate/);
    await assert.rejects(find, isOlder);
    await assert.rejects(async () => app.sessions.create(SIGN_IN), isOlder);
    other.pragma(`user_version = ${version}`);
    assert.equal(await find(), 'ana');
  });

  it('writes nothing to a file that was put beside the log of the old one, which SQLite would merge', async (t) => {
    const { database, app } = await createSignedIn(t);
    const other = new Database(database);
    t.after(() => other.close());
    copyFileSync(database, `${database}.new`);
    other.exec("UPDATE accounts SET name = 'In the log'");
    renameSync(`${database}.new`, database);
    const before = readFileSync(database);
    const isBeside = isRefusal('damaged', /the log of the old file is still beside it/);
    await assert.rejects(async () => app.keys.recordUse(new Map()), isBeside);
    await assert.rejects(async () => app.sessions.create(SIGN_IN), isBeside);
    assert.deepEqual(readFileSync(database), before);
  });

  it('lets go of a replaced file when the use of keys is written, although nobody uses the app', async (t) => {
    const { database, app } = await createSignedIn(t);
    const openFiles = () =>
      readdirSync('/proc/self/fd').flatMap((fd) => {
        try {
          return [readlinkSync(`/proc/self/fd/${fd}`)];
        } catch {
          return []; // closed meanwhile
        }
      });
    if (!existsSync('/proc/self/fd')) return t.skip('no list of open files');
    const old = () => openFiles().filter((name) => name === `${database} (deleted)`);
    copyFileSync(database, `${database}.new`);
    for (const end of ['-wal', '-shm']) rmSync(`${database}${end}`, { force: true });
    renameSync(`${database}.new`, database);
    assert.notDeepEqual(old(), []);
    await app.keys.recordUse(new Map());
    assert.deepEqual(old(), []);
    return undefined;
  });
});

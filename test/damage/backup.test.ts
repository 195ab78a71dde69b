// backup and restore: when they refuse, which files they leave, and how they treat a damaged database.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import Database from 'better-sqlite3';

import { writeToFile } from '../../src/cli/export/output.ts';
import { hashSecret } from '../../src/store/app/access.ts';
import { createFileAsync } from '../../src/store/files/atomic-file.ts';
import { openAppFile } from '../../src/store/sqlite/app/open.ts';
import { verifyFile } from '../../src/store/sqlite/check/verify.ts';
import { backUp } from '../../src/store/sqlite/files/backup.ts';
import { restore } from '../../src/store/sqlite/files/restore.ts';
import { keepDatabase, putBackDatabase } from '../../src/store/sqlite/files/safety-copy.ts';
import { createDatabase, openWriter, withFileWriterSync } from '../../src/store/sqlite/writer.ts';
import { createDisk, NO_MOUNT } from '../support/damage/full-disk.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { run } from '../support/world/program.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

const NOBODY = 65534;
const OF_DISKS = { skip: NO_MOUNT };
const MB = 1024 * 1024;

/** Creates a database with this many memories of `ana`, in a folder of its own. */
function create(count = 3, name = 'live.db', bytes = 10): string {
  const database = join(newFolder(), name);
  createDatabase(database, ({ accounts, memories: kept }) => {
    accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
    kept.putAll('ana', memories(count, bytes));
  });
  return database;
}

async function backUpOf(database: string): Promise<string> {
  const file = join(newFolder(), 'backup.db');
  await backUp({ database, file });
  return file;
}

function countIn(database: string): number {
  return withFileWriterSync(database, (writer) => writer.memories.count('ana'));
}

function journalOf(database: string): unknown {
  const db = new Database(database, { readonly: true });
  const mode = db.pragma('journal_mode', { simple: true });
  db.close();
  return mode;
}

/** The files in the folder that do not belong to the database. */
function beside(path: string): string[] {
  return readdirSync(dirname(path))
    .map((name) => join(dirname(path), name))
    .filter((name) => name !== path && !/-(wal|shm)$/.test(name));
}

describe('A backup', () => {
  it('is one verified file that only the owner can read', async () => {
    const database = create(5);
    const file = join(newFolder(), 'backup.db');
    const json = await run(['backup', file, '--database', database, '--json']);
    assert.deepEqual([json.code, json.stderr], [0, '']);
    const { at, ...said } = JSON.parse(json.stdout);
    assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000);
    const bytes = readFileSync(file);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const made = { file, database, bytes: bytes.length, memories: 5, accounts: 1, sha256 };
    assert.deepEqual(said, made);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(dirname(file)), ['backup.db'], 'no draft, no -wal');
    assert.deepEqual((await verifyFile(file)).findings, []);
    assert.deepEqual(readdirSync(dirname(file)), ['backup.db'], 'nor when it was read');
  });

  it('replaces an existing file only with --overwrite', async () => {
    const database = create(2);
    const file = await backUpOf(create(7));
    const refused = await run(['backup', file, '--database', database]);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /backup\.db exists already; give another name, or add --overwrite\.\n$/,
    );
    assert.equal(countIn(file), 7);
    const done = await run(['backup', file, '--database', database, '--overwrite']);
    assert.equal(done.code, 0, done.stderr);
    assert.match(
      done.stdout,
      / is a backup as of .*: \d+ kB, 2 memories of 1 account, SHA-256 [0-9a-f]{64}\.\n$/,
    );
    assert.equal(countIn(file), 2);
  });

  it('replaces the file that a link points to, not the link', async () => {
    const database = create(2);
    const file = await backUpOf(create(7));
    const link = join(newFolder(), 'link.db');
    symlinkSync(file, link);
    await backUp({ database, file: link, overwrite: true });
    assert.deepEqual([lstatSync(link).isSymbolicLink(), countIn(file)], [true, 2]);
    assert.deepEqual([beside(link), beside(file)], [[], []], 'no draft');
  });

  it('is refused in a sentence if the tables that it empties are damaged', async () => {
    for (const table of ['sign_in_failures', 'oauth_clients', 'sessions_by_account']) {
      const database = create(2);
      damage(database, table, 0, 4096);
      const file = join(newFolder(), 'backup.db');
      const { code, stderr } = await run(['backup', file, '--database', database]);
      assert.equal(code, 1, stderr);
      assert.match(stderr, /^memory-gateway: \S+live\.db is damaged; [^\n]+\.\n$/, table);
      assert.deepEqual(readdirSync(dirname(file)), [], 'nothing is left behind');
    }
  });

  it('is refused if it would replace the database, under any name', async () => {
    const database = create();
    const folder = newFolder();
    const links = { soft: join(folder, 'soft.db'), hard: join(folder, 'hard.db') };
    symlinkSync(database, links.soft);
    linkSync(database, links.hard);
    const before = readFileSync(database);
    for (const file of [database, links.soft, links.hard, `${dirname(database)}/./live.db`])
      await assert.rejects(backUp({ database, file, overwrite: true }), /is the database itself/);
    assert.deepEqual(readFileSync(database), before);
  });

  it('is refused if it would replace a -wal or -shm file, under any name', async (t) => {
    const database = create();
    const writer = openWriter(database);
    t.after(() => writer.close());
    writer.memories.put('ana', memory({ id: 'in-the-log' }));
    const folder = newFolder();
    const [soft, way] = [join(folder, 'soft.db'), join(folder, 'way')];
    symlinkSync(`${database}-wal`, soft);
    symlinkSync(dirname(database), way);
    const ends = ['-wal', '-shm', '-journal'];
    const before = readdirSync(dirname(database));
    for (const file of [
      soft,
      ...ends.flatMap((end) => [database + end, join(way, `live.db${end}`)]),
    ])
      for (const overwrite of [false, true])
        await assert.rejects(backUp({ database, file, overwrite }), {
          name: 'Refusal',
          message: `${file} belongs to the database; give the backup another name.`,
        });
    assert.deepEqual(readdirSync(dirname(database)), before);
    assert.equal(countIn(database), 4);
  });

  it('is refused for an unusable name or folder, and leaves no file', async () => {
    const database = create();
    const folder = newFolder();
    mkdirSync(join(folder, 'sub'));
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling.db'));
    writeFileSync(join(folder, 'other.db-wal'), 'log');
    const cases: Record<string, RegExp> = {
      sub: /is not a file; name a database file\.$/,
      'dangling.db': /is a link to nothing; remove it first\.$/,
      'no/where.db': /There is no folder .*no; make it first\.$/,
      'other.db': /other\.db-wal belongs to another database; move it away first\.$/,
    };
    const before = readdirSync(folder);
    for (const [name, sentence] of Object.entries(cases))
      await assert.rejects(backUp({ database, file: join(folder, name) }), {
        name: 'Refusal',
        message: sentence,
      });
    assert.deepEqual(readdirSync(folder), before);
    // better-sqlite3 trims spaces from both ends of a path.
    await assert.rejects(backUp({ database, file: ' first.db' }), {
      name: 'Refusal',
      message: ' first.db begins or ends with a space; choose another name.',
    });
  });

  it('is not made of a database with faults', async () => {
    const database = create();
    const db = new Database(database);
    db.exec(`UPDATE memories SET name = 'x' WHERE id = 'm001'`);
    db.close();
    const file = join(newFolder(), 'backup.db');
    const { code, stderr } = await run(['backup', file, '--database', database]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /does not verify, so there is no backup of it; see what is wrong with: \S.* verify --database .*\n$/,
    );
    assert.deepEqual(readdirSync(dirname(file)), []);
  });

  it('to a read-only folder fails in one sentence', async (t) => {
    const database = join(openFolder(t), 'live.db');
    copyFileSync(await backUpOf(create()), database);
    chmodSync(database, 0o644);
    const folder = closedFolder(t);
    await asNobody(() =>
      assert.rejects(backUp({ database, file: join(folder, 'backup.db') }), {
        name: 'Refusal',
        message: /backup\.db cannot be created \(EACCES\); check the permissions of its folder\.$/,
      }),
    );
    assert.deepEqual(readdirSync(folder), []);
  });

  it('can be verified and restored from a read-only folder', async (t) => {
    const folder = closedFolder(t, await backUpOf(create(4)));
    const file = join(folder, 'backup.db');
    const database = join(openFolder(t), 'live.db');
    await asNobody(async () => {
      assert.deepEqual((await verifyFile(file)).findings, []);
      await restore({ file, database });
    });
    assert.equal(countIn(database), 4);
  });

  it('to a full disk fails in one sentence, and leaves no file', OF_DISKS, async (t) => {
    const folder = createDisk(t, MB);
    const database = create(300, 'live.db', 4000);
    const file = join(folder, 'backup.db');
    const { code, stderr } = await run(['backup', file, '--database', database]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^memory-gateway: \S*backup\.db cannot be written, the disk is full; free some space\.\n$/,
    );
    assert.deepEqual(readdirSync(folder), []);
  });
});

describe('A file that a command only reads', () => {
  /** A copy of a database as it is while nothing serves it: unlike a backup, SQLite needs a log to read it. */
  function copyOf(database: string): string {
    const file = join(newFolder(), 'copy.db');
    copyFileSync(database, file);
    return file;
  }

  function foreign(): string {
    const file = join(newFolder(), 'foreign.db');
    const db = new Database(file);
    db.pragma('journal_mode = WAL');
    db.exec('CREATE TABLE recipes (name TEXT)');
    db.close();
    return file;
  }

  const commands: Readonly<Record<string, (file: string) => readonly string[]>> = {
    restore: (file) => ['restore', file, '--database', join(newFolder(), 'new.db')],
    verify: (file) => ['verify', '--database', file],
    doctor: (file) => ['doctor', '--database', file],
    backup: (file) => ['backup', join(newFolder(), 'backup.db'), '--database', file],
    copy: (file) => ['copy', '--from', file, '--to', join(newFolder(), 'new.db')],
    export: (file) => ['export', '--database', file],
  };
  const database = create(40);
  for (const [name, args] of Object.entries(commands))
    it(`has no other file beside it after ${name}: whole, cut or foreign`, async () => {
      const cut = copyOf(database);
      truncateSync(cut, statSync(cut).size - 40_000);
      for (const file of [copyOf(database), cut, foreign()]) {
        const bytes = readFileSync(file);
        await run(args(file));
        assert.deepEqual(readdirSync(dirname(file)), [basename(file)]);
        assert.deepEqual(readFileSync(file), bytes);
      }
    });
});

/** The number of rows of each table of the app, after a sign-in, with a passkey and a password. */
function appRowsOf(database: string): Record<string, unknown> {
  const db = new Database(database, { readonly: true });
  try {
    const count = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
    return Object.fromEntries(APP_TABLES.map((table) => [table, count(table)]));
  } finally {
    db.close();
  }
}

const APP_TABLES =
  'sessions sign_in_links challenges sign_in_failures passkeys passwords account_events'.split(' ');
const SIGNED_OUT = { sessions: 0, sign_in_links: 0, challenges: 0, sign_in_failures: 0 };

/** Fills every table of the app with one row of `ana`. Returns the hash of the token of its session. */
async function signIn(database: string): Promise<string> {
  const app = openAppFile(database);
  try {
    const agent = 'Firefox on Linux';
    const of = { account_id: 'ana', agent };
    const { token } = await app.sessions.create({ ...of, way: 'link', is_short: false });
    await app.links.create('ana', agent);
    await app.challenges.create('ana');
    await app.passwords.countGuess(['ana']);
    await app.passwords.set({ ...of, hash: 'scrypt' });
    const public_key = { public_key: 'abc', algorithm: -7, sign_count: 0 };
    await app.passkeys.add({ ...of, id: 'abc', label: 'Phone', ...public_key });
    return hashSecret(token);
  } finally {
    await app.close();
  }
}

describe('Sessions', () => {
  it('are in no backup, and not even their hashes are in its bytes, while passkeys and passwords are kept', async () => {
    const database = create();
    const token_sha256 = await signIn(database);
    assert.deepEqual(Object.values(appRowsOf(database)).slice(0, 6), [1, 1, 1, 1, 1, 1]);
    const backup = await backUpOf(database);
    const kept = { passkeys: 1, passwords: 1, account_events: 4 };
    assert.deepEqual(appRowsOf(backup), { ...SIGNED_OUT, ...kept });
    const own = [database, `${database}-wal`].filter(existsSync).map((path) => readFileSync(path));
    assert.ok(Buffer.concat(own).includes(token_sha256), 'the database itself has the hash');
    assert.ok(!readFileSync(backup).includes(token_sha256));
    assert.equal(appRowsOf(database)['sessions'], 1, 'nobody is signed out by a backup');
  });

  it('end with a restore, whatever file is restored, also in a program that has the database open', async (t) => {
    const database = create();
    const backup = await backUpOf(database);
    const token_sha256 = await signIn(database);
    const app = openAppFile(database);
    t.after(() => app.close());
    assert.equal((await app.sessions.find(token_sha256))?.account.id, 'ana');
    const { kept = '' } = await restore({ database, file: backup });
    assert.equal(await app.sessions.find(token_sha256), undefined);
    // The safety copy is the database as it was, with its sessions. They do not come back.
    assert.equal(appRowsOf(kept)['sessions'], 1);
    await restore({ database, file: kept });
    assert.equal(await app.sessions.find(token_sha256), undefined);
    assert.deepEqual(appRowsOf(database), {
      ...SIGNED_OUT,
      passkeys: 1,
      passwords: 1,
      account_events: 4,
    });
    const fresh = join(newFolder(), 'fresh.db');
    await restore({ database: fresh, file: kept });
    assert.equal(appRowsOf(fresh)['sessions'], 0);
  });
});

describe('A restore', () => {
  it('says what is wrong if garbage lies beside the backup, and changes nothing', async () => {
    const database = create();
    const file = join(newFolder(), 'backup.db');
    await backUp({ database, file });
    const before = readFileSync(database);
    for (const end of ['-wal', '-journal']) writeFileSync(file + end, Buffer.alloc(5000, 7));
    await assert.rejects(restore({ file, database }), {
      name: 'Refusal',
      message: `${file} cannot be used with ${file}-journal beside it; move that away, or let this user write in the folder if it belongs to the file.`,
    });
    assert.deepEqual(readFileSync(database), before);
  });

  it('refuses a backup with a table or an index that is not ours, and leaves the database as it was', async () => {
    for (const sql of [
      'CREATE TABLE secret_copy AS SELECT * FROM memories',
      'CREATE UNIQUE INDEX evil ON memories (account_id)',
    ]) {
      const [file, database] = [create(1), create(1)];
      const db = new Database(file);
      db.exec(sql);
      db.close();
      const before = readFileSync(database);
      const { code, stdout, stderr } = await run(['restore', file, '--database', database]);
      assert.equal(code, 1);
      assert.match(stdout, /The (table secret_copy|index evil) does not belong to this program/);
      assert.match(stderr, /so nothing was restored/);
      assert.ok(readFileSync(database).equals(before));
    }
  });

  it('makes a safety copy of the old database, and says where', async () => {
    const database = create(2);
    const file = await backUpOf(create(6));
    const { code, stdout, stderr } = await run(['restore', file, '--database', database]);
    assert.deepEqual([code, stderr], [0, '']);
    const [kept = '', ...more] = beside(database);
    assert.deepEqual(more, []);
    assert.match(kept, /live\.db\.before-restore-\d{8}T\d{9}Z$/);
    assert.ok(
      stdout.endsWith(`: 6 memories of 1 account. The database from before is kept as ${kept}.\n`),
      stdout,
    );
    assert.deepEqual([journalOf(database), journalOf(kept)], ['wal', 'delete']);
    assert.deepEqual([countIn(database), countIn(kept)], [6, 2]);
    assert.equal(statSync(kept).mode & 0o777, 0o600);
    const back = await restore({ file: kept, database, discard: true });
    assert.deepEqual([back.kept, back.memories, countIn(database)], [undefined, 2, 2]);
    assert.equal(beside(database).length, 1, 'with --discard nothing more is kept');
  });

  it('never replaces an existing safety copy', async (t) => {
    const database = create(2);
    const file = await backUpOf(create(6));
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() }); // two in the same millisecond
    const { kept = '' } = await restore({ file, database });
    await assert.rejects(restore({ file, database }), /before-restore-.* exists already/);
    assert.deepEqual(beside(database), [kept]);
    assert.deepEqual([countIn(kept), countIn(database)], [2, 6]);
  });

  it('creates a database if there is none, also through a link', async () => {
    const file = await backUpOf(create(6));
    const database = join(newFolder(), 'new.db');
    const { code, stdout } = await run(['restore', file, '--database', database, '--json']);
    assert.equal(code, 0);
    const said = { ok: true, file, database, memories: 6, accounts: 1, kept: null, new_file: true };
    assert.deepEqual(JSON.parse(stdout), said);
    assert.equal(statSync(database).mode & 0o777, 0o600);
    assert.deepEqual((await verifyFile(database)).findings, []);

    const link = join(newFolder(), 'link.db');
    symlinkSync(database, link);
    const { kept } = await restore({ file: await backUpOf(create(1)), database: link });
    assert.equal(dirname(kept ?? ''), dirname(database));
    assert.equal(countIn(database), 1);
  });

  it('is refused without changes if the backup is unusable', async () => {
    const database = create(2);
    const folder = newFolder();
    const file = (name: string) => join(folder, name);
    writeFileSync(
      file('text.db'),
      'Not a database at all, but a text that is long enough.'.repeat(20),
    );
    new Database(file('foreign.db')).exec('CREATE TABLE t (x)').close();
    for (const [name, version] of [
      ['newer.db', 99],
      ['older.db', 1],
    ] as const) {
      copyFileSync(await backUpOf(create()), file(name));
      const db = new Database(file(name));
      db.pragma(`user_version = ${version}`);
      db.close();
    }
    copyFileSync(await backUpOf(create()), file('pages.db'));
    const pages = new Database(file('pages.db'));
    pages.pragma('page_size = 8192');
    pages.exec('VACUUM');
    pages.close();
    const cases: Record<string, RegExp> = {
      'none.db': /^There is no backup at .*none\.db; name another file\.$/,
      'text.db': /is not a Memory Gateway database; name another file\.$/,
      'foreign.db': /is not a Memory Gateway database; name another file\.$/,
      'newer.db':
        /has schema version 99, but this program knows only \d+; use a newer version of the program/,
      'older.db':
        /has schema version 1, .*; copy it, and run on the copy: memory-gateway migrate --discard --database COPY$/,
      'pages.db':
        /The backup has pages of 8192 bytes, and .* of 4096; stop what serves it, move it away/,
    };
    const before = readFileSync(database);
    for (const [name, message] of Object.entries(cases))
      await assert.rejects(restore({ file: file(name), database }), { name: 'Refusal', message });
    await assert.rejects(restore({ file: database, database }), /is the database itself/);
    assert.deepEqual(readFileSync(database), before);
    assert.deepEqual(beside(database), []);
  });

  it('of a backup that is zeros, cut off or a hundred bytes asks for another backup', async () => {
    const database = create(2);
    const whole = readFileSync(await backUpOf(create(50)));
    const zeros = Buffer.alloc(whole.length - 4096);
    const cases: Record<string, Buffer> = {
      'zeros.db': Buffer.concat([whole.subarray(0, 4096), zeros]),
      'cut.db': whole.subarray(0, whole.length / 2),
      'page.db': whole.subarray(0, 4096),
      'hundred.db': whole.subarray(0, 100),
    };
    const before = readFileSync(database);
    for (const [name, bytes] of Object.entries(cases)) {
      const file = join(newFolder(), name);
      writeFileSync(file, bytes);
      const { code, stdout, stderr } = await run(['restore', file, '--database', database]);
      assert.deepEqual([code, /in its place|restore FILE/.test(stdout + stderr)], [1, false], name);
      assert.match(
        stderr,
        /(is damaged, so nothing was restored; name another backup|is damaged, so nothing was restored)\.\n$/,
      );
    }
    assert.deepEqual([readFileSync(database), beside(database)], [before, []]);
  });

  it('of a backup with faults lists them, and changes nothing', async () => {
    const database = create(2);
    const file = await backUpOf(create());
    const db = new Database(file);
    db.exec(`UPDATE memories SET name = 'x' WHERE id = 'm001'`);
    db.close();
    const { code, stdout, stderr } = await run(['restore', file, '--database', database]);
    assert.equal(code, 1);
    assert.match(stdout, /^Memory m001 of account ana has a body that contradicts name; .*\n$/);
    assert.match(stderr, /is damaged, so nothing was restored\.\n$/);
    assert.deepEqual([countIn(database), beside(database)], [2, []]);
  });

  it("over another program's file is refused", async () => {
    const file = await backUpOf(create());
    const database = join(newFolder(), 'other.db');
    new Database(database).exec('CREATE TABLE t (x)').close();
    const before = readFileSync(database);
    await assert.rejects(restore({ file, database }), /is not a Memory Gateway database/);
    assert.deepEqual(readFileSync(database), before);
  });

  it('waits for a write to end, and keeps it in the safety copy', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', memories(2));
    const file = await backUpOf(create(6));
    const other = new Database(world.database);
    t.after(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    other.exec(`UPDATE accounts SET name = 'Written meanwhile'`);
    const restoring = restore({ file, database: world.database });
    setTimeout(() => other.exec('COMMIT'), 500);
    const { kept = '' } = await restoring;
    const db = new Database(kept);
    t.after(() => db.close());
    assert.equal(db.prepare('SELECT name FROM accounts').pluck().get(), 'Written meanwhile');
  });

  it('gives up on a write that does not end, in one sentence', async (t) => {
    const database = create(2);
    const file = await backUpOf(create(6));
    const other = new Database(database);
    t.after(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    const { code, stderr } = await run(['restore', file, '--database', database]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^memory-gateway: \S+ is locked by another program; close that program and try again\.\n$/,
    );
    other.exec('ROLLBACK');
    assert.deepEqual([countIn(database), beside(database)], [2, []]);
  });

  it('of a database with damaged memories keeps them in its safety copy', async () => {
    const database = create(300, 'live.db', 500);
    const file = await backUpOf(create(6));
    damage(database, 'memories');
    const { kept = '', isNewFile } = await restore({ file, database });
    assert.equal(isNewFile, false);
    assert.deepEqual((await verifyFile(database)).findings, []);
    assert.ok((await verifyFile(kept)).findings.length > 0, 'unchanged');
  });

  it('of a database that cannot be opened renames it, and says that servers use the new file', async () => {
    const database = create(3);
    const file = await backUpOf(create(6));
    damage(database, 'sqlite_schema');
    const before = readFileSync(database);
    const { code, stdout, stderr } = await run(['restore', file, '--database', database, '--json']);
    assert.equal(code, 0, stderr);
    const { kept, new_file: isNewFile } = JSON.parse(stdout);
    assert.equal(isNewFile, true);
    assert.deepEqual(readFileSync(kept), before);
    assert.deepEqual((await verifyFile(database)).findings, []);
    assert.equal(countIn(database), 6);

    damage(database, 'sqlite_schema');
    const again = await run(['restore', file, '--database', database]);
    assert.match(
      again.stderr,
      /^The database is a new file; running servers open it within a second\.\n$/,
    );
  });

  it('of a database that cannot be opened renames its log too, which SQLite would apply to the new one', async () => {
    const database = create(3);
    const file = await backUpOf(create(6));
    damage(database, 'sqlite_schema');
    // A journal that was rolled back gets a header of zeros if it is kept for reuse.
    const journal = Buffer.concat([Buffer.alloc(512), Buffer.from('pages')]);
    writeFileSync(`${database}-journal`, journal);
    const { kept = '' } = await restore({ file, database });
    assert.deepEqual(readFileSync(`${kept}-journal`), journal);
    assert.equal(existsSync(`${database}-journal`), false);
  });

  it('of a database that cannot be opened leaves it its name until the new one takes it, and can be undone', () => {
    const database = create(3);
    damage(database, 'sqlite_schema');
    writeFileSync(`${database}-journal`, 'pages');
    const before = readFileSync(database);
    const kept = `${database}.before-restore-1`;
    keepDatabase(database, kept); // a kill here
    for (const path of [database, kept]) assert.deepEqual(readFileSync(path), before);
    assert.equal(existsSync(`${database}-journal`), false);
    putBackDatabase(database, kept);
    assert.deepEqual(readFileSync(database), before);
    assert.equal(readFileSync(`${database}-journal`, 'utf8'), 'pages');
    assert.deepEqual(beside(database), [`${database}-journal`]);
  });

  it(
    'on a full disk fails in one sentence, and the old database is unchanged',
    OF_DISKS,
    async (t) => {
      const folder = createDisk(t, MB);
      const file = await backUpOf(create(300, 'live.db', 4000));
      const database = join(folder, 'live.db');
      createDatabase(database, ({ accounts, memories: kept }) => {
        accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
        kept.put('ana', memory({ id: 'one' }));
      });
      const { code, stderr } = await run(['restore', file, '--database', database]);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^memory-gateway: \S+ cannot be written, the disk is full; free some space\.\n$/,
      );
      assert.deepEqual([countIn(database), beside(database)], [1, []]);
      assert.deepEqual((await verifyFile(database)).findings, []);
    },
  );

  it('without space for a safety copy says so, and names --discard', OF_DISKS, async (t) => {
    const file = await backUpOf(create(1));
    const large = create(300, 'live.db', 4000);
    const database = join(createDisk(t, 1.5 * statSync(large).size), 'live.db');
    copyFileSync(large, database);
    const refused = await run(['restore', file, '--database', database]);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /^memory-gateway: There is no room beside \S+live\.db to keep what it has now; free some space, or restore with --discard, which keeps nothing\.\n$/,
    );
    assert.deepEqual([countIn(database), beside(database)], [300, []]);
    const done = await run(['restore', file, '--database', database, '--discard']);
    assert.equal(done.code, 0, done.stderr);
    assert.equal(countIn(database), 1);
  });
});

describe('A file that is created atomically', () => {
  it('is complete before the old file loses its name', async () => {
    const path = join(newFolder(), 'made.db');
    const done: string[] = [];
    const beforeRename = () => done.push('rename');
    const making = createFileAsync(path, { where: 'refuse', beforeRename }, async (draft) =>
      writeFileSync(`${draft}-wal`, 'what the file had no room for'),
    );
    await assert.rejects(making, /made\.db cannot be written to its end/);
    await createFileAsync(path, { where: 'refuse', beforeRename }, async (draft) => {
      writeFileSync(draft, 'all');
      done.push('made');
    });
    assert.deepEqual(done, ['made', 'rename']);
  });

  it('gets no bytes of another file, which somebody put into the place of the temporary one', async () => {
    const folder = newFolder();
    const [path, victim] = [join(folder, 'made.jsonl'), join(folder, 'victim')];
    writeFileSync(victim, 'VICTIM');
    for (const put of [linkSync, symlinkSync]) {
      const making = createFileAsync(path, { where: 'replace' }, async (draft) => {
        rmSync(draft);
        put(victim, draft);
      });
      await assert.rejects(making, /^Refusal: Another program has replaced the temporary file of/);
      const exporting = writeToFile(
        { path, overwrite: true, database: 'none.db' },
        async (write) => {
          const draft = readdirSync(folder).find((name) => name.endsWith('.new')) ?? '';
          rmSync(join(folder, draft));
          put(victim, join(folder, draft));
          await write(Buffer.from('memories'));
        },
      );
      await assert.rejects(
        exporting,
        /^Refusal: Another program has replaced the temporary file of/,
      );
    }
    assert.equal(readFileSync(victim, 'utf8'), 'VICTIM');
    assert.deepEqual(readdirSync(folder), ['victim']);
  });
});

/** Overwrites the header of the first leaf page of a table or an index, or more bytes of it. */
function damage(database: string, table: string, byte = 0xff, length = 16): void {
  const db = new Database(database);
  const page = db
    .prepare<[string], number>(
      `SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno`,
    )
    .pluck()
    .get(table);
  const size = Number(db.pragma('page_size', { simple: true }));
  db.close();
  const bytes = readFileSync(database);
  bytes.fill(byte, ((page ?? 0) - 1) * size, ((page ?? 0) - 1) * size + length);
  writeFileSync(database, bytes);
}

/** Creates a folder of the user `nobody`, if the tests run as root. */
function openFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-open-'));
  t.after(() => rmSync(folder, { recursive: true }));
  if (process.getuid?.() === 0) chownSync(folder, NOBODY, NOBODY);
  return folder;
}

/** The same with a copy of a file, in which even that user cannot write. */
function closedFolder(t: TestContext, file?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-closed-'));
  t.after(() => rmSync(folder, { recursive: true }));
  if (file !== undefined) {
    copyFileSync(file, join(folder, 'backup.db'));
    if (process.getuid?.() === 0) chownSync(join(folder, 'backup.db'), NOBODY, NOBODY);
  }
  if (process.getuid?.() === 0) chownSync(folder, NOBODY, NOBODY);
  chmodSync(folder, 0o500);
  return folder;
}

/** Root may write anywhere, so another user runs the command. */
async function asNobody(work: () => Promise<unknown>): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

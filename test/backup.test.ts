// backup and restore: what they refuse, what they leave behind, and what becomes of a damaged database.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
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
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import Database from 'better-sqlite3';

import { backUp } from '../src/store/sqlite/backup.ts';
import { createSafely } from '../src/store/sqlite/create.ts';
import { restore } from '../src/store/sqlite/restore.ts';
import { verifyFile } from '../src/store/sqlite/verify.ts';
import { createDatabase, openWriter, withWriter } from '../src/store/sqlite/writer.ts';
import { createDisk, NO_MOUNT } from './support/full.ts';
import { newFolder } from './support/left.ts';
import { run } from './support/program.ts';
import { createWorld, memories, memory } from './support/world.ts';

const NOBODY = 65534;
const OF_DISKS = { skip: NO_MOUNT };

/** A database with so many memories of `ana`, in a folder of its own. */
function create(count = 3, name = 'live.db', bytes = 10): string {
  const database = join(newFolder(), name);
  createDatabase(database, ({ accounts, memories: kept }) => {
    accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
    for (const each of memories(count, bytes)) kept.put('ana', each);
  });
  return database;
}

async function backUpOf(database: string): Promise<string> {
  const file = join(newFolder(), 'backup.db');
  await backUp({ database, file });
  return file;
}

function countIn(database: string): number {
  return withWriter(database, (writer) => writer.memories.count('ana'));
}

function journalOf(database: string): unknown {
  const db = new Database(database, { readonly: true });
  const mode = db.pragma('journal_mode', { simple: true });
  db.close();
  return mode;
}

/** The names beside a file that are not its own. */
function beside(path: string): string[] {
  return readdirSync(dirname(path))
    .map((name) => join(dirname(path), name))
    .filter((name) => name !== path && !/-(wal|shm)$/.test(name));
}

describe('A backup', () => {
  it('is one file of the owner alone, verified, and says what it is', async () => {
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

  it('needs --overwrite where there is a file, and replaces it then', async () => {
    const database = create(2);
    const file = await backUpOf(create(7));
    const refused = await run(['backup', file, '--database', database]);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /There is a file .*backup\.db already; give another name, or --overwrite\.\n$/,
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

  it('replaces what a link leads to, not the link', async () => {
    const database = create(2);
    const file = await backUpOf(create(7));
    const link = join(newFolder(), 'link.db');
    symlinkSync(file, link);
    await backUp({ database, file: link, overwrite: true });
    assert.deepEqual([lstatSync(link).isSymbolicLink(), countIn(file)], [true, 2]);
    assert.deepEqual([beside(link), beside(file)], [[], []], 'no draft');
  });

  it('is refused where it would go over the database, by whatever name', async () => {
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

  it('is refused where it would go over what SQLite has beside the database, by whatever name', async (t) => {
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

  it('is refused where a name or a folder does not do, and leaves nothing', async () => {
    const database = create();
    const folder = newFolder();
    mkdirSync(join(folder, 'sub'));
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling.db'));
    writeFileSync(join(folder, 'other.db-wal'), 'log');
    const cases: Record<string, RegExp> = {
      sub: /is not a file; name a database file\.$/,
      'dangling.db': /is a link to nothing; remove it first\.$/,
      'no/where.db': /There is no folder .*no; make it first\.$/,
      'other.db': /other\.db-wal is of another database; move it away first\.$/,
    };
    const before = readdirSync(folder);
    for (const [name, sentence] of Object.entries(cases))
      await assert.rejects(backUp({ database, file: join(folder, name) }), {
        name: 'Refusal',
        message: sentence,
      });
    assert.deepEqual(readdirSync(folder), before);
    // better-sqlite3 takes spaces off both ends of a path.
    await assert.rejects(backUp({ database, file: ' first.db' }), {
      name: 'Refusal',
      message: ' first.db begins or ends with a space; choose another name.',
    });
  });

  it('of a database that does not verify is not made', async () => {
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

  it('in a folder where nothing can be written is one sentence', async (t) => {
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

  it('can be verified and restored from a folder where nothing can be written', async (t) => {
    const folder = closedFolder(t, await backUpOf(create(4)));
    const file = join(folder, 'backup.db');
    const database = join(openFolder(t), 'live.db');
    await asNobody(async () => {
      assert.deepEqual((await verifyFile(file)).findings, []);
      await restore({ file, database });
    });
    assert.equal(countIn(database), 4);
  });

  it('on a full disk is one sentence, and leaves nothing', async (t) => {
    const folder = smallDisk(t);
    if (folder === undefined) return;
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

describe('A restore', () => {
  it('keeps what was there beside it, and says where', async () => {
    const database = create(2);
    const file = await backUpOf(create(6));
    const { code, stdout, stderr } = await run(['restore', file, '--database', database]);
    assert.deepEqual([code, stderr], [0, '']);
    const [kept = '', ...more] = beside(database);
    assert.deepEqual(more, []);
    assert.match(kept, /live\.db\.before-restore-\d{8}T\d{9}Z$/);
    assert.ok(
      stdout.endsWith(`: 6 memories of 1 account. What was there is kept as ${kept}.\n`),
      stdout,
    );
    assert.deepEqual([journalOf(database), journalOf(kept)], ['wal', 'delete']);
    assert.deepEqual([countIn(database), countIn(kept)], [6, 2]);
    assert.equal(statSync(kept).mode & 0o777, 0o600);
    const back = await restore({ file: kept, database, discard: true });
    assert.deepEqual([back.kept, back.memories, countIn(database)], [undefined, 2, 2]);
    assert.equal(beside(database).length, 1, 'with --discard nothing more is kept');
  });

  it('that finds the name of what it would keep taken leaves what has that name', async (t) => {
    const database = create(2);
    const file = await backUpOf(create(6));
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() }); // two in one moment
    const { kept = '' } = await restore({ file, database });
    await assert.rejects(
      restore({ file, database }),
      /There is a file .*before-restore-.* already/,
    );
    assert.deepEqual(beside(database), [kept]);
    assert.deepEqual([countIn(kept), countIn(database)], [2, 6]);
  });

  it('makes a database where there is none, and one through a link where that leads', async () => {
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

  it('is refused, and touches nothing, where the backup does not do', async () => {
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
      'newer.db': /has schema 99, and this program knows \d+; run a newer program on it/,
      'older.db':
        /has schema 1, .*; copy it, and run on the copy: memory-gateway migrate --discard --database COPY$/,
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

  it('of a backup that is zeros, cut or a hundred bytes asks for another one', async () => {
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
        /(is damaged, so nothing was restored; name another backup|is not well, so nothing was restored)\.\n$/,
      );
    }
    assert.deepEqual([readFileSync(database), beside(database)], [before, []]);
  });

  it('of a backup that does not verify tells what is wrong with it, and does nothing', async () => {
    const database = create(2);
    const file = await backUpOf(create());
    const db = new Database(file);
    db.exec(`UPDATE memories SET name = 'x' WHERE id = 'm001'`);
    db.close();
    const { code, stdout, stderr } = await run(['restore', file, '--database', database]);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^Memory m001 of account ana has a body that does not say what is in name; .*\n$/,
    );
    assert.match(stderr, /is not well, so nothing was restored\.\n$/);
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

  it('waits for a write to end, and loses nothing of it', async (t) => {
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

  it('of a database whose memories are damaged keeps them as they are, in its place', async () => {
    const database = create(300, 'live.db', 500);
    const file = await backUpOf(create(6));
    damage(database, 'memories');
    const { kept = '', isNewFile } = await restore({ file, database });
    assert.equal(isNewFile, false);
    assert.deepEqual((await verifyFile(database)).findings, []);
    assert.ok((await verifyFile(kept)).findings.length > 0, 'kept as it was');
  });

  it('of a database that cannot be opened any more moves it aside, and says that servers take the new file', async () => {
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
      /^The database is a new file; servers that run take it within a second\.\n$/,
    );
  });

  it('of a database that cannot be opened moves its logs with it, which would be played into the new one', async () => {
    const database = create(3);
    const file = await backUpOf(create(6));
    damage(database, 'sqlite_schema');
    // A journal that was played is left with a head of zeros where it is kept for the next.
    const journal = Buffer.concat([Buffer.alloc(512), Buffer.from('pages')]);
    writeFileSync(`${database}-journal`, journal);
    const { kept = '' } = await restore({ file, database });
    assert.deepEqual(readFileSync(`${kept}-journal`), journal);
    assert.equal(existsSync(`${database}-journal`), false);
  });

  it('on a full disk is one sentence, and the old state is whole', async (t) => {
    const folder = smallDisk(t);
    if (folder === undefined) return;
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
  });

  it('that has no room to keep what is there says so, and names --discard', OF_DISKS, async (t) => {
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

describe('A file that is made in one piece', () => {
  it('is whole before the last is done that makes room for its name', async () => {
    const path = join(newFolder(), 'made.db');
    const done: string[] = [];
    const last = () => done.push('last');
    const making = createSafely(path, { where: 'refuse', last }, async (draft) =>
      writeFileSync(`${draft}-wal`, 'what the file had no room for'),
    );
    await assert.rejects(making, /made\.db cannot be written to its end/);
    await createSafely(path, { where: 'refuse', last }, async (draft) => {
      writeFileSync(draft, 'all');
      done.push('made');
    });
    assert.deepEqual(done, ['made', 'last']);
  });
});

/** Overwrites the head of the first leaf page of a table. */
function damage(database: string, table: string): void {
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
  bytes.fill(0xff, ((page ?? 0) - 1) * size, ((page ?? 0) - 1) * size + 16);
  writeFileSync(database, bytes);
}

/** A folder of the user `nobody`, if this one is root. */
function openFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-open-'));
  t.after(() => rmSync(folder, { recursive: true }));
  if (process.getuid?.() === 0) chownSync(folder, NOBODY, NOBODY);
  return folder;
}

/** The same, in which not even that user may write, with a copy of a file. */
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

/** Root may write anywhere, so it is done as somebody who may not. */
async function asNobody(work: () => Promise<unknown>): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

/** A disk of 1 MB, where this user may mount one. */
function smallDisk(t: TestContext): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-small-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'pipe' });
  } catch {
    rmSync(folder, { recursive: true });
    t.skip('NOT TESTED: a full disk, as this user may not mount one');
    return undefined;
  }
  t.after(() => {
    execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

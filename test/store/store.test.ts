// The store: files that it refuses, rows that it writes, and that serving writes nothing.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
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

import type { Memory } from '../../src/contract/schemas/memory.ts';
import type { Import } from '../../src/store/engine.ts';
import { engineOf } from '../../src/store/engines.ts';
import type { NewMemory } from '../../src/store/import/memory-row.ts';
import { Refusal } from '../../src/store/refusal.ts';
import { openFile } from '../../src/store/sqlite/connection.ts';
import { upgradeFile } from '../../src/store/sqlite/files/upgrade.ts';
import { openImport } from '../../src/store/sqlite/import.ts';
import { APPLICATION_ID, SCHEMA_VERSION } from '../../src/store/sqlite/migrations.ts';
import { openStore } from '../../src/store/sqlite/store.ts';
import { createDatabase, openWriter, withFileWriterSync } from '../../src/store/sqlite/writer.ts';
import { engine, onlyFiles, openAny } from '../support/engines/engine.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { ROOT } from '../support/world/program.ts';
import { createWorld, memory } from '../support/world/world.ts';

const NOBODY = 65_534;

function newFile(name = 'memories.db'): string {
  return join(newFolder(), name);
}

function edit(path: string, sql: string): string {
  const db = new Database(path);
  db.exec(sql);
  db.close();
  return path;
}

function refused(open: () => unknown, sentence: RegExp): void {
  assert.throws(open, (error: Error) => isRefusal(error, sentence));
}

/** Expects an asynchronous call to be refused in the same way. */
async function refuses(work: Promise<unknown>, sentence: RegExp): Promise<void> {
  await assert.rejects(work, (error: Error) => isRefusal(error, sentence));
}

function isRefusal(error: Error, sentence: RegExp): boolean {
  assert.ok(error instanceof Refusal, String(error.stack));
  assert.match(error.message, sentence);
  assert.match(error.message, /^[^\n]*$/);
  return true;
}

describe('An import that is one transaction', { skip: onlyFiles }, () => {
  it('begins with its first memories, and leaves nothing open where it cannot', () => {
    const path = newFile();
    createDatabase(path);
    const other = new Database(path, { timeout: 0 });
    other.exec('BEGIN IMMEDIATE');
    const into = openImport(path, { isDry: false, isAtomic: true });
    refused(() => into.put([]), /is locked by another/);
    other.exec('COMMIT');
    into.put([]);
    assert.throws(() => other.exec('BEGIN IMMEDIATE; COMMIT'), /database is locked/);
    into.close();
    other.close(); // the last connection to close removes the write-ahead log
    assert.deepEqual(readdirSync(dirname(path)), ['memories.db']);
  });
});

describe('A database file', { skip: onlyFiles }, () => {
  it('is made by migrate, for its owner alone, and marked as ours', async () => {
    const path = newFile();
    const files = readdirSync(join(ROOT, 'sql/sqlite')).filter((name) => name.endsWith('.sql'));
    const made = await upgradeFile({ database: path });
    assert.deepEqual(made, { applied: files.toSorted(), kept: undefined });
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const db = new Database(path, { readonly: true });
    assert.equal(db.pragma('application_id', { simple: true }), APPLICATION_ID);
    assert.equal(db.pragma('user_version', { simple: true }), SCHEMA_VERSION);
    assert.equal(db.pragma('journal_mode', { simple: true }), 'wal');
    db.close();
    const again = await upgradeFile({ database: path });
    assert.deepEqual(again, { applied: [], kept: undefined }, 'there is nothing to do');
    assert.equal(readdirSync(dirname(path)).filter((name) => name.includes('before')).length, 0);
  });

  it('appears whole or not at all, and never in the place of another', async () => {
    const folder = newFolder();
    const path = join(folder, 'memories.db');
    assert.throws(
      () =>
        createDatabase(path, () => {
          throw new Error('killed');
        }),
      /killed/,
    );
    assert.deepEqual(readdirSync(folder), [], 'neither a database nor a draft');
    createDatabase(path, (writer) => {
      createDatabase(path); // another process was faster
      writer.accounts.create({ id: 'late', name: 'Late', created_by: 'command line' });
    });
    assert.deepEqual(readdirSync(folder), ['memories.db']);
    assert.deepEqual(
      withFileWriterSync(path, (writer) => writer.accounts.list()),
      [],
    );
    const link = join(folder, 'link.db');
    symlinkSync(join(folder, 'nothing.db'), link);
    await refuses(
      upgradeFile({ database: link }),
      /link\.db is a link to nothing; remove it first\.$/,
    );
  });

  it('that is not right is refused in one sentence that says what mends it', async () => {
    const folder = newFolder();
    const text = join(folder, 'text.db');
    writeFileSync(text, 'Dear diary, '.repeat(500));
    const foreign = edit(join(folder, 'foreign.db'), 'CREATE TABLE notes (text)');
    const empty = join(folder, 'empty.db');
    writeFileSync(empty, '');
    const marked = edit(join(folder, 'marked.db'), 'PRAGMA application_id = 1234');
    const oneByte = join(folder, 'byte.db');
    writeFileSync(oneByte, 'x');
    const spaced = join(folder, "it's missing.db");
    const damaged = join(folder, 'damaged.db');
    createDatabase(damaged);
    const bytes = readFileSync(damaged);
    writeFileSync(damaged, bytes.fill(0xff, 100, 4096));
    const cases: [path: string, sentence: RegExp][] = [
      [
        join(folder, 'none.db'),
        /There is no database at .*none\.db; create one with: memory-gateway migrate --database \S*none\.db$/,
      ],
      [spaced, /migrate --database '.*it'\\''s missing\.db'$/],
      [join(folder, 'no-folder', 'a.db'), /There is no database/],
      [folder, /is not a file/],
      [text, /text\.db is not a Memory Gateway database; name another file\.$/],
      [foreign, /foreign\.db is not a Memory Gateway database/],
      [damaged, /damaged\.db (is damaged|is not a Memory Gateway database)/],
    ];
    for (const [path, sentence] of cases) {
      refused(() => openStore(path), sentence);
      refused(() => openWriter(path), sentence);
    }
    for (const path of [text, foreign, empty, marked, oneByte]) {
      refused(() => openStore(path), /is not a Memory Gateway database/);
      const before = readFileSync(path);
      await refuses(
        upgradeFile({ database: path }),
        /is not a Memory Gateway database; name another/,
      );
      assert.deepEqual(readFileSync(path), before, 'left as it was');
    }
    await refuses(
      upgradeFile({ database: join(folder, 'no-folder', 'a.db') }),
      /There is no folder .*no-folder; make it first/,
    );
  });

  it('at an address of another product is refused, without the password in the address', () => {
    for (const address of ['mysql://me:secret@host/memories', 'sqlite://memories.db'])
      refused(
        () => engineOf(address),
        /^Databases at (mysql|sqlite):\/\/ are not supported; name a/,
      );
    assert.equal(engineOf('C:\\memories.db').name, 'SQLite');
    assert.equal(engineOf('postgres://host/memories').name, 'PostgreSQL');
  });

  it('of another schema is refused with both versions and the command', async () => {
    const older = newFile();
    createDatabase(older);
    edit(older, 'PRAGMA user_version = 0');
    refused(
      () => openStore(older),
      new RegExp(
        `has schema version 0, but this program needs ${SCHEMA_VERSION}; run: memory-gateway migrate --database `,
      ),
    );
    const newer = newFile();
    createDatabase(newer);
    edit(newer, 'PRAGMA user_version = 99');
    const sentence = new RegExp(
      `has schema version 99, but this program knows only ${SCHEMA_VERSION}; use a newer version of the program`,
    );
    for (const open of [openStore, openWriter]) refused(() => open(newer), sentence);
    await refuses(upgradeFile({ database: newer }), sentence);
  });

  it('that another program holds for itself is refused within a moment', (t) => {
    const path = newFile();
    createDatabase(path);
    const other = new Database(path);
    t.after(() => other.close());
    other.pragma('locking_mode = EXCLUSIVE');
    other.exec('BEGIN EXCLUSIVE');
    refused(() => openStore(path), /is locked by another program; close that program/);
  });

  it('in a folder that does not let its -shm file be made is refused with the remedy', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-readonly-'));
    const path = join(folder, 'memories.db');
    createDatabase(path);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) for (const each of [folder, path]) chownSync(each, NOBODY, NOBODY);
    chmodSync(folder, 0o500);
    t.after(() => rmSync(folder, { recursive: true }));
    // Root may write anywhere, so a user without permission opens the file.
    if (isRoot) process.seteuid?.(NOBODY);
    try {
      refused(
        () => openStore(path),
        /this user needs permission to use it and to write in its folder, where SQLite keeps -wal and -shm/,
      );
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  it('is served read-only: no statement on the connection can write', (t: TestContext) => {
    const path = newFile();
    createDatabase(path);
    const db = openFile(path, 'read');
    t.after(() => db.close());
    for (const sql of [
      "INSERT INTO accounts (id, name, created_at, created_by) VALUES ('a', 'a', 0, 'seed')",
      'DELETE FROM memories',
      'CREATE TABLE t (x)',
      'PRAGMA user_version = 5',
    ]) {
      assert.throws(() => db.exec(sql), { code: /SQLITE_READONLY/ }, sql);
    }
  });
});

/** The additional columns of an engine: a row number, or the terms of the search. */
const OWN_COLUMNS = onlyFiles ? ['words', 'lexemes'] : ['pk'];

const UNKNOWN_ACCOUNT = onlyFiles
  ? { name: 'Refusal', message: /^There is no account "nobody"/ }
  : { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' };

describe('A memory', () => {
  it('is checked and serialised once, and its columns say what its body says', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana');
    const given: Memory = {
      ...memory({ id: 'one' }),
      name: 'Ñame',
      started_at: '2026-11-16T09:00:00.250Z',
      ended_at: '2026-11-16T09:01:00.250Z',
      duration_seconds: 60,
      summary: { quick_summary: 'Q', key_takeaways: ['a', '"b"'] },
      user_id: 'somebody else',
    };
    // A field that is not in the contract is not stored.
    assert.equal(world.writer.memories.put('ana', { ...given, extra: 1 } as Memory), true);
    const [row = {}] = engine.edit(world.database, 'SELECT * FROM memories');
    const body = Buffer.from(row['body'] as Uint8Array);
    assert.deepEqual(JSON.parse(body.toString()), { ...given, user_id: 'ana' });
    assert.equal(row['body_sha256'], createHash('sha256').update(body).digest('hex'));
    const { body: _, body_sha256: _body, slim_sha256, slim: slimBytes, ...columns } = row;
    const slim = Buffer.from(slimBytes as Uint8Array).toString();
    const { transcript: _transcript, ...rest } = { ...given, user_id: 'ana' };
    assert.equal(slim, JSON.stringify(rest));
    assert.equal(slim_sha256, createHash('sha256').update(slim).digest('hex'));
    for (const own of OWN_COLUMNS) delete columns[own];
    assert.deepEqual(columns, {
      account_id: 'ana',
      id: 'one',
      started_at: Date.parse('2026-11-16T09:00:00.250Z'),
      ended_at: Date.parse('2026-11-16T09:01:00.250Z'),
      duration_seconds: 60,
      is_processing: 0,
      name: 'Ñame',
      quick_summary: 'Q',
      key_takeaways: '["a","\\"b\\""]',
    });
  });

  it('that is as it was is not rewritten; a changed one is replaced, key order and spaces aside', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana');
    const one = memory({ id: 'one' });
    const { put, count } = world.writer.memories;
    assert.equal(put('ana', one), true);
    assert.equal(put('ana', Object.fromEntries(Object.entries(one).toReversed()) as Memory), false);
    assert.equal(put('ana', { ...one, name: 'New' }), true);
    assert.equal(count('ana'), 1);
  });

  it('is written among many as if alone, also when its id comes twice', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana');
    const { put, putAll, count } = world.writer.memories;
    const store = await openAny(world.database);
    t.after(() => store.close());
    const found = async (q: string) =>
      (await store.positions({ account_id: 'ana', order: 'asc', projection: 'slim', q })).items;
    const since = { account_id: 'ana', limit: 10 };
    const changes = async () => (await store.changes(since)).changes;
    const one = memory({ id: 'one', transcript: 'milk' });
    const two = memory({ id: 'two', transcript: 'bread' });
    put('ana', one);
    const list = [one, two, { ...one, transcript: 'rye' }, { ...two, transcript: 'salt' }, one];
    const became = ['unchanged', 'added', 'updated', 'updated', 'updated'];
    assert.deepEqual(putAll('ana', list), became);
    assert.equal(count('ana'), 2);
    const ids = await Promise.all(['milk', 'bread', 'rye', 'salt'].map(found));
    assert.deepEqual(
      ids.map((items) => items.map(({ id }) => id)),
      [['one'], [], [], ['two']],
    );
    assert.deepEqual(
      (await changes()).map(({ memory_id }) => memory_id),
      ['two', 'one'],
    );
    assert.deepEqual(putAll('ana', []), []);

    const before = await store.account('ana');
    const broken = { ...two, id: '..' };
    const other = memory({ id: 'other' });
    assert.throws(() => putAll('ana', [other, broken]), { name: 'ValiError' });
    assert.throws(() => putAll('nobody', [other]), UNKNOWN_ACCOUNT);
    assert.deepEqual(putAll('ana', [one, one]), ['unchanged', 'unchanged']);
    assert.deepEqual(await store.account('ana'), before);
  });

  it('is not replaced by another recording whose file has its name and was changed in the same moment', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', []);
    const importOne = (transcript: string) =>
      engineOf(world.database).withImport({ isDry: false, isAtomic: false }, async (into) => {
        const file = { otherIds: [], isDated: true };
        const one = { account_id: 'ana', memory: memory({ id: 'notes.txt', transcript }), file };
        return into.put(await into.reconcile([one]));
      });
    assert.deepEqual(await importOne('Ana: Milk and bread.'), ['added']);
    assert.deepEqual(await importOne('Ben: The gate is open.'), ['taken']);
    assert.deepEqual(await importOne('Ana: Milk and bread.'), ['unchanged']);
  });

  it('is counted in the log for its own import, also if another one runs at the same time', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', []);
    const importAs = <T>(agent: string, work: (into: Import) => Promise<T>) =>
      engineOf(world.database).withImport({ isDry: false, isAtomic: false, agent }, work);
    const put = async (into: Import, ...ids: string[]) => {
      const arriving = ids.map((id) => ({ account_id: 'ana', memory: memory({ id }) }));
      await into.put(await into.reconcile(arriving));
      await into.commit();
    };
    await importAs('one', async (into) => {
      await put(into, 'a', 'b');
      await importAs('other', (other) => put(other, 'c'));
      await put(into, 'd', 'e');
    });
    const query = `SELECT agent, subject FROM account_events WHERE kind = 'memories-imported' ORDER BY seq`;
    assert.deepEqual(
      engine.edit(world.database, query).map(({ agent, subject }) => [agent, subject]),
      [
        ['one', '4'],
        ['other', '1'],
      ],
    );
  });

  it('that breaks the contract is not written', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana');
    const one = memory({ id: 'one' });
    const bad: Partial<Record<keyof Memory, unknown>>[] = [
      { id: '' },
      { id: '..' },
      { id: 'a b' },
      { id: 'a'.repeat(129) },
      { name: null },
      { transcript: undefined },
      { started_at: '2026-11-16T09:00:00Z' },
      { started_at: '2026-11-16T09:00:00.000+00:00' },
      { started_at: '2026-02-30T09:00:00.000Z' },
      { started_at: '2026-11-16T24:00:00.000Z' },
      { started_at: '2027-01-01T00:00:00.000Z' }, // after its end
      { duration_seconds: -1 },
      { duration_seconds: 1.5 },
      { duration_seconds: '1' },
      { summary: null },
      { summary: { quick_summary: 'x' } },
      { summary: { quick_summary: 'x', key_takeaways: [1] } },
      { is_processing: 0 },
      { is_processing: true }, // with a summary
    ];
    for (const change of bad) {
      const broken = { ...one, ...change } as Memory;
      assert.throws(
        () => world.writer.memories.put('ana', broken),
        { name: 'ValiError' },
        JSON.stringify(change),
      );
    }
    assert.throws(() => world.writer.memories.put('nobody', one), UNKNOWN_ACCOUNT);
    assert.equal(world.writer.memories.count('ana'), 0);
    assert.equal(
      world.writer.memories.put('ana', {
        ...one,
        is_processing: true,
        summary: { quick_summary: '', key_takeaways: [] },
      }),
      true,
    );
  });

  it('is written with its transaction or not at all', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana');
    const { transaction, memories } = world.writer;
    assert.throws(
      () =>
        transaction(() => {
          memories.put('ana', memory({ id: 'one' }));
          throw new Error('stop');
        }),
      /stop/,
    );
    assert.equal(memories.count('ana'), 0);
  });
});

describe('Fixtures', () => {
  it('hold at least 40 memories of 3 accounts, with all the cases that they are there for', async () => {
    const { readFixtures } = await import('../../src/cli/commands/database/seed.ts');
    const accounts = readFixtures().map((account) => ({
      ...account,
      memories: [...account.memories],
    }));
    const all = accounts.flatMap((account) => account.memories);
    assert.equal(accounts.length, 3);
    assert.ok(all.length >= 40);
    const has = (what: string, test: (memory: NewMemory) => boolean) =>
      assert.ok(all.some(test), what);
    has(
      'a lecture of three hours',
      (m) => m.duration_seconds > 3 * 3600 - 60 && Buffer.byteLength(m.transcript) > 150_000,
    );
    has('one of a second', (m) => m.duration_seconds === 1);
    has('one being processed', (m) => m.is_processing);
    has('one without takeaways', (m) => !m.is_processing && m.summary.key_takeaways.length === 0);
    for (const part of ['</script>', '\u2028', '"', '“', '\\', '\t', '👨‍👩‍👧'])
      has(part, (m) => m.transcript.includes(part));
    for (const script of ['Arabic', 'Devanagari', 'Hiragana', 'Han']) {
      has(script, (m) => new RegExp(`\\p{Script=${script}}{2}`, 'u').test(m.transcript));
    }
    for (const word of ['nicht', 'porque']) has(word, (m) => m.transcript.includes(word));
    const ids = all.map(({ id }) => id);
    assert.ok(new Set(ids).size < ids.length, 'two accounts share an id');
    for (const { memories } of accounts) {
      assert.equal(new Set(memories.map(({ id }) => id)).size, memories.length);
      for (const { started_at, ended_at, duration_seconds } of memories) {
        assert.equal(
          duration_seconds,
          Math.round((Date.parse(ended_at) - Date.parse(started_at)) / 1000),
        );
      }
    }
    const starts = accounts.map(
      ({ memories }) => memories.length - new Set(memories.map((m) => m.started_at)).size,
    );
    assert.ok(
      starts.some((equal) => equal > 0),
      'equal start times in one account',
    );
  });
});

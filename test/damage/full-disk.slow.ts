// Commands that write, on a full disk, in a read-only folder, and under a limit on file sizes.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import Database from 'better-sqlite3';

import { hashApiKey } from '../../src/store/accounts/api-key.ts';
import { Refusal } from '../../src/store/refusal.ts';
import { APPLICATION_ID } from '../../src/store/sqlite/migrations.ts';
import { createDatabase } from '../../src/store/sqlite/writer.ts';
import {
  createDisk,
  fill,
  lock,
  NO_LIMIT,
  NO_MOUNT,
  NO_READ_ONLY,
  withFilesUpTo,
} from '../support/damage/full-disk.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { ROOT, runProcess, type Run } from '../support/world/program.ts';
import { memories } from '../support/world/world.ts';

const MB = 1e6;
const PAGE = 4096;
const FULL =
  /(cannot be written(, the disk is full| to its end); free some space( on its disk)?|There is no room beside \S+ to keep what it has now; free some space, or migrate with --discard, which keeps nothing)\.$/;
const DENIED = /(needs permission to use it and to write in its folder|cannot be created \(E\w+\))/;

/** A command, its arguments, and the files that exist before it. */
interface Writing {
  readonly args: readonly string[];
  readonly make: (database: string) => void;
}

const writings: Readonly<Record<string, Writing>> = {
  'a first migrate': { args: ['migrate'], make: () => {} },
  'migrate from schema 1': { args: ['migrate'], make: createOld },
  'migrate from schema 1, keeping nothing': { args: ['migrate', '--discard'], make: createOld },
  'accounts create': { args: ['accounts', 'create', 'Bo'], make: createAna },
  'keys create': { args: ['keys', 'create', '--account', 'ana'], make: createAna },
  'memories delete': {
    args: ['memories', 'delete', 'm000', 'm001', '--account', 'ana'],
    make: createAna,
  },
  import: {
    args: ['import', join(ROOT, 'fixtures/memories/mira.json'), '--account', 'ana'],
    make: createAna,
  },
};

function createAna(database: string): void {
  createDatabase(database, (writer) => {
    writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
    // Each in a transaction of its own, so that the log is far larger than the database.
    for (const each of memories(20, 4000)) writer.memories.put('ana', each);
  });
}

/** A database of schema 1, created by its migration. */
function createOld(database: string): void {
  const db = new Database(database);
  db.exec(readFileSync(join(ROOT, 'sql/sqlite/0001-memories.sql'), 'utf8'));
  db.exec(`INSERT INTO accounts VALUES ('ana', 'Ana', 0, 'command line', NULL, 'r')`);
  const put = db.prepare(
    `INSERT INTO memories VALUES (NULL, 'ana', ?, 0, 0, 0, 0, 'n', '', '[]', ?, ?)`,
  );
  for (const each of memories(20, 4000))
    put.run(each.id, 'f'.repeat(64), Buffer.from(JSON.stringify(each)));
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.pragma('user_version = 1');
  db.pragma('journal_mode = WAL');
  db.close();
}

/** Checks a file and returns all rows of all tables, or nothing if there is no file. */
function contentsOf(database: string): Record<string, unknown> {
  if (!readdirSync(join(database, '..')).includes('memories.db')) return {};
  const db = new Database(database); // a read-only connection would leave -wal and -shm, and needs room for them
  try {
    assert.equal(db.pragma('quick_check', { simple: true }), 'ok');
    const names = db
      .prepare<[], string>(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'search' ORDER BY name`,
      )
      .pluck()
      .all();
    return Object.fromEntries(
      names.map((name) => [name, db.prepare(`SELECT * FROM ${name}`).all()]),
    );
  } finally {
    db.close();
  }
}

function assertRefused({ code, stderr }: Run, says: RegExp, what: string): void {
  assert.equal(code, 1, `${what}: ${stderr}`);
  assert.match(stderr.trimEnd(), says, what);
  assert.match(stderr, /^memory-gateway: [^\n]+\n$/, what);
}

for (const [name, { args, make }] of Object.entries(writings)) {
  describe(`${name}, without space`, () => {
    it(
      'changes nothing, however much space is missing, and works when there is enough',
      { skip: NO_MOUNT },
      async (t) => {
        const folder = createDisk(t, 2 * MB);
        const database = join(folder, 'memories.db');
        const on = ['--database', database];
        make(database);
        const before = contentsOf(database);
        let refused = 0;
        for (let left = 0; ; left += left < 4 * PAGE ? 2 * PAGE : 24 * PAGE) {
          const free = fill(folder, left);
          const ended = await runProcess([...args, ...on]);
          free();
          if (ended.code === 0) break;
          assertRefused(ended, FULL, `${left} bytes`);
          assert.deepEqual(contentsOf(database), before, `${left} bytes`);
          assertNoDraft(folder);
          for (const [key] of ended.stdout.matchAll(/mem_\w{49}/g))
            assert.ok(!JSON.stringify(contentsOf(database)).includes(hashApiKey(key)));
          refused++;
        }
        assert.ok(refused > 0, 'refused where there was none');
        assert.notDeepEqual(contentsOf(database), before);
      },
    );

    it('changes nothing in a read-only folder', { skip: NO_READ_ONLY }, async (t) => {
      const folder = newFolder();
      const database = join(folder, 'memories.db');
      make(database);
      const before = contentsOf(database);
      const files = readdirSync(folder);
      const unlock = lock(t, folder);
      const ended = await runProcess([...args, '--database', database]);
      assertRefused(ended, DENIED, 'read-only');
      assert.deepEqual(readdirSync(folder), files);
      unlock();
      assert.deepEqual(contentsOf(database), before);
      assert.equal((await runProcess([...args, '--database', database])).code, 0);
    });
  });
}

describe('A new database', () => {
  it('is not created if only its log has space', { skip: NO_MOUNT }, (t) => {
    const folder = createDisk(t, 2 * MB);
    const database = join(folder, 'memories.db');
    let cut = 0;
    for (let left = 0; !existsSync(database); left += 4 * PAGE) {
      const free = fill(folder, left);
      try {
        createAna(database);
      } catch (error) {
        assert.ok(error instanceof Refusal, String(error));
        assert.match(error.message, FULL);
        if (error.message.includes('to its end')) cut++;
      }
      free();
      assertNoDraft(folder);
    }
    assert.ok(cut > 0, 'it came to that');
    assert.equal((contentsOf(database)['memories'] as unknown[]).length, 20);
  });
});

describe('A limit on the size of files', () => {
  it(
    'ends migrate in one sentence, without a database or a temporary file',
    { skip: NO_LIMIT },
    async () => {
      const folder = newFolder();
      const ended = await runProcess(['migrate', '--database', join(folder, 'memories.db')], {
        under: withFilesUpTo(10 * PAGE),
        env: { NODE_V8_COVERAGE: '' }, // the log would reach the limit, too
      });
      assertRefused(ended, /cannot be written any further; check its disk, and how much/, 'limit');
      assert.deepEqual(readdirSync(folder), []);
    },
  );
});

function assertNoDraft(folder: string): void {
  assert.deepEqual(
    readdirSync(folder).filter((file) => file.includes('.new') || file.includes('.before-')),
    [],
  );
}

describe('An import that is larger than the disk', () => {
  it(
    'says how much it has imported, and a second import completes it',
    { skip: NO_MOUNT },
    async (t) => {
      const folder = createDisk(t, 60 * MB);
      const database = join(folder, 'memories.db');
      createDatabase(database, (writer) => {
        writer.accounts.create({ id: 'bo', name: 'Bo', created_by: 'command line' });
      });
      const file = join(newFolder(), 'lines.jsonl');
      const list = memories(3000, 2000);
      writeFileSync(file, list.map((each) => `${JSON.stringify(each)}\n`).join(''));
      const importing = () =>
        runProcess(['import', file, '--account', 'bo', '--database', database]);
      const free = fill(folder, 6 * MB);
      const ended = await importing();
      assertRefused(
        ended,
        /free some space; \d+ memories are imported already; import again for the rest\.$/,
        'part',
      );
      const count = () => (contentsOf(database)['memories'] as unknown[]).length;
      assert.equal(count(), Number(/(\d+) memories/.exec(ended.stderr)?.[1]));
      free();
      const { code, stdout } = await importing();
      assert.equal(code, 0);
      assert.match(stdout, /\d+ memories added, 0 updated, [1-9]\d* unchanged, 0 rejected/);
      assert.equal(count(), 3000);
    },
  );
});

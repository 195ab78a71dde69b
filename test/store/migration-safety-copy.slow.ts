// Migration safety copies: what migrate copies before it changes a database, and how to go back.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync, copyFileSync, lstatSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import Database from 'better-sqlite3';

import type { Memory } from '../../src/contract/schemas/memory.ts';
import type { Stage } from '../../src/store/progress.ts';
import { Refusal } from '../../src/store/refusal.ts';
import { listMigrations } from '../../src/store/sql/migrations.ts';
import { verifyFile } from '../../src/store/sqlite/check/verify.ts';
import { upgradeFile } from '../../src/store/sqlite/files/upgrade.ts';
import { SCHEMA_VERSION } from '../../src/store/sqlite/migrations.ts';
import { createDisk, NO_MOUNT } from '../support/damage/full-disk.ts';
import { assertWhole, beside, contentsOf } from '../support/damage/migration-contents.ts';
import { createLater, createOld, createSecond } from '../support/damage/old-schemas.ts';
import { blockWith } from '../support/manual/code.ts';
import { killWork, type Instant } from '../support/processes/kill.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { runProcess } from '../support/world/program.ts';
import { memories } from '../support/world/world.ts';

const olds = [
  { schema: 1, create: () => createOld().database },
  { schema: 2, create: () => createSecond() },
  { schema: 8, create: () => createLater(8) },
];

/** Opens a database like another program would, until the test ends. */
function openOther(t: TestContext, database: string): Database.Database {
  const other = new Database(database, { timeout: 0 });
  t.after(() => other.close());
  return other;
}

for (const { schema, create } of olds) {
  describe(`A migration from schema ${schema}`, () => {
    it('makes a complete safety copy that only the owner can read, and says where', async () => {
      const database = create();
      const before = contentsOf(database);
      const { code, stdout, stderr } = await runProcess(['migrate', '--database', database]);
      assert.deepEqual([code, stderr], [0, '']);
      const [kept = '', ...more] = beside(database);
      assert.deepEqual(more, []);
      const last = listMigrations('sqlite').at(-1)?.name ?? '';
      assert.match(kept, /memories\.db\.before-migrate-\d{8}T\d{9}Z$/);
      assert.ok(stdout.endsWith(`${last}). The file from before is kept as ${kept}.\n`), stdout);
      assert.equal(statSync(kept).mode & 0o777, 0o600);
      assert.deepEqual(contentsOf(kept), before);
      assert.equal(before.schema, schema);
      assert.equal(journalOf(kept), 'delete', 'so that it needs no -wal');
      assert.equal(contentsOf(database).schema, SCHEMA_VERSION);
      assert.deepEqual((await verifyFile(database)).findings, []);
    });

    it('can be undone by renaming the safety copy, which can be migrated again', async () => {
      const database = create();
      const before = contentsOf(database);
      const { kept = '' } = await upgradeFile({ database });
      const after = contentsOf(database);
      const lines = blockWith('rm -f mine.db-wal')
        .replaceAll(/mine\.db\.before-migrate-\w+/g, basename(kept))
        .replaceAll('mine.db', basename(database));
      execFileSync('sh', ['-ec', lines], { cwd: dirname(database) });
      assert.deepEqual(beside(database), []);
      assert.deepEqual(contentsOf(database), before);
      const again = await upgradeFile({ database });
      assert.deepEqual(contentsOf(again.kept ?? ''), before);
      assert.deepEqual(rowsOf(database), after.rows['memories']);
      assert.deepEqual((await verifyFile(database)).findings, []);
    });

    it('makes no safety copy with --discard', async () => {
      const database = create();
      const args = ['migrate', '--discard', '--json', '--database', database];
      const { code, stdout } = await runProcess(args);
      assert.equal(code, 0);
      assert.equal(JSON.parse(stdout).kept, null);
      assert.deepEqual(beside(database), []);
      assert.deepEqual((await verifyFile(database)).findings, []);
    });
  });
}

function journalOf(database: string): unknown {
  const db = new Database(database, { readonly: true });
  const mode = db.pragma('journal_mode', { simple: true });
  db.close();
  return mode;
}

function rowsOf(database: string): unknown {
  return contentsOf(database).rows['memories'];
}

describe('A safety copy', () => {
  it('is refused by this program in one sentence that says what to do', async () => {
    const database = createSecond();
    const { stdout } = await runProcess(['migrate', '--json', '--database', database]);
    const { kept, ...said } = JSON.parse(stdout);
    const applied = listMigrations('sqlite').flatMap(({ name, version }) =>
      version > 2 ? name : [],
    );
    assert.deepEqual(said, { database, schema: SCHEMA_VERSION, applied });
    assert.deepEqual(beside(database), [kept]);
    const older = `memory-gateway: ${kept} has schema version 2, but this program needs ${SCHEMA_VERSION}; `;
    for (const [args, remedy] of [
      [['serve', '--port', '0', '--database', kept], /^run: .* migrate --database \S+Z\n$/],
      [['restore', kept, '--database', database], /^copy it, .* migrate --discard --database COPY/],
    ] as const) {
      const { code, stderr } = await runProcess(args);
      assert.equal(code, 1);
      assert.ok(stderr.startsWith(older), stderr);
      assert.match(stderr.slice(older.length), remedy);
    }
  });

  it(
    "belongs to the database's owner even if root migrated",
    { skip: process.getuid?.() !== 0 && 'needs root, to change the user' },
    async () => {
      const database = createSecond();
      chownSync(database, 1234, 4321);
      const { kept = '' } = await upgradeFile({ database });
      const { uid, gid } = statSync(kept);
      assert.deepEqual([uid, gid], [1234, 4321]);
    },
  );

  it('is beside the file that a link points to, and the link stays', async () => {
    const database = createSecond();
    const link = join(newFolder(), 'link.db');
    symlinkSync(database, link);
    const { kept = '' } = await upgradeFile({ database: link });
    assert.equal(dirname(kept), dirname(database));
    assert.ok(basename(kept).startsWith('memories.db.before-migrate-'));
    assert.ok(lstatSync(link).isSymbolicLink());
    assert.deepEqual(beside(link), []);
  });

  it('is not made if there is nothing to migrate, also while another program writes', async (t) => {
    const database = join(newFolder(), 'memories.db');
    const on = ['--json', '--database', database];
    for (const applied of [SCHEMA_VERSION, 0]) {
      const { code, stdout } = await runProcess(['migrate', ...on]);
      assert.equal(code, 0);
      assert.equal(JSON.parse(stdout).applied.length, applied);
      assert.equal(JSON.parse(stdout).kept, null);
    }
    openOther(t, database).exec('BEGIN IMMEDIATE');
    const { code, stderr } = await runProcess(['migrate', ...on]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(beside(database), []);
  });
});

describe('A migration while other programs use the database', () => {
  it('loses no commit, and blocks writers until it is done', async (t) => {
    const database = createSecond();
    const other = openOther(t, database);
    other.exec(`UPDATE accounts SET name = 'Written at last'`); // is in the write-ahead log alone
    const reader = openOther(t, database);
    reader.exec('BEGIN');
    const names = reader.prepare('SELECT name FROM accounts').pluck();
    const before = names.all();
    const tried: string[] = [];
    const stage: Stage = async (_counted, work) => {
      const done = await work(() => {});
      tried.push(tryToWrite(other));
      return done;
    };
    const { kept = '' } = await upgradeFile({ database, stage });
    assert.deepEqual(tried, ['SQLITE_BUSY']);
    assert.deepEqual(names.all(), before, 'who reads sees what was there');
    reader.exec('COMMIT');
    assert.deepEqual(new Set(before), new Set(['Written at last']));
    assert.deepEqual(contentsOf(kept).rows['accounts'], contentsOf(database).rows['accounts']);
    other.exec(`UPDATE accounts SET name = 'Written again'`);
    assert.notDeepEqual(contentsOf(kept).rows['accounts'], contentsOf(database).rows['accounts']);
  });

  it('waits for a write to end, and has it afterwards', async (t) => {
    const database = createSecond();
    const other = openOther(t, database);
    other.exec('BEGIN IMMEDIATE');
    other.exec(`UPDATE accounts SET name = 'Written meanwhile'`);
    const migrating = runProcess(['migrate', '--json', '--database', database]);
    await sleep(1000);
    other.exec('COMMIT');
    const { code, stdout, stderr } = await migrating;
    assert.equal(code, 0, stderr);
    const names = contentsOf(JSON.parse(stdout).kept).rows['accounts'] as { name: string }[];
    assert.ok(names.every(({ name }) => name === 'Written meanwhile'));
  });

  it('gives up on a write that does not end, in one sentence, without a safety copy', async (t) => {
    const database = createSecond();
    const before = contentsOf(database);
    const other = openOther(t, database);
    other.exec('BEGIN IMMEDIATE');
    const { code, stdout, stderr } = await runProcess(['migrate', '--database', database]);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      /^memory-gateway: \S+ is locked by another program; close that program and try again\.\n$/,
    );
    other.exec('ROLLBACK');
    assert.deepEqual([contentsOf(database), beside(database)], [before, []]);
  });

  it('runs once if two programs start it at the same time, with one safety copy', async () => {
    const database = createSecond();
    const before = contentsOf(database);
    const args = ['migrate', '--json', '--database', database];
    const both = await Promise.all([runProcess(args), runProcess(args)]);
    assert.deepEqual(
      both.map(({ code }) => code),
      [0, 0],
    );
    const said = both.map(({ stdout }) => JSON.parse(stdout));
    assert.deepEqual(
      new Set(said.map(({ applied }) => applied.length)),
      new Set([0, SCHEMA_VERSION - 2]),
    );
    assert.deepEqual(
      said.flatMap(({ kept }) => kept ?? []),
      beside(database),
    );
    assert.deepEqual(contentsOf(beside(database)[0] ?? ''), before);
  });
});

/** Tries to write. Returns the error code. */
function tryToWrite(other: Database.Database): string {
  try {
    other.exec(`UPDATE accounts SET name = 'Written too late'`);
  } catch (error) {
    return error instanceof Database.SqliteError ? error.code : String(error);
  }
  return 'written';
}

describe('A migration that fails', () => {
  it('leaves the database as it was, without a safety copy', async () => {
    const database = createSecond();
    const db = new Database(database);
    db.exec('CREATE TABLE memories_3 (x)'); // this one blocks the third migration
    db.close();
    const before = contentsOf(database);
    await assert.rejects(upgradeFile({ database }), Refusal);
    assert.deepEqual([contentsOf(database), beside(database)], [before, []]);
  });

  it(
    'because there is no space for the safety copy says so, and names --discard',
    { skip: NO_MOUNT },
    async (t) => {
      const old = createSecond(large());
      const { size } = statSync(old);
      for (const room of [1.5, 3]) {
        const database = join(createDisk(t, room * size), 'memories.db');
        copyFileSync(old, database);
        const before = contentsOf(database);
        const { code, stderr } = await runProcess(['migrate', '--database', database]);
        assert.equal(code, 1);
        assert.match(
          stderr,
          /^memory-gateway: There is no room beside \S+memories\.db to keep what it has now; free some space, or migrate with --discard, which keeps nothing\.\n$/,
        );
        assert.deepEqual([contentsOf(database), beside(database)], [before, []]);
      }
    },
  );

  it('because it was killed again and again leaves at most one copy and one temporary file, and none when it is done', async () => {
    const database = createSecond(large());
    const before = contentsOf(database);
    const instants: Instant[] = ['amid', 'after', 'after', 'before', 'amid', 'after', 'amid'];
    const left: [number, number][] = [];
    for (const when of instants) {
      assert.equal(await killWork(['migrate', '', database], when), Infinity);
      await assertWhole(database, before);
      const names = beside(database);
      const count = (end: RegExp) => names.filter((name) => end.test(name)).length;
      left.push([count(/Z$/), count(/\.new$/)]);
    }
    assert.deepEqual(left, [
      [0, 1],
      [1, 1], // the same file under two names
      [1, 1],
      [0, 1],
      [0, 1],
      [1, 1],
      [1, 1],
    ]);
    const { kept = '' } = await upgradeFile({ database });
    assert.deepEqual(beside(database), [kept]);
  });

  it('continues if it cannot remove the leftovers of killed ones', async () => {
    const database = createSecond();
    const left = `${database}.before-migrate-20261118T090000000Z.0c7e3a91.new`;
    mkdirSync(left); // even for root, as bad as a file of another user
    const { kept = '' } = await upgradeFile({ database });
    assert.deepEqual(beside(database).toSorted(), [left, kept]);
  });

  it('removes no safety copy of another state', async (t) => {
    const database = createSecond();
    const { kept = '' } = await upgradeFile({ database });
    copyFileSync(kept, database);
    openOther(t, database).exec(`UPDATE accounts SET name = 'Written since'`);
    const again = await upgradeFile({ database });
    assert.deepEqual(beside(database).toSorted(), [kept, again.kept]);
  });
});

/** Memories for a database of several megabytes. */
function large(): Memory[] {
  return memories(100, 20_000).map((each) => ({ ...each, id: `long-${each.id}` }));
}

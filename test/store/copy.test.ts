// copy: both databases give the same responses, byte for byte, even after interruptions, and no foreign database is overwritten.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { copyDatabase } from '../../src/store/copy/copy.ts';
import { digestOf } from '../../src/store/copy/tables.ts';
import { engineOf } from '../../src/store/engines.ts';
import { withoutProgress, type Stage } from '../../src/store/progress.ts';
import { NO_SCOPE } from '../../src/store/scope.ts';
import { verifyFile } from '../../src/store/sqlite/check/verify.ts';
import { createDisk, fill, NO_MOUNT } from '../support/damage/full-disk.ts';
import { engine, engines, onlyPostgres, type Engine } from '../support/engines/engine.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { answersOf, createOriginal } from '../support/world/complete-database.ts';
import { run, startProcess, stop } from '../support/world/program.ts';
import { isShort } from '../support/world/thorough.ts';
import { memory } from '../support/world/world.ts';

const isSqlite = engine === engines.sqlite;

/** The ways of a copy that this run tries. A short one on PostgreSQL reads it once, and writes it once. */
const ways = (
  [
    [engines.sqlite, engine],
    [engine, engines.sqlite],
    [engine, engine],
  ] as const
).slice(isSqlite ? 2 : 0, isShort && !isSqlite ? 2 : 3);

/** The cases of a list that this run tries. SQLite tries all, because both engines share what finds them. */
const some = <Case>(all: readonly Case[]): readonly Case[] =>
  isShort && !isSqlite ? all.slice(0, 2) : all;

const copy = (from: string, to: string, stage: Stage = withoutProgress) =>
  copyDatabase({ from, to, stage });

/** A new file name, or the address of an empty database. */
function place(t: TestContext, { create }: Engine): string {
  return create === engines.sqlite.create ? join(newFolder(), 'copy.db') : create(t, newFolder());
}

/** Creates a progress callback that fails after this many memories. */
function stopAt(count: number): Stage {
  return async (_counted, work) =>
    work((done) => {
      if (done >= count) throw new Error('stopped');
    });
}

for (const [from, to] of ways)
  describe(`A copy from ${from.name} to ${to.name}`, () => {
    it('answers as the original does, whatever is asked, by the same keys, links and marks', async (t) => {
      const original = createOriginal(t, from);
      const target = place(t, to);
      const copied = await copy(original.database, target);
      assert.deepEqual(
        [copied.accounts, copied.keys, copied.memories, copied.sent],
        [3, 8, 38, 38],
      );
      const one = await answersOf(t, original);
      const other = await answersOf(t, { ...original, database: target }, one.links);
      assert.deepEqual(other.answers, one.answers);
      assert.ok(one.answers.size > 50);
      const statuses = new Set(Array.from(one.answers.values(), ({ status }) => status));
      assert.deepEqual(statuses, new Set([200, 401, 403, 404]));
    });

    it('comes back as it was, and is well', async (t) => {
      const original = createOriginal(t, from);
      const [away, back] = [place(t, to), place(t, engines.sqlite)];
      const there = await copy(original.database, away);
      const home = await copy(away, back);
      assert.equal(home.sha256, there.sha256);
      const one = await answersOf(t, original);
      const other = await answersOf(t, { ...original, database: back }, one.links);
      assert.deepEqual(other.answers, one.answers);
      assert.deepEqual((await verifyFile(back)).findings, []);
    });

    it('goes on where it was stopped: what is there is not sent again, and nobody reads it before', async (t) => {
      const original = createOriginal(t, from, 1500);
      const target = place(t, to);
      await assert.rejects(copy(original.database, target, stopAt(1000)), /^Error: stopped$/);
      const half = await answersOf(t, { ...original, database: target });
      const statuses = new Set(Array.from(half.answers.values(), ({ status }) => status));
      assert.deepEqual(statuses, new Set([401]));
      const { sent, memories: all } = await copy(original.database, target);
      assert.equal(all, 1508);
      assert.equal(sent, 508);
      const again = await copy(original.database, target);
      assert.equal(again.sent, 0);
    });

    it('loses an account that is deleted there, until it is copied again', async (t) => {
      const original = createOriginal(t, from);
      const target = place(t, to);
      const { accounts } = await copy(original.database, target);
      await engineOf(target).withWriter((writer) => writer.eraseAccount('ben'));
      const left = () => to.edit(target, 'SELECT id FROM accounts').length;
      assert.equal(left(), accounts - 1);
      assert.deepEqual((await engineOf(target).verify()).findings, []);
      await copy(original.database, target);
      assert.equal(left(), accounts);
    });

    it('brings what has come since, and takes away what has gone', async (t) => {
      const original = createOriginal(t, from);
      const target = place(t, to);
      await copy(original.database, target);
      const read = `'/v1/memories', 1, 1 FROM api_keys WHERE account_id = 'ana'`;
      to.edit(
        target,
        `INSERT INTO key_reads (account_id, key_id, path, last_at, count) SELECT account_id, id, ${read}`,
      );
      original.writer.memories.put('ana', memory({ id: 'new', transcript: 'Mira: milk.' }));
      original.writer.memories.delete('ana', 'm003');
      original.writer.keys.create({ account_id: 'cleo', label: 'late', expires_at: null });
      from.edit(original.database, `INSERT INTO bookmarks VALUES ('ben', 'm000', 1, '', 1, '[]')`);
      const { sent } = await copy(original.database, target);
      assert.equal(sent, 1);
      const bookmarks = 'SELECT account_id, memory_id, note FROM bookmarks ORDER BY account_id';
      assert.deepEqual(
        to.edit(target, bookmarks).map((row) => Object.values(row)),
        [
          ['ana', 'm002', 'Ask “Ben” 🐦'],
          ['ben', 'm000', ''],
        ],
      );
      const one = await answersOf(t, original);
      const other = await answersOf(t, { ...original, database: target }, one.links);
      assert.deepEqual(other.answers, one.answers);
    });

    it('brings what has come or gone without a new revision', async (t) => {
      const original = createOriginal(t, from);
      const { writer } = original;
      await writer.bin.put({ account_id: 'ana', agent: 'test', ids: ['m004'] });
      const target = place(t, to);
      await copy(original.database, target);
      await writer.emptyBin({ account_id: 'ana', agent: 'test' });
      const nobody = { field: 'speaker', old: 'Nobody', new: 'Ann' } as const;
      await writer.corrections.correct({ account_id: 'cleo', corrections: [nobody] });
      await copy(original.database, target);
      assert.deepEqual(to.edit(target, 'SELECT memory_id FROM deleted_memories'), []);
      const [edit] = to.edit(target, 'SELECT account_id, old FROM corrections');
      assert.deepEqual({ ...edit }, { account_id: 'cleo', old: 'Nobody' });
      to.edit(target, 'DELETE FROM corrections');
      await assert.rejects(copy(original.database, target), {
        name: 'Refusal',
        message: /^Account cleo in .* has changed since it was copied/,
      });
    });

    it('has one state, whoever writes to the original meanwhile', async (t) => {
      const original = createOriginal(t, from, 1500);
      const before = await answersOf(t, original);
      const target = place(t, to);
      let isWritten = false;
      await copy(original.database, target, async (_counted, work) =>
        work(() => {
          if (isWritten) return;
          isWritten = true;
          original.writer.memories.put('ana', memory({ id: 'm1400', name: 'Written meanwhile' }));
          original.writer.memories.delete('ana', 'm1300');
          original.writer.accounts.setDisabled('ben', false);
        }),
      );
      assert.ok(isWritten);
      const after = await answersOf(t, { ...original, database: target }, before.links);
      assert.deepEqual(after.answers, before.answers);
    });

    it('writes over nothing that no copy has put there, nor over what was written since', async (t) => {
      const original = createOriginal(t, from);
      const own = createOriginal(t, to);
      const before = await answersOf(t, own);
      await assert.rejects(copy(original.database, own.database), {
        name: 'Refusal',
        message: /already has accounts, such as ana\. Copy to a database without accounts\.$/,
      });
      assert.deepEqual((await answersOf(t, own)).answers, before.answers);

      const target = place(t, to);
      await copy(original.database, target);
      await assert.rejects(copy(createOriginal(t, from).database, target), {
        message: /has account ana from a copy of another database/,
      });
      for (const write of some(WRITES)) {
        const moved = place(t, to);
        await copy(original.database, moved);
        write(to, moved, t);
        const written = await answersOf(t, { ...original, database: moved });
        await assert.rejects(copy(original.database, moved), {
          name: 'Refusal',
          message:
            /^Account ana in .* has changed since it was copied, and another copy would undo that/,
        });
        const still = await answersOf(t, { ...original, database: moved });
        assert.deepEqual(still.answers, written.answers);
      }
    });

    it('stops at a damaged memory of the source, and names the command that finds the damage', async (t) => {
      for (const [damage, found] of some(DAMAGES)) {
        const original = createOriginal(t, from);
        from.edit(original.database, damage);
        const target = place(t, to);
        await assert.rejects(copy(original.database, target), {
          name: 'Refusal',
          message: found,
        });
        const keys = original.keys.slice(0, 1); // that of ana
        const { answers } = await answersOf(t, { keys, database: target });
        const statuses = new Set(Array.from(answers.values(), ({ status }) => status));
        assert.deepEqual(statuses, new Set([401]), damage);
      }
    });
  });

describe('The digest of a copied account', { skip: !isSqlite }, () => {
  it('is that of earlier programs, whose scopes had no source and no tags', async (t) => {
    const database = engine.create(t, newFolder());
    const { accounts, keys } = engine.write(t, database);
    accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
    for (const scope of [undefined, { ...NO_SCOPE, reads: 'summaries', started_after: 5 } as const])
      issued(keys.create({ account_id: 'ana', label: 'one', expires_at: null, scope }).key);
    const key =
      'key_sha256, id, account_id, last_four, label, created_at, expires_at, revoked_at, reads';
    const rows = (sql: string) => engine.edit(database, sql).map((row) => Object.values(row));
    const values = [
      ...rows('SELECT * FROM accounts'),
      ...rows(`SELECT ${key} FROM api_keys ORDER BY key_sha256`).map((row) =>
        row.at(-1) === 'all' ? row.slice(0, -1) : [...row, 5, null],
      ),
    ];
    const { owner } = await engineOf(database).withSnapshot(({ connection }) =>
      digestOf({ name: database, connection, engine: engineOf(database) }, 'ana'),
    );
    assert.equal(owner, hash('sha256', JSON.stringify(values)));
  });
});

const WRITES = [
  (to: Engine, database: string, t: TestContext) =>
    to.write(t, database).memories.put('ana', memory({ id: 'later' })),
  (to: Engine, database: string, t: TestContext) =>
    to.write(t, database).keys.create({ account_id: 'ana', label: 'later', expires_at: null }),
  (to: Engine, database: string, t: TestContext) =>
    to.write(t, database).accounts.setDisabled('ana', true),
  (to: Engine, database: string) =>
    to.edit(database, `INSERT INTO bookmarks VALUES ('ana', 'm004', 1, '', 1, '[]')`),
  (to: Engine, database: string) =>
    to.edit(database, `UPDATE searches SET query = 'q=tea' WHERE account_id = 'ana'`),
];

const DAMAGES: readonly [string, RegExp][] = [
  [
    "UPDATE memories SET body_sha256 = slim_sha256 WHERE id = 'm007'",
    /^Memory m007 of account ana is damaged: its bytes have changed since it was written; find the damage with: memory-gateway verify --database /,
  ],
  [
    "UPDATE memories SET slim = body WHERE id = 'm007'",
    /^Memory m007 of account ana is damaged: its bytes/,
  ],
  [
    "UPDATE memories SET name = 'Another' WHERE id = 'm007'",
    /^Memory m007 of account ana is damaged: its bytes/,
  ],
  [
    "DELETE FROM changes WHERE memory_id = 'm007'",
    /^The memories of account ana in .* do not match its change feed; find the damage with: memory-gateway verify/,
  ],
];

describe('copy', () => {
  it('tells what is there on both sides, to people and to machines', async (t) => {
    const { database } = createOriginal(t, engine);
    const target = place(t, engine);
    const words = ['copy', '--from', database, '--to', target];
    const { stdout, code, stderr } = await run(words);
    assert.match(
      stdout,
      / has all of .* as of 20[-: \d]*Z: 3 accounts, 8 keys, 38 memories, 39 changes, SHA-256 [\da-f]{64} on both sides; 38 were sent\.\n$/,
    );
    assert.deepEqual([code, stderr], [0, '']);
    const told = JSON.parse((await run([...words, '--json'])).stdout);
    assert.match(told.at, /^20.*Z$/);
    assert.match(told.sha256, /^[\da-f]{64}$/);
    const { at: _at, sha256: _sha256, ...rest } = told;
    const counts = { accounts: 3, keys: 8, memories: 38, changes: 39, sent: 0 };
    assert.deepEqual(rest, { from: database, to: target, ...counts });
  });

  it('says in a sentence what it was called wrongly with', async (t) => {
    const { database } = createOriginal(t, engines.sqlite);
    const folder = newFolder();
    const [nowhere, target] = [join(folder, 'nowhere.db'), join(folder, 'new.db')];
    const cases: [string[], number, RegExp][] = [
      [[], 2, /: Give --from DATABASE\.\n$/],
      [['--from', database], 2, /: Give --to DATABASE\.\n$/],
      [['--from', database, '--to', target, 'more'], 2, /more/],
      [['--from', nowhere, '--to', target], 1, /There is no database at .*nowhere\.db; /],
      [['--from', database, '--to', database], 1, /is the source of this copy\. Name another/],
      [['--from', database, '--to', `${database}-wal`], 1, /is the source of this copy\./],
      [['--from', database, '--to', `${folder}/no/new.db`], 1, /There is no folder .*; make it/],
      [['--from', database, '--to', folder], 1, /is not a file; name a database file\.\n$/],
    ];
    for (const [words, code, said] of cases) {
      const ended = await run(['copy', ...words]);
      assert.equal(ended.code, code, words.join(' '));
      assert.match(ended.stderr, said);
      assert.equal(ended.stdout, '');
    }
    assert.ok(!existsSync(target), 'nothing is made');
  });

  it(
    'goes on after SIGKILL, whenever that comes',
    { skip: !isSqlite && 'test/faults/copy.fault.ts does it there' },
    async (t) => {
      const original = createOriginal(t, engine, 1500);
      const target = place(t, engine);
      const words = ['copy', '--from', original.database, '--to', target];
      const began = performance.now();
      assert.equal((await run([...words.slice(0, -1), place(t, engine)])).code, 0);
      const ms = performance.now() - began;
      for (const part of [0.5, 0.7, 0.9]) {
        const child = startProcess(words);
        await sleep(part * ms);
        await stop(child, 'SIGKILL');
      }
      const { code, stderr } = await run(words);
      assert.deepEqual([code, stderr], [0, '']);
      const one = await answersOf(t, original);
      const other = await answersOf(t, { ...original, database: target }, one.links);
      assert.deepEqual(other.answers, one.answers);
    },
  );

  it(
    'says that the server has gone, and goes on when it is back',
    { skip: onlyPostgres },
    async (t) => {
      const original = createOriginal(t, engines.sqlite, 1500);
      const target = place(t, engine);
      const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`;
      let isGone = false;
      const ended = copy(original.database, target, async (_counted, work) =>
        work(() => {
          if (!isGone) engine.edit(target, end);
          isGone = true;
        }),
      );
      await assert.rejects(ended, {
        name: 'Refusal',
        message: /^postgres:\/\/.* (broken|ended|stopped or restarted)/,
      });
      const { sent } = await copy(original.database, target);
      assert.equal(sent, 508);
      const one = await answersOf(t, original);
      const other = await answersOf(t, { ...original, database: target }, one.links);
      assert.deepEqual(other.answers, one.answers);
    },
  );

  it(
    'says that the disk is full, and goes on where there is room',
    { skip: NO_MOUNT },
    async (t) => {
      const original = createOriginal(t, engines.sqlite, 3000);
      const disk = createDisk(t, 100_000_000);
      const target = join(disk, 'copy.db');
      const empty = fill(disk, 8_000_000);
      const words = ['copy', '--from', original.database, '--to', target];
      const { code, stderr } = await run(words);
      assert.equal(code, 1);
      assert.match(stderr, /copy\.db cannot be written, .*free some space/);
      empty();
      const copied = JSON.parse((await run([...words, '--json'])).stdout);
      assert.equal(copied.memories, 3008);
      assert.ok(copied.sent < 3008, `${copied.sent} were sent`);
    },
  );
});

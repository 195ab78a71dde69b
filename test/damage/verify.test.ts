// verify: finds every planted fault, and none in a database that this program has written.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import Database from 'better-sqlite3';
import * as fc from 'fast-check';

import type { Stage } from '../../src/store/progress.ts';
import { verifyFile } from '../../src/store/sqlite/check/verify.ts';
import { openFile } from '../../src/store/sqlite/connection.ts';
import { indexTermsOf } from '../../src/store/sqlite/search/search.ts';
import { inSnapshot } from '../../src/store/sqlite/snapshot.ts';
import { createDatabase, withFileWriterSync } from '../../src/store/sqlite/writer.ts';
import { overwrite, pagesOf } from '../support/damage/overwrite-pages.ts';
import { play } from '../support/model/play.ts';
import { sequences } from '../support/model/steps.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { run } from '../support/world/program.ts';
import { cases } from '../support/world/thorough.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

/** A small database: three memories and a deleted one of `ana`, one of `bo`. */
function createSmall(): string {
  const database = join(newFolder(), 'small.db');
  createDatabase(database, ({ accounts, memories: kept, keys }) => {
    for (const id of ['ana', 'bo']) accounts.create({ id, name: id, created_by: 'command line' });
    for (const id of ['a', 'b', 'c', 'gone']) {
      kept.put('ana', memory({ id, transcript: `Told of ${id}, again ${id}.` }));
    }
    kept.delete('ana', 'gone');
    kept.put('bo', memory({ id: 'a', transcript: 'Another.' }));
    keys.create({ account_id: 'ana', label: 'test', expires_at: null });
  });
  return database;
}

async function findIn(database: string): Promise<readonly string[]> {
  return (await verifyFile(database)).findings;
}

function plant(database: string, sql: string): void {
  const db = new Database(database);
  db.unsafeMode();
  db.pragma('foreign_keys = OFF');
  db.pragma('ignore_check_constraints = ON');
  db.function('sha256', (bytes) => hash('sha256', bytes as Buffer));
  db.exec(sql);
  db.close();
}

const WORDS_OF_B = indexTermsOf(
  1,
  memory({ id: 'b', transcript: 'Told of b, again b.' }),
).toString();
const B = `WHERE account_id = 'ana' AND id = 'b'`;

/** Replaces the body of a memory, and its hash. */
function body(expression: string): string {
  return `UPDATE memories SET body = CAST(${expression} AS BLOB) ${B};
          UPDATE memories SET body_sha256 = sha256(body) ${B}`;
}

const set = (path: string, value: string) =>
  body(`json_set(CAST(body AS TEXT), '${path}', ${value})`);
const remove = (table: string, where: string) => `DELETE FROM ${table} WHERE ${where}`;

/** One change each, and the finding for it. */
const FAULTS: Record<string, readonly [sql: string, found: RegExp]> = {
  'a hash': [
    `UPDATE memories SET body_sha256 = lower(hex(zeroblob(32))) ${B}`,
    /^Memory b of account ana has a body that does not match its hash; restore a backup\.$/,
  ],
  'a hash of a slim': [
    `UPDATE memories SET slim_sha256 = lower(hex(zeroblob(32))) ${B}`,
    /^Memory b of account ana has a slim that does not match its hash; restore a backup\.$/,
  ],
  'a slim without the name, and its hash': [
    `UPDATE memories SET slim = CAST(json_remove(CAST(slim AS TEXT), '$.name') AS BLOB) ${B};
     UPDATE memories SET slim_sha256 = sha256(slim) ${B}`,
    /^Memory b of account ana has a body that contradicts slim; restore a backup\.$/,
  ],
  'a body with a space more': [
    body(`CAST(body AS TEXT) || ' '`),
    /^Memory b of account ana has a body that this program would write differently/,
  ],
  'a body with a field more': [
    set('$.more', '1'),
    /^Memory b of account ana .* would write differently/,
  ],
  'a body that lacks a field': [
    body(`json_remove(CAST(body AS TEXT), '$.name')`),
    /^Memory b of account ana has a body that is not a valid memory; restore a backup\.$/,
  ],
  'a body that ends before it starts': [
    set('$.ended_at', `'2001-01-01T00:00:00.000Z'`),
    /^Memory b of account ana has a body that is not a valid memory/,
  ],
  'a body of another account': [
    set('$.user_id', `'bo'`),
    /^Memory b of account ana has a body that names another account/,
  ],
  'a body with another transcript': [
    set('$.transcript', `'Other words.'`),
    /^Memory b of account ana has other words in the search index than in its text/,
  ],
  "two bodies of a week in each other's place": [
    `UPDATE memories SET body = CAST(json_set(CAST(body AS TEXT), '$.transcript',
       CASE id WHEN 'a' THEN 'Told of b, again b.' ELSE 'Told of a, again a.' END) AS BLOB)
     WHERE account_id = 'ana' AND id IN ('a', 'b');
     UPDATE memories SET body_sha256 = sha256(body)`,
    /^Memory [ab] of account ana has other words in the search index than in its text/,
  ],
  'a start in its column': [
    `UPDATE memories SET started_at = started_at - 1 ${B}`,
    /^Memory b of account ana has a body that contradicts started_at; restore a backup\.$/,
  ],
  'an end in its column': [
    `UPDATE memories SET ended_at = ended_at + 1 ${B}`,
    /contradicts ended_at/,
  ],
  'a duration in its column': [
    `UPDATE memories SET duration_seconds = 7 ${B}`,
    /contradicts duration_seconds/,
  ],
  'a state in its column': [
    `UPDATE memories SET is_processing = 1 ${B}`,
    /contradicts is_processing/,
  ],
  'a name in its column': [`UPDATE memories SET name = 'x' ${B}`, /contradicts name/],
  'a summary in its column': [
    `UPDATE memories SET quick_summary = '' ${B}`,
    /contradicts quick_summary/,
  ],
  'takeaways in their column': [
    `UPDATE memories SET key_takeaways = '[]' ${B}`,
    /contradicts key_takeaways/,
  ],
  'an id in its column': [
    `UPDATE memories SET id = 'z' ${B}`,
    /^Memory z of account ana .* contradicts id;/,
  ],
  'an account in its column': [
    `UPDATE memories SET account_id = 'bo' ${B}`,
    /^Memory b of account bo has a body that names another account/,
  ],
  'a missing change': [
    remove('changes', `memory_id = 'b'`),
    /^Memory b of account ana is missing in the feed; restore a backup, or export /,
  ],
  'a change that says deleted': [
    `UPDATE changes SET change = 'delete' WHERE memory_id = 'b'`,
    /^Memory b of account ana is deleted according to the feed/,
  ],
  'a change of no memory': [
    `UPDATE changes SET change = 'upsert' WHERE memory_id = 'gone'`,
    /^Memory gone of account ana is in the feed but not in the database/,
  ],
  'a memory deleted from its table alone': [
    `DROP TRIGGER memories_deleted; DELETE FROM memories ${B}`,
    /^Memory b of account ana is in the feed but not in the database/,
  ],
  'a trigger that is gone': [
    'DROP TRIGGER memories_updated',
    /^The trigger memories_updated is missing; restore a backup, or export /,
  ],
  'a trigger that is not ours': [
    `CREATE TRIGGER more AFTER INSERT ON memories BEGIN DELETE FROM changes; END`,
    /^The trigger more does not belong to this program/,
  ],
  'an index that is not ours': [
    `CREATE UNIQUE INDEX evil ON changes (account_id, seq)`,
    /^The index evil does not belong to this program; drop it if you know what created it, or restore/,
  ],
  'a table that is not ours, with a copy of all memories': [
    `CREATE TABLE secret_copy AS SELECT * FROM memories`,
    /^The table secret_copy does not belong to this program; drop it/,
  ],
  'a view that is not ours': [
    `CREATE VIEW "[2J" AS SELECT 1`,
    /^The view "\[2J" does not belong to this program; drop it/,
  ],
  'a table with the name of the journal of copies': [
    `CREATE TABLE copies (account_id TEXT PRIMARY KEY, words TEXT) WITHOUT ROWID`,
    /^The table copies does not belong to this program; drop it/,
  ],
  'an index that is another': [
    `DROP INDEX memories_by_time; CREATE INDEX memories_by_time ON memories (account_id, id)`,
    /^The index memories_by_time differs from the one that this program creates/,
  ],
  'epochs that are gone': [
    remove('change_epochs', `account_id = 'ana'`),
    /^Account ana has changes in the feed without an epoch/,
  ],
  'an epoch that begins too late': [
    `UPDATE change_epochs SET first_seq = first_seq + 1 WHERE account_id = 'bo'`,
    /^Account bo has changes in the feed without an epoch/,
  ],
  'a source of an account that is gone': [
    `INSERT INTO sources (account_id, name, kind, settings, state, run, started_at, active_at)
     VALUES ('gone', 'limitless', 'pull', '{}', '{}', '', 0, 0)`,
    /^Account gone does not exist, but sources has rows of it; restore a backup\.$/,
  ],
  'a source with a state that is no object, and another token than a run has': [
    `INSERT INTO sources (account_id, name, kind, settings, state, run, started_at, active_at)
     VALUES ('bo', 'limitless', 'pull', '{}', '[1]', 'me', 0, 0)`,
    /^Source limitless of account bo has an invalid value in state, run; restore a backup\.$/,
  ],
  'a session of an account that is gone': [
    `INSERT INTO sessions VALUES (lower(hex(zeroblob(32))), 'x', 'gone', 'link', '', 0, 0, 0, 0, 0)`,
    /^Account gone does not exist, but sessions has rows of it; restore a backup\.$/,
  ],
  'a session without a hash, and of a way that there is not': [
    `INSERT INTO sessions VALUES ('x', '0', 'bo', 'key', '', 0, 0, 0, 0, 2)`,
    /^Session 0 of account bo has an invalid value in token_sha256, id, way, is_short; restore a backup\.$/,
  ],
  'a sign-in link of no account': [
    `INSERT INTO sign_in_links VALUES (lower(hex(zeroblob(32))), 'nobody', NULL, 0)`,
    /^Account nobody does not exist, but sign_in_links has rows of it/,
  ],
  'a challenge that ends when no calendar does': [
    `INSERT INTO challenges VALUES ('x', NULL, 9000000000000000000)`,
    /^A challenge for passkeys has an invalid value in challenge, expires_at;/,
  ],
  'a passkey whose key is no text of base64url': [
    `INSERT INTO passkeys VALUES ('abc', 'bo', 'Phone', '!', -7, -1, 0, NULL)`,
    /^Passkey abc of account bo has an invalid value in public_key, sign_count;/,
  ],
  'a password without a hash': [
    `INSERT INTO passwords VALUES ('bo', '', 0)`,
    /^The password of account bo has an invalid value in hash;/,
  ],
  'a count of no guesses': [
    `INSERT INTO sign_in_failures VALUES ('bo', 0, 0)`,
    /^A count of wrong passwords has an invalid value in count;/,
  ],
  'an event without a kind': [
    `INSERT INTO account_events VALUES (7, 'bo', 9000000000000000000, '', '', '')`,
    /^Event 7 of account bo has an invalid value in at, kind;/,
  ],
  'a key whose last use no calendar has': [
    `UPDATE api_keys SET last_used_at = 9000000000000000000`,
    /^Key \S+ of account ana has an invalid value in last_used_at;/,
  ],
  'a key of a scope that does not exist': [
    `UPDATE api_keys SET reads = 'titles', started_before = 9000000000000000000`,
    /^Key \S+ of account ana has an invalid value in reads, started_before;/,
  ],
  'a creator of an account that SQLite would not take': [
    `UPDATE accounts SET created_by = 'me' WHERE id = 'bo'`,
    /^Account bo has an invalid value in created_by; restore a backup\.$/,
  ],
  'an account of a time that no calendar has': [
    `UPDATE accounts SET created_at = 9000000000000000000, disabled_at = -9e15 WHERE id = 'bo'`,
    /^Account bo has an invalid value in created_at, disabled_at;/,
  ],
  'an account without a name': [
    `UPDATE accounts SET name = '' WHERE id = 'bo'`,
    /^Account bo has an invalid value in name;/,
  ],
  'an account whose name steers a terminal': [
    `UPDATE accounts SET name = 'Bo' || char(27) || '[2J' WHERE id = 'bo'`,
    /^Account bo has an invalid value in name;/,
  ],
  'an account without a revision': [
    `UPDATE accounts SET revision = '' WHERE id = 'bo'`,
    /^Account bo has an invalid value in revision;/,
  ],
  'an account with a malformed id': [
    `INSERT INTO accounts VALUES ('a b', 'A', 0, 'seed', NULL, lower(hex(zeroblob(16))))`,
    /^Account "a b" has an invalid value in id;/,
  ],
  'last characters that no key has': [
    `UPDATE api_keys SET last_four = 'zzzzzz'`,
    /^Key [0-9a-f-]{36} of account ana has an invalid value in last_four; restore a backup\.$/,
  ],
  'a key that ends when no calendar does': [
    `UPDATE api_keys SET expires_at = 9000000000000000000`,
    /^Key \S+ of account ana has an invalid value in expires_at;/,
  ],
  'a key without an id, and a malformed hash': [
    `UPDATE api_keys SET id = '', key_sha256 = 'x'`,
    /^Key "" of account ana has an invalid value in key_sha256, id;/,
  ],
  'a change of a time that no calendar has': [
    `UPDATE changes SET changed_at = 9000000000000000000 WHERE memory_id = 'gone'`,
    /^Change 5 of account ana has an invalid value in changed_at; restore a backup, or export /,
  ],
  'a change of a year that the feed cannot say': [
    `UPDATE changes SET changed_at = 253402300800000 WHERE memory_id = 'gone'`,
    /^Change 5 of account ana has an invalid value in changed_at;/,
  ],
  'a change that is older than the one before it': [
    `UPDATE changes SET changed_at = changed_at - 1000 WHERE memory_id = 'gone'`,
    /^Change 5 of account ana is older than the one before it;/,
  ],
  'a change of a memory with a malformed id': [
    `UPDATE changes SET memory_id = 'bad id!!' WHERE memory_id = 'gone'`,
    /^Change 5 of account ana has an invalid value in memory_id;/,
  ],
  'a change that is neither upsert nor delete': [
    `UPDATE changes SET change = 'x' WHERE memory_id = 'gone'`,
    /^Change 5 of account ana has an invalid value in change;/,
  ],
  'a count of changes beyond what JSON can say': [
    `UPDATE changes SET seq = 9007199254740993 WHERE memory_id = 'gone'`,
    /^Change \d+ of account ana has an invalid value in seq;/,
  ],
  'an epoch without a name': [
    `UPDATE change_epochs SET epoch = '' WHERE account_id = 'bo'`,
    /^The epoch of account bo from change 1 has an invalid value in epoch;/,
  ],
  'a key of no account': [
    `UPDATE api_keys SET account_id = 'nobody'`,
    /^Account nobody does not exist, but api_keys has rows of it/,
  ],
  'memories of no account': [
    remove('accounts', `id = 'ana'`),
    /^Account ana does not exist, but memories has rows of it/,
  ],
  'an epoch of no account': [
    `INSERT INTO change_epochs VALUES ('nobody', 1, 'x')`,
    /^Account nobody does not exist, but change_epochs has rows of it/,
  ],
  'a week that is gone': [
    remove('search_weeks', `account_id = 'ana'`),
    /^Memory a of account ana has other words in the search index/,
  ],
  'all words of a memory missing': [
    `INSERT INTO search (search, rowid, words) SELECT 'delete', pk, '${WORDS_OF_B}' FROM memories ${B}`,
    /^Memory b of account ana has other words in the search index/,
  ],
  'a word too many': [
    `INSERT INTO search (rowid, words) SELECT pk, '1_more' FROM memories ${B}`,
    /^Memory b of account ana has other words in the search index/,
  ],
  'words of no memory': [
    `INSERT INTO search (rowid, words) VALUES (4000000000, '1_more')`,
    /^The search index has words of number 4000000000, which no memory has/,
  ],
};

/** Changes the n-th occurrence of some bytes in a file. */
const BYTES: Record<string, readonly [from: string, to: string, nth: number, found: RegExp]> = {
  'a body that is no JSON': [
    '{"id":"b"',
    '["id":"b"',
    1,
    /^Memory b of account ana has a body that is not a valid memory/,
  ],
  'a body that is no UTF-8': [
    'Told of b',
    'Told \xFFf b',
    0,
    /^Memory b of account ana has a body that this program would write differently/,
  ],
  'the slim of a memory': [
    '{"id":"b","name":"Memory',
    '{"id":"b","name":"Memoxy',
    0,
    /^Memory b of account ana has a body that contradicts slim; /,
  ],
};

describe('verify', () => {
  it('finds no fault in a new database, and says what is in it', async () => {
    const { findings, more, memories: count, accounts } = await verifyFile(createSmall());
    assert.deepEqual(
      { findings, more, count, accounts },
      { findings: [], more: 0, count: 4, accounts: 2 },
    );
  });

  it('finds no fault in a database without accounts or without memories', async () => {
    const database = join(newFolder(), 'empty.db');
    createDatabase(database);
    assert.deepEqual(await findIn(database), []);
    withFileWriterSync(database, ({ accounts }) =>
      accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' }),
    );
    assert.deepEqual(await findIn(database), []);
  });

  it('finds no fault in a memory with half a character, such as a cut emoji', async () => {
    const database = createSmall();
    withFileWriterSync(database, ({ memories: kept }) =>
      kept.put('ana', {
        ...memory({ id: 'd', name: 'Cut \uD83D' }),
        summary: { quick_summary: '\uDE00', key_takeaways: ['\uD83D'] },
        transcript: '\uD83D',
      }),
    );
    assert.deepEqual(await findIn(database), []);
  });

  for (const [what, [sql, found]] of Object.entries(FAULTS)) {
    it(`finds ${what}`, async () => {
      const database = createSmall();
      plant(database, sql);
      const findings = await findIn(database);
      assert.ok(
        findings.some((finding) => found.test(finding)),
        findings.join('\n') || 'nothing',
      );
    });
  }

  for (const [what, [from, to, nth, found]] of Object.entries(BYTES)) {
    it(`finds ${what}, changed in the file`, async () => {
      const database = createSmall();
      changeBytes(database, { from, to, nth });
      const findings = await findIn(database);
      assert.ok(
        findings.some((finding) => found.test(finding)),
        findings.join('\n') || 'nothing',
      );
    });
  }

  it('finds a memory that an index lacks', async () => {
    const database = createSmall();
    plant(
      database,
      `CREATE TABLE aside AS SELECT * FROM sqlite_schema WHERE name = 'memories_by_time';
       PRAGMA writable_schema = ON;
       DELETE FROM sqlite_schema WHERE name = 'memories_by_time'`,
    );
    withFileWriterSync(database, (writer) => writer.memories.put('ana', memory({ id: 'd' })));
    plant(
      database,
      `PRAGMA writable_schema = ON;
       INSERT INTO sqlite_schema SELECT * FROM aside;
       PRAGMA writable_schema = RESET;
       DROP TABLE aside`,
    );
    assert.match(
      (await findIn(database)).join(),
      /SQLite finds: row 5 missing from index memories_by_time/,
    );
  });

  it('prints the first hundred faults, and how many more there are', async () => {
    const database = join(newFolder(), 'many.db');
    createDatabase(database, (writer) => {
      writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
      writer.memories.putAll('ana', memories(130));
    });
    plant(database, `UPDATE memories SET name = 'x'`);
    const { findings, more } = await verifyFile(database);
    assert.deepEqual([findings.length, more], [100, 30]);
    assert.match(findings[0] ?? '', /^Memory m000 of account ana /);
  });

  it('finds damage in every used page, and never throws', async (t) => {
    const database = createSmall();
    const { pageSize, used } = pagesOf(database);
    const pages = statSync(database).size / pageSize;
    assert.ok(pages > 15 && used.size > 15, `${pages} pages`);
    const kinds = { ones: 0xff, zeros: 0, letters: 0x61 };
    for (let page = 1; page <= pages; page++) {
      for (const [kind, byte] of Object.entries(kinds)) {
        const copy = join(newFolder(), 'damaged.db');
        copyFileSync(database, copy);
        overwrite(copy, (page - 1) * pageSize, Buffer.alloc(pageSize, byte));
        const found = await findIn(copy).catch((error: Error) => [
          `${error.name}: ${error.message}`,
        ]);
        assert.ok(found.length > 0 || !used.has(page), `page ${page} of ${kind}: nothing found`);
        for (const each of found) assert.match(each, /; [^;]+\.?$/);
      }
    }
    t.diagnostic(`${pages} pages, ${used.size} of them in use`);
  });

  it('finds a header that lets SQLite read the file but not write it', async () => {
    const database = createSmall();
    overwrite(database, 18, Buffer.from([31]));
    assert.deepEqual(await findIn(database), [
      'The header says that only a newer SQLite may write this file (version 31); restore a backup.',
    ]);
  });

  it('finds a file that is cut off at any page, and never throws', async () => {
    const database = createSmall();
    const { pageSize } = pagesOf(database);
    const whole = readFileSync(database);
    for (let bytes = pageSize; bytes < whole.length; bytes += pageSize) {
      const copy = join(newFolder(), 'cut.db');
      writeFileSync(copy, whole.subarray(0, bytes));
      const found = await findIn(copy).catch((error: Error) => [error.name]);
      assert.ok(found.length > 0, `cut at ${bytes}`);
    }
  });

  it('finds no fault after random histories of writes, deletes and transactions', async (t) => {
    const seed = Date.now() % 2 ** 31;
    t.diagnostic(`seed ${seed}`);
    const world = await createWorld(t);
    const runs = cases(60, 10);
    let histories = 0;
    const property = fc.asyncProperty(sequences, async (sequence) => {
      await play(world, `v${histories++}`, sequence);
      if (histories % 10 === 0) assert.deepEqual(await findIn(world.database), []);
    });
    await fc.assert(property, { numRuns: runs, seed, endOnFailure: true });
    const { findings, memories: count } = await verifyFile(world.database);
    assert.deepEqual(findings, []);
    assert.ok(count > 0, `${count} memories of ${runs} histories`);
  });

  it('reads one snapshot while another process writes', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', memories(300));
    let written = 0;
    const stage: Stage = async (_counted, work) =>
      work(() => {
        world.writer.memories.put('ana', memory({ id: 'm000', name: `Name ${++written}` }));
        world.writer.memories.put('ana', memory({ id: `n${written}` }));
      });
    const { findings, memories: count } = await verifyFile(world.database, stage);
    assert.ok(written > 1, 'written meanwhile');
    assert.deepEqual([findings, count], [[], 300]);
  });

  it('of a file that is locked after it was opened fails in one sentence', async (t) => {
    const database = createSmall();
    plant(database, 'PRAGMA journal_mode = DELETE'); // like in a backup
    const db = openFile(database, 'read');
    const other = new Database(database);
    t.after(() => [db, other].map((each) => each.close()));
    other.exec('BEGIN EXCLUSIVE');
    await assert.rejects(
      inSnapshot(db, () => assert.fail('no snapshot')),
      { name: 'Refusal', message: /small\.db is locked by another program; close that program/ },
    );
    other.exec('COMMIT');
    assert.equal(await inSnapshot(db, () => 'there is one'), 'there is one');
  });

  it('is a command: exit code 0 with a summary, or 1 with the faults', async () => {
    const database = createSmall();
    const well = await run(['verify', '--database', database]);
    assert.deepEqual([well.code, well.stderr], [0, '']);
    assert.match(
      well.stdout,
      / is healthy: 4 memories of 2 accounts, as of \d{4}-\d\d-\d\d \d\d:\d\dZ\.\n$/,
    );
    plant(database, `UPDATE memories SET name = 'x' ${B}`);
    const before = readFileSync(database);
    const ill = await run(['verify', '--database', database]);
    assert.equal(ill.code, 1);
    assert.match(ill.stdout, /^Memory b of account ana [^\n]+\n$/);
    assert.match(ill.stderr, / is damaged\.\n$/);
    const json = await run(['verify', '--database', database, '--json']);
    assert.equal(json.code, 1);
    const { ok, memories: count, accounts, findings, more } = JSON.parse(json.stdout);
    assert.deepEqual({ ok, count, accounts, more }, { ok: false, count: 4, accounts: 2, more: 0 });
    assert.deepEqual(findings, [ill.stdout.trimEnd()]);
    assert.deepEqual(readFileSync(database), before, 'nothing was written');
  });

  it('escapes ids that would control a terminal', async () => {
    const database = createSmall();
    plant(database, `UPDATE memories SET id = 'x' || char(0x9b, 0x202e, 10) || 'y' ${B}`);
    for (const more of [[], ['--json']]) {
      const { code, stdout } = await run(['verify', '--database', database, ...more]);
      assert.equal(code, 1);
      assert.doesNotMatch(stdout, /[\u0080-\u009f\u202e]/);
      assert.ok(stdout.includes('u009b'), stdout);
    }
  });
});

interface Changed {
  readonly from: string;
  readonly to: string;
  readonly nth: number;
}

function changeBytes(database: string, { from, to, nth }: Changed): void {
  const bytes = readFileSync(database);
  let at = -1;
  for (let i = 0; i <= nth; i++) at = bytes.indexOf(from, at + 1);
  assert.ok(at > 0, from);
  overwrite(database, at, Buffer.from(to, 'latin1'));
}

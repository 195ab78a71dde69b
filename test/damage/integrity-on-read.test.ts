// Integrity checks on read: bytes that differ from the written ones never leave the gateway.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import Database from 'better-sqlite3';

import { withFileSnapshot } from '../../src/store/sqlite/snapshot.ts';
import { createDatabase } from '../../src/store/sqlite/writer.ts';
import { overwrite } from '../support/damage/overwrite-pages.ts';
import { issued, leave, newFolder } from '../support/world/artifacts.ts';
import { createServerOn } from '../support/world/server-in-process.ts';
import { memory } from '../support/world/world.ts';

const COUNT = 150;
const CANARY = 'bittern';
const ids = Array.from({ length: COUNT }, (_, i) => `m${String(i).padStart(3, '0')}`);
const SLIM = 'id,name,started_at,ended_at,is_processing,user_id,duration_seconds,summary';

/**
 * The memories of an account, each with its own name in its texts. Both accounts have the same ids
 * and times.
 */
function memoriesOf(mark: string) {
  return ids.map((id, i) =>
    memory({
      id,
      name: `${mark} ${id}`,
      started_at: new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString(),
      ended_at: new Date(Date.UTC(2026, 0, 2, 0, i)).toISOString(),
      transcript: `${mark} ${id} said. `.repeat(300),
    }),
  );
}

/** Creates a file with two accounts, damages it with `damage`, and serves it without a cache. */
async function createDamaged(t: TestContext, damage: (database: string) => void) {
  const database = join(newFolder(), 'memories.db');
  let key = '';
  createDatabase(database, (writer) => {
    for (const [id, mark] of [
      ['ana', 'avocet'],
      ['anb', CANARY], // ids that are as close as possible
    ] as const) {
      writer.accounts.create({ id, name: id, created_by: 'seed' });
      writer.memories.putAll(id, memoriesOf(mark));
    }
    key = issued(writer.keys.create({ account_id: 'ana', label: 'test', expires_at: null }).key);
  });
  damage(database);
  const failures: string[] = [];
  const error = ({ err }: { err?: unknown }) => {
    leave(String(err));
    failures.push((err as Error).message);
  };
  const { port, gateway } = await createServerOn(t, database, { cacheBytes: 0, log: { error } });
  const ask = async (path: string, etag = '') => {
    const headers = { 'x-api-key': key, 'if-none-match': etag };
    const answer = await fetch(`http://127.0.0.1:${port}/v1/memories${path}`, { headers });
    const text = await answer.text().catch(() => 'broken off');
    assert.ok(!text.includes(CANARY), `${path} has what is of another account`);
    const { status } = answer;
    if (status !== 200 && status !== 304) assert.match(String(JSON.parse(text).detail), /\S/);
    return status === 200 && text === 'broken off' ? text : status;
  };
  return { database, ask, failures, gateway };
}

/** Overwrites the n-th occurrence of some bytes in a file. */
function replace(database: string, from: Uint8Array | string, to: Uint8Array | string, nth = 0) {
  const bytes = readFileSync(database);
  let at = -1;
  for (let i = 0; i <= nth; i++) at = bytes.indexOf(from, at + 1);
  assert.ok(at > 0, 'is there');
  overwrite(database, at, Buffer.from(to));
}

/** Makes an index return wrong rows, by giving it the pages of an index with other values. */
function lead(database: string, index: string, columns: string, astray: string, id = 'id'): void {
  const db = new Database(database);
  db.unsafeMode();
  db.pragma('writable_schema = ON');
  db.exec(`
    CREATE TABLE astray (pk INTEGER PRIMARY KEY, account_id TEXT, id TEXT, started_at INTEGER, duration_seconds INTEGER, is_processing INTEGER);
    INSERT INTO astray SELECT ${astray}, account_id, ${id}, started_at, duration_seconds, is_processing FROM memories;
    CREATE INDEX astray_index ON astray (${columns});
    UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'astray_index')
    WHERE name = '${index}'`);
  db.close();
}

const OTHERS = `CASE WHEN id <> 'm100' THEN pk ELSE
  (SELECT pk FROM memories AS other WHERE id = 'm100' AND account_id <> memories.account_id) END`;

const NOT_WHOLE =
  /^Memory (m\d+) of account ana is damaged: its bytes have changed since it was written; find the damage with: memory-gateway verify --database \S+memories\.db$/;
const MISSING =
  /^Memory m\d+ of account ana is missing, although the change feed lists it; find the damage with: memory-gateway verify --database \S+memories\.db$/;
const NOT_ALL =
  /^The list index of account ana is incomplete or out of order; find the damage with: memory-gateway verify --database \S+memories\.db$/;

function all(failures: readonly string[], sentence: RegExp): void {
  assert.ok(failures.length > 0, 'logged');
  for (const each of failures) assert.match(each, sentence);
}

describe('A memory whose bytes changed in the file', () => {
  it('is a 500 if its transcript changed, breaks lists that have it, and affects no other memory', async (t) => {
    const { ask, failures } = await createDamaged(t, (database) =>
      replace(database, 'avocet m020 said. avocet m020', 'avocet m020 SAID'),
    );
    assert.equal(await ask('/m020'), 500);
    assert.equal(await ask('/m020?fields=transcript'), 500);
    assert.equal(await ask('/m020/lines'), 500);
    assert.equal(await ask('/m020/lines?first=9'), 500, 'and not 422');
    assert.equal(await ask(''), 'broken off');
    assert.equal(await ask('?order=asc'), 500);
    assert.equal(await ask('?order=asc&limit=50'), 500);
    assert.equal(await ask('?q=m020'), 500);
    all(failures, NOT_WHOLE);
    assert.deepEqual(new Set(failures.map((each) => NOT_WHOLE.exec(each)?.[1])), new Set(['m020']));
    failures.length = 0;
    for (const id of ids.filter((each) => each !== 'm020')) assert.equal(await ask(`/${id}`), 200);
    assert.equal(await ask('/m020?fields=name'), 200);
    assert.equal(await ask(`?fields=${SLIM}`), 200);
    assert.equal(await ask('?limit=50'), 200);
    assert.deepEqual(failures, []);
  });

  it('is a 500 without its transcript if only that form is damaged, and complete with it', async (t) => {
    const { ask, failures } = await createDamaged(t, (database) =>
      replace(database, '"name":"avocet m020"', '"name":"avocet M020"'),
    );
    assert.equal(await ask('/m020'), 200);
    assert.equal(await ask(''), 200);
    assert.equal(await ask('/m020?fields=name'), 500);
    assert.equal(await ask('?order=asc&fields=name'), 500);
    assert.equal(await ask(`?order=asc&fields=${SLIM}`), 500);
    all(failures, NOT_WHOLE);
  });

  it('is not read for a 304', async (t) => {
    let etag = '';
    const { ask } = await createDamaged(t, (database) => {
      const db = new Database(database);
      etag = String(
        db
          .prepare("SELECT body_sha256 FROM memories WHERE id = 'm020' AND account_id = 'ana'")
          .pluck()
          .get(),
      );
      db.close();
      replace(database, 'avocet m020 said. avocet m020', 'avocet m020 SAID');
    });
    assert.equal(await ask('/m020', `"${etag}"`), 304);
    assert.equal(await ask('/m020', '"other"'), 500);
  });

  it('is a 500 and not a 304 if its bytes are missing', async (t) => {
    const { ask, failures } = await createDamaged(t, (database) => {
      const db = new Database(database);
      db.unsafeMode();
      db.pragma('writable_schema = ON');
      const schema = (from: string, to: string) =>
        db.exec(
          `UPDATE sqlite_schema SET sql = replace(sql, '${from}', '${to}') WHERE name = 'memories'; PRAGMA writable_schema = RESET; PRAGMA writable_schema = ON`,
        );
      schema('BLOB NOT NULL', 'BLOB');
      db.exec("UPDATE memories SET body = NULL, slim = NULL WHERE id = 'm020'");
      schema('BLOB', 'BLOB NOT NULL');
      db.close();
    });
    for (const path of ['/m020', '/m020?fields=name', '?order=asc', '?order=asc&fields=name'])
      assert.equal(await ask(path), 500, path);
    all(failures, NOT_WHOLE);
  });

  it('is logged once a second, and not as a failure of the file', async (t) => {
    const { ask, failures } = await createDamaged(t, (database) => {
      for (const id of ['m020', 'm030'])
        replace(database, `avocet ${id} said. avocet ${id}`, `avocet ${id} SAID`);
    });
    const pragma = t.mock.method(Database.prototype, 'pragma');
    let now = Math.ceil(performance.now());
    t.mock.method(performance, 'now', () => now);
    for (const seconds of [1, 2, 3]) {
      now += 1000;
      for (let i = 0; i < 10; i++)
        for (const id of ['m020', 'm030', 'm040'])
          assert.equal(await ask(`/${id}`), id === 'm040' ? 200 : 500);
      assert.equal(failures.length, 2 * seconds);
    }
    all(failures, NOT_WHOLE);
    const set = pragma.mock.calls.map((call) => call.arguments[0]);
    assert.deepEqual(
      set.filter((each) => each.startsWith('busy_timeout')),
      [],
    );
  });

  it('ends an export with an error that names it', async (t) => {
    const { database } = await createDamaged(t, (file) =>
      replace(file, 'avocet m020 said. avocet m020', 'avocet m020 SAID'),
    );
    const exported = withFileSnapshot(database, (snapshot) => [...snapshot.memories('ana')].length);
    await assert.rejects(exported, { name: 'Refusal', message: NOT_WHOLE });
  });
});

describe('A key whose row names another account', () => {
  it('gives access to neither', async (t) => {
    const { ask, failures } = await createDamaged(t, (database) => {
      const db = new Database(database);
      const page = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'api_keys'").pluck();
      const at = (Number(page.get()) - 1) * Number(db.pragma('page_size', { simple: true }));
      db.close();
      const inRow = readFileSync(database)
        .subarray(at, at + 4096)
        .indexOf('ana');
      overwrite(database, at + inRow, Buffer.from('anb'));
    });
    assert.equal(await ask('/m100'), 500);
    all(failures, /^A key names account anb, which does not have that key; find the damage/);
  });
});

describe('A key whose scope is none', () => {
  for (const [what, sql] of [
    ['an unknown word', "UPDATE api_keys SET reads = 'al?'"],
    ['no list of tags', "UPDATE api_keys SET tags = '[\"work'"],
    ['an end before its start', 'UPDATE api_keys SET started_after = 9, started_before = 8'],
  ] as const)
    it(`reads nothing, not less without a word: ${what}`, async (t) => {
      const { ask, failures } = await createDamaged(t, (database) => {
        const db = new Database(database);
        db.pragma('ignore_check_constraints = ON');
        db.exec(sql);
        db.close();
      });
      assert.equal(await ask('/m100'), 500);
      assert.equal(await ask('?limit=5'), 500);
      all(failures, /^What an API key or a client may read is damaged; find the damage with: /);
    });
});

describe('A memory whose columns differ from its bytes', () => {
  const EDGES = ['?limit=20', '?limit=20&order=asc'];
  const edited = (t: TestContext, sql: string) =>
    createDamaged(t, (database) => {
      const db = new Database(database);
      db.exec(sql);
      db.close();
    });

  it('is in no list at a wrong time', async (t) => {
    const { ask, failures } = await edited(
      t,
      "UPDATE memories SET started_at = started_at + 60001 WHERE id = 'm075' AND account_id = 'ana'",
    );
    for (const query of ['', `?fields=${SLIM}`, '?is_processing=false', '?q=m075'])
      for (const order of ['asc', 'desc'])
        assert.notEqual(await ask(`${query || '?'}&order=${order}`), 200, query);
    const wrongly = 'started_after=2026-01-01T01:16:00Z&started_before=2026-01-01T01:17:00Z';
    assert.equal(await ask(`?${wrongly}`), 500);
    all(failures, NOT_WHOLE);
    assert.deepEqual(new Set(failures.map((each) => NOT_WHOLE.exec(each)?.[1])), new Set(['m075']));
    for (const query of [...EDGES, '?limit=20&fields=name']) assert.equal(await ask(query), 200);
  });

  it('is in no list with a wrong is_processing', async (t) => {
    const { ask, failures } = await edited(
      t,
      "UPDATE memories SET is_processing = 1 WHERE id IN ('m074', 'm075') AND account_id = 'ana'",
    );
    for (const query of ['', '&fields=name', '&limit=2', '&q=m075'])
      assert.equal(await ask(`?is_processing=true${query}`), 500, query);
    all(failures, NOT_WHOLE);
    for (const query of EDGES) assert.equal(await ask(query), 200);
  });
});

describe('A damaged index', () => {
  it('never gives access to a memory of another account by id', async (t) => {
    const { ask, failures } = await createDamaged(t, (database) =>
      lead(database, 'sqlite_autoindex_memories_1', 'account_id, id', OTHERS),
    );
    assert.equal(await ask('/m100'), 500);
    assert.equal(await ask('/m100?fields=name'), 500);
    assert.equal(await ask('/m099'), 200);
    assert.equal(await ask(''), 200, 'which walks another index');
    all(failures, NOT_WHOLE);
  });

  it('never puts a memory of another account into a list', async (t) => {
    const { ask, failures } = await createDamaged(t, (database) =>
      lead(database, 'memories_by_time', 'account_id, started_at, id, duration_seconds', OTHERS),
    );
    assert.equal(await ask('/m100'), 200);
    assert.equal(await ask(''), 'broken off');
    assert.equal(await ask('?order=asc'), 'broken off');
    assert.equal(await ask(`?order=asc&fields=${SLIM}`), 500);
    assert.equal(await ask('?limit=60&fields=name'), 500);
    assert.equal(await ask('?fields=id'), 200, 'which reads the index alone');
    assert.equal(await ask('?limit=20'), 200);
    assert.equal(await ask('?is_processing=false&order=asc&limit=5'), 200);
    all(failures, NOT_WHOLE);
  });

  it('never returns another memory than the requested one', async (t) => {
    const { ask, failures } = await createDamaged(t, (database) =>
      lead(
        database,
        'sqlite_autoindex_memories_1',
        'account_id, id',
        `CASE id WHEN 'm100' THEN pk + 1 WHEN 'm101' THEN pk - 1 ELSE pk END`,
      ),
    );
    assert.deepEqual([await ask('/m100'), await ask('/m101'), await ask('/m102')], [500, 500, 200]);
    all(failures, NOT_WHOLE);
  });

  it('never shortens a list or hides a memory', async (t) => {
    for (const [index, columns] of [
      ['memories_by_time', 'account_id, started_at, id, duration_seconds'],
      ['memories_by_state', 'account_id, is_processing, started_at, id'],
      ['sqlite_autoindex_memories_1', 'account_id, id'],
    ] as const) {
      const { ask, failures, gateway } = await createDamaged(t, (database) => {
        lead(database, index, columns, 'pk');
        const db = new Database(database);
        db.exec("DELETE FROM astray WHERE id IN ('m100', 'm000', 'm149')");
        db.close();
      });
      const isById = index === 'sqlite_autoindex_memories_1';
      for (const id of ['m000', 'm100', 'm149'])
        assert.equal(await ask(`/${id}`), isById ? 500 : 200, `${index}: ${id}`);
      assert.equal(await ask('/nowhere'), 404);
      for (const query of [
        '',
        '?order=asc',
        '?limit=7',
        '?limit=7&order=asc',
        `?fields=${SLIM}`,
        '?fields=id',
        '?fields=id,started_at&order=asc&limit=7',
      ])
        assert.equal(await ask(query), isById ? 200 : 500, `${index}: ${query}`);
      assert.equal(await ask('?limit=7&started_after=2026-01-01T01:00:00Z&order=asc'), 200);
      const days = gateway.as('ana').days.list();
      if (isById) assert.equal((await days)[0]?.memories, COUNT);
      else await assert.rejects(days, { status: 500 }, 'totals are not too small');
      all(failures, isById ? MISSING : NOT_ALL);
    }
  });

  it('never gives a feed whose cursor would look like one that a restore has undone', async (t) => {
    for (const edit of [
      "DELETE FROM change_epochs WHERE account_id = 'ana'",
      "UPDATE change_epochs SET epoch = 'x' WHERE account_id = 'ana'",
    ]) {
      const { failures, gateway } = await createDamaged(t, (database) => {
        const db = new Database(database);
        db.exec(edit);
        db.close();
      });
      await assert.rejects(gateway.as('ana').changes.list({ limit: 7 }), { status: 500 });
      all(
        failures,
        /^The change feed of account ana is incomplete or out of order; find the damage/,
      );
    }
  });

  it('never puts a wrong id into a list of ids', async (t) => {
    for (const [index, columns] of [
      ['memories_by_time', 'account_id, started_at, id, duration_seconds'],
      ['memories_by_state', 'account_id, is_processing, started_at, id'],
    ] as const) {
      const { ask, failures } = await createDamaged(t, (database) => {
        lead(database, index, columns, 'pk', "replace(id, 'm100', 'm100x')");
      });
      for (const query of ['?fields=id', '?fields=id&order=asc&limit=120', '?fields=started_at'])
        assert.equal(await ask(query), 500, `${index}: ${query}`);
      assert.equal(await ask('?fields=id&limit=20'), 200);
      all(failures, NOT_ALL);
    }
  });

  it('never changes the order or the filter of a list', async (t) => {
    const KINDS = Buffer.from([13 + 2 * 3, 5, 13 + 2 * 4, 8, 1]); // three letters, six bytes, four letters, zero, one byte
    const timeOf = (minute: number) => {
      const time = Buffer.alloc(6); // SQLite stores such a number like this
      time.writeUIntBE(Date.UTC(2026, 0, 1, 0, minute), 0, 6);
      return time;
    };
    for (const minute of [2, 140, 9000]) {
      const { ask, failures } = await createDamaged(t, (database) => {
        // Writes a record of this index: the types of its values, then the values.
        const entry = (at: number) =>
          Buffer.concat([KINDS, Buffer.from('ana'), timeOf(at), Buffer.from('m100')]);
        replace(database, entry(100), entry(minute));
      });
      for (const query of [
        '?order=asc&fields=name',
        '?fields=name',
        '?fields=id',
        `?fields=${SLIM}`,
        '?order=asc&limit=1&started_after=2026-01-01T01:40:00Z',
      ])
        assert.notEqual(await ask(query), 200, `${minute}: ${query}`);
      all(failures, new RegExp(`${NOT_ALL.source}|${NOT_WHOLE.source}`));
    }
  });
});

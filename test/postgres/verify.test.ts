// verify on PostgreSQL: finds every fault that is planted, and none in what this program has written.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { Client } from 'pg';

import { verifyAny } from '../../src/store/verify.ts';
import { onlyPostgres } from '../support/engine.ts';
import { run } from '../support/program.ts';
import { createWorld, memories, memory } from '../support/world.ts';

/** A small database: three memories and a deleted one of `ana`, one of `bo`. */
async function createSmall(t: TestContext) {
  const { database, writer } = await createWorld(t);
  for (const id of ['ana', 'bo']) writer.accounts.create({ id, name: id, created_by: 'seed' });
  for (const id of ['a', 'b', 'c', 'gone'])
    writer.memories.put('ana', memory({ id, transcript: `Told of ${id}, again ${id}.` }));
  writer.memories.delete('ana', 'gone');
  writer.memories.put('bo', memory({ id: 'a', transcript: 'Another.', name: 'With \0 in it' }));
  writer.keys.create({ account_id: 'ana', label: 'test', expires_at: null });
  return database;
}

/** Runs statements with no trigger set off, as damage is done. */
async function plant(database: string, statements: string): Promise<void> {
  const client = new Client(database);
  await client.connect();
  await client.query(
    `SET search_path = memory_gateway; SET session_replication_role = replica; ${statements}`,
  );
  await client.end();
}

const B = `WHERE account_id = 'ana' AND id = 'b'`;
const sha = (column: string) => `encode(sha256(${column}), 'hex')`;

/** Sets the body of a memory, and the hash that goes with it. */
const body = (expression: string) =>
  `UPDATE memories SET body = convert_to(${expression}, 'UTF8') ${B};
   UPDATE memories SET body_sha256 = ${sha('body')} ${B}`;
const text = `convert_from(body, 'UTF8')`;

/** One change each, and what is to be found of it. */
const FAULTS: Record<string, readonly [sql: string, found: RegExp]> = {
  'a hash': [
    `UPDATE memories SET body_sha256 = repeat('0', 64) ${B}`,
    /^Memory b of account ana has a body that is not that of its hash; restore a backup\.$/,
  ],
  'a body that is no JSON, nor text': [
    `UPDATE memories SET body = '\\xff00' ${B}`,
    /^Memory b of account ana has a body that is no memory; restore a backup\.$/,
  ],
  'a body with a space more': [body(`${text} || ' '`), /not written as this program writes/],
  'a body of another account': [
    body(`replace(${text}, '"user_id":"ana"', '"user_id":"bo"')`),
    /^Memory b of account ana has a body that says it is of another account/,
  ],
  'a start in its column': [
    `UPDATE memories SET started_at = started_at - 1 ${B}`,
    /^Memory b of account ana has a body that does not say what is in started_at; restore a backup\.$/,
  ],
  'a name in its column': [`UPDATE memories SET name = 'x' ${B}`, /what is in name/],
  'words that are not its own': [
    `UPDATE memories SET words = words || 'more ' ${B}`,
    /^Memory b of account ana is in the search index by other words than its own; restore a backup, or export/,
  ],
  'lexemes of other words': [
    `UPDATE memories SET lexemes = '1_other'::tsvector ${B}`,
    /^Memory b of account ana is in the search index by other words than its own/,
  ],
  'no lexemes': [`UPDATE memories SET lexemes = NULL ${B}`, /b of account ana is in the search/],
  'a week that is not looked into': [
    `DELETE FROM search_weeks WHERE account_id = 'bo'`,
    /^Memory a of account bo is in the search index by other words/,
  ],
  'a missing change': [
    `DELETE FROM changes WHERE memory_id = 'b'`,
    /^Memory b of account ana is not in the feed; restore a backup, or export /,
  ],
  'a change that says deleted': [
    `UPDATE changes SET change = 'delete' WHERE memory_id = 'b'`,
    /^Memory b of account ana is deleted, says the feed/,
  ],
  'a memory that is gone': [
    `DELETE FROM memories ${B}`,
    /^Memory b of account ana is in the feed, and not in the database; restore a backup\.$/,
  ],
  'changes that nobody wrote': [
    `DELETE FROM change_epochs WHERE account_id = 'ana'`,
    /^Account ana has changes in the feed that no epoch begins before/,
  ],
  'an epoch of another form': [
    `UPDATE change_epochs SET epoch = 'x' WHERE account_id = 'bo'`,
    /^The epoch of account bo from change 1 on has what cannot be in epoch/,
  ],
  'changes that go back in time': [
    `UPDATE changes SET changed_at = 0 WHERE seq = 3`,
    /^Change 3 of account ana is older than the one before it/,
  ],
  'an account that is gone': [
    `DELETE FROM accounts WHERE id = 'bo'`,
    /^Account bo is not there, and memories has rows of it; restore a backup\.$/,
  ],
  'a revision of another form': [
    `UPDATE accounts SET revision = '' WHERE id = 'bo'`,
    /^Account bo has what cannot be in revision/,
  ],
  'a key with a label of nothing': [
    `UPDATE api_keys SET label = ''`,
    /^Key \S+ of account ana has what cannot be in label/,
  ],
  'a table that is gone': ['DROP TABLE changes', /^The table changes is missing/],
  'a column that is gone': [
    'ALTER TABLE memories DROP COLUMN quick_summary',
    /^The column memories\.quick_summary is missing/,
  ],
  'the index of a primary key': [
    'ALTER TABLE memories DROP CONSTRAINT memories_pkey',
    /^The index memories_pkey is missing/,
  ],
  'a trigger that is switched off': [
    'ALTER TABLE memories DISABLE TRIGGER memories_inserted',
    /^The trigger memories_inserted is switched off/,
  ],
  'a trigger of another': [
    `CREATE FUNCTION public.mine() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
     CREATE TRIGGER mine BEFORE INSERT ON memories FOR EACH ROW EXECUTE FUNCTION public.mine()`,
    /^The trigger "?mine"? is not of this program/,
  ],
  'a wall that is switched off': [
    'ALTER TABLE memories DISABLE ROW LEVEL SECURITY',
    /^The policy memories\.own_account is switched off/,
  ],
  'a function that does something else': [
    `CREATE OR REPLACE FUNCTION memories_deleted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
    /^The function memories_deleted is not as this program makes it/,
  ],
};

describe('verify on PostgreSQL', { skip: onlyPostgres }, () => {
  it('finds nothing in what this program has written', async (t) => {
    const database = await createSmall(t);
    const { memories: found, accounts, findings, more } = await verifyAny(database);
    assert.deepEqual(
      { found, accounts, findings, more },
      { found: 4, accounts: 2, findings: [], more: 0 },
    );
  });

  for (const [what, [statements, found]] of Object.entries(FAULTS)) {
    it(`finds ${what}`, async (t) => {
      const database = await createSmall(t);
      await plant(database, statements);
      const { findings } = await verifyAny(database);
      assert.ok(
        findings.some((each) => found.test(each)),
        JSON.stringify(findings),
      );
    });
  }

  it('misses no index, trigger, policy or function that is dropped', async (t) => {
    const database = await createSmall(t);
    const client = new Client(database);
    await client.connect();
    const { rows } = await client.query<{ drop: string; name: string }>(`
      SELECT 'DROP INDEX memory_gateway.' || indexname AS drop, 'index ' || indexname AS name
      FROM pg_indexes WHERE schemaname = 'memory_gateway' AND indexname !~ '_(pkey|key)$'
      UNION ALL
      SELECT 'DROP TRIGGER ' || tgname || ' ON ' || tgrelid::regclass, 'trigger ' || tgname
      FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL
      SELECT 'DROP POLICY ' || policyname || ' ON memory_gateway.' || tablename, 'policy ' || tablename || '.' || policyname
      FROM pg_policies WHERE schemaname = 'memory_gateway'
      UNION ALL
      SELECT 'DROP FUNCTION ' || oid::regprocedure || ' CASCADE', 'function ' || proname
      FROM pg_proc WHERE pronamespace = 'memory_gateway'::regnamespace`);
    assert.ok(rows.length > 10);
    for (const { drop } of rows)
      await client.query(
        drop
          .replace(' FUNCTION ', ' FUNCTION IF EXISTS ')
          .replace(' TRIGGER ', ' TRIGGER IF EXISTS '),
      );
    await client.end();
    const { findings } = await verifyAny(database);
    for (const { name } of rows)
      assert.ok(
        findings.some((each) => each.startsWith(`The ${name} is missing;`)),
        name,
      );
  });

  it('refuses one who sees a part of the rows, in place of telling that all is well', async (t) => {
    const database = await createSmall(t);
    await plant(
      database,
      `DO $$ BEGIN CREATE ROLE reads_some LOGIN; EXCEPTION WHEN duplicate_object THEN END $$;
       GRANT USAGE ON SCHEMA memory_gateway TO reads_some;
       GRANT SELECT ON ALL TABLES IN SCHEMA memory_gateway TO reads_some`,
    );
    const url = new URL(database);
    url.username = 'reads_some';
    await assert.rejects(verifyAny(url.href), {
      name: 'Refusal',
      message: /does not let this user/,
    });
  });

  it('says what it found, without the password of the address, and exits with 1', async (t) => {
    const database = await createSmall(t);
    const url = new URL(database);
    url.password = 's3cret';
    const env = { MEMORY_GATEWAY_DATABASE: url.href };
    const well = await run(['verify'], { env });
    assert.deepEqual([well.code, well.stderr], [0, '']);
    assert.match(well.stdout, /^postgres:\/\/\S+ is well: 4 memories of 2 accounts, as of /);
    await plant(database, `DELETE FROM changes WHERE memory_id = 'b'`);
    const ill = await run(['verify', '--json'], { env });
    assert.equal(ill.code, 1);
    assert.deepEqual(JSON.parse(ill.stdout).ok, false);
    assert.doesNotMatch(well.stdout + ill.stdout + ill.stderr, /s3cret/);
  });

  it('sees one state, whatever is written meanwhile', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', memories(150));
    let written = false;
    const { findings, memories: seen } = await verifyAny(world.database, async (counted, work) => {
      assert.equal(counted.total, 150);
      return work(() => {
        if (!written) world.writer.memories.put('ana', memory({ id: 'new' }));
        written = true;
      });
    });
    assert.ok(written);
    assert.deepEqual([findings, seen], [[], 150]);
  });
});

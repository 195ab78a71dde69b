// verify on PostgreSQL: finds every planted fault, and none in data that this program has written.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { Client } from 'pg';

import { engineOf } from '../../src/store/engines.ts';
import { onlyPostgres } from '../support/engines/engine.ts';
import { runProcess } from '../support/world/program.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

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

/** Runs statements without triggers, as damage would come. */
async function plant(database: string, statements: string): Promise<void> {
  const client = new Client(database);
  await client.connect();
  await client.query(
    `SET search_path = memory_gateway; SET session_replication_role = replica; ${statements}`,
  );
  await client.end();
}

/** Drops parts of the schema, and asserts that `verify` names each of them. */
async function assertNoticed(
  database: string,
  dropped: readonly { readonly drop: string; readonly name: string }[],
): Promise<void> {
  assert.ok(dropped.length > 10);
  const client = new Client(database);
  await client.connect();
  for (const { drop } of dropped)
    await client.query(
      drop
        .replace(' FUNCTION ', ' FUNCTION IF EXISTS ')
        .replace(' TRIGGER ', ' TRIGGER IF EXISTS '),
    );
  await client.end();
  const { findings } = await engineOf(database).verify();
  for (const { name } of dropped)
    assert.ok(
      findings.some((each) => each.startsWith(`The ${name} is missing;`)),
      name,
    );
}

const B = `WHERE account_id = 'ana' AND id = 'b'`;
const sha = (column: string) => `encode(sha256(${column}), 'hex')`;

/** Replaces the body of a memory, and its hash. */
const body = (expression: string) =>
  `UPDATE memories SET body = convert_to(${expression}, 'UTF8') ${B};
   UPDATE memories SET body_sha256 = ${sha('body')} ${B}`;
const text = `convert_from(body, 'UTF8')`;

const ID = '01a2b3c4-d5e6-7f80-9a1b-2c3d4e5f6071';

/** One change each, and the finding for it. */
const FAULTS: Record<string, readonly [sql: string, found: RegExp]> = {
  'a hash': [
    `UPDATE memories SET body_sha256 = repeat('0', 64) ${B}`,
    /^Memory b of account ana has a body that does not match its hash; restore a backup\.$/,
  ],
  'a body that is neither JSON nor text': [
    `UPDATE memories SET body = '\\xff00' ${B}`,
    /^Memory b of account ana has a body that is not a valid memory; restore a backup\.$/,
  ],
  'a body with an extra space': [body(`${text} || ' '`), /this program would write differently/],
  'a body of another account': [
    body(`replace(${text}, '"user_id":"ana"', '"user_id":"bo"')`),
    /^Memory b of account ana has a body that names another account/,
  ],
  'a different start in its column': [
    `UPDATE memories SET started_at = started_at - 1 ${B}`,
    /^Memory b of account ana has a body that contradicts started_at; restore a backup\.$/,
  ],
  'a different name in its column': [`UPDATE memories SET name = 'x' ${B}`, /contradicts name/],
  'words of another text': [
    `UPDATE memories SET words = words || 'more ' ${B}`,
    /^Memory b of account ana has other words in the search index than in its text; restore a backup, or export/,
  ],
  'lexemes of other words': [
    `UPDATE memories SET lexemes = '1_other'::tsvector ${B}`,
    /^Memory b of account ana has other words in the search index than in its text/,
  ],
  'no lexemes': [
    `UPDATE memories SET lexemes = NULL ${B}`,
    /b of account ana has other words in the search/,
  ],
  'a week that the search skips': [
    `DELETE FROM search_weeks WHERE account_id = 'bo'`,
    /^Memory a of account bo has other words in the search index/,
  ],
  'a missing change': [
    `DELETE FROM changes WHERE memory_id = 'b'`,
    /^Memory b of account ana is missing in the feed; restore a backup, or export /,
  ],
  'a change that says deleted': [
    `UPDATE changes SET change = 'delete' WHERE memory_id = 'b'`,
    /^Memory b of account ana is deleted according to the feed/,
  ],
  'a missing memory': [
    `DELETE FROM memories ${B}`,
    /^Memory b of account ana is in the feed but not in the database; restore a backup\.$/,
  ],
  'changes without a write': [
    `DELETE FROM change_epochs WHERE account_id = 'ana'`,
    /^Account ana has changes in the feed without an epoch/,
  ],
  'a malformed epoch': [
    `UPDATE change_epochs SET epoch = 'x' WHERE account_id = 'bo'`,
    /^The epoch of account bo from change 1 has an invalid value in epoch/,
  ],
  'changes that go back in time': [
    `UPDATE changes SET changed_at = 0 WHERE seq = 3`,
    /^Change 3 of account ana is older than the one before it/,
  ],
  'a missing account': [
    `DELETE FROM accounts WHERE id = 'bo'`,
    /^Account bo does not exist, but memories has rows of it; restore a backup\.$/,
  ],
  'a malformed revision': [
    `UPDATE accounts SET revision = '' WHERE id = 'bo'`,
    /^Account bo has an invalid value in revision/,
  ],
  'a key with an empty label': [
    `UPDATE api_keys SET label = ''`,
    /^Key \S+ of account ana has an invalid value in label/,
  ],
  'a session without a hash': [
    `ALTER TABLE sessions DROP CONSTRAINT sessions_token_sha256_check;
     INSERT INTO sessions VALUES ('x', '0', 'ana', 'link', '', 0, 0, 0, 0, 0)`,
    /^Session 0 of account ana has an invalid value in token_sha256, id; restore a backup\.$/,
  ],
  'a passkey of an account that is gone': [
    `ALTER TABLE passkeys DROP CONSTRAINT passkeys_account_id_fkey;
     INSERT INTO passkeys VALUES ('abc', 'gone', 'Phone', 'abc', -7, 0, 0, NULL)`,
    /^Account gone does not exist, but passkeys has rows of it/,
  ],
  'a column of a later migration': [
    'ALTER TABLE api_keys DROP COLUMN last_used_at',
    /^The column api_keys\.last_used_at is missing/,
  ],
  'the last of several columns of one statement': [
    'ALTER TABLE api_keys DROP COLUMN started_before',
    /^The column api_keys\.started_before is missing/,
  ],
  'a grant to an account that is gone': [
    `INSERT INTO grants VALUES ('${ID}', 'gone', 'c', 'C', 'c.example', 'https://a.example/', 'all', NULL, NULL, 0, 1)`,
    /^Account gone does not exist, but grants has rows of it; restore a backup\.$/,
  ],
  'a token of a grant without a hash': [
    `ALTER TABLE grant_tokens DROP CONSTRAINT grant_tokens_token_sha256_check;
     INSERT INTO grant_tokens VALUES ('x', '${ID}', 'ana', 'access', '{}', 0, 1)`,
    /^A token of grant \S+ has an invalid value in token_sha256; restore a backup\.$/,
  ],
  'a registered client without its metadata': [
    `INSERT INTO oauth_clients VALUES ('${ID}', '{', 0, 1)`,
    /^Registered client \S+ has an invalid value in metadata; restore a backup\.$/,
  ],
  'the guard of the app': [
    'DROP TRIGGER memories_not_by_app ON memories',
    /^The trigger memories_not_by_app is missing/,
  ],
  'a missing table': ['DROP TABLE changes', /^The table changes is missing/],
  'a missing column': [
    'ALTER TABLE memories DROP COLUMN quick_summary',
    /^The column memories\.quick_summary is missing/,
  ],
  'the index of a primary key': [
    'ALTER TABLE memories DROP CONSTRAINT memories_pkey CASCADE',
    /^The index memories_pkey is missing/,
  ],
  'a disabled trigger': [
    'ALTER TABLE memories DISABLE TRIGGER memories_inserted',
    /^The trigger memories_inserted is disabled or invalid/,
  ],
  'a trigger with another function': [
    `CREATE FUNCTION public.mine() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
     CREATE TRIGGER mine BEFORE INSERT ON memories FOR EACH ROW EXECUTE FUNCTION public.mine()`,
    /^The trigger "?mine"? does not belong to this program/,
  ],
  'a table that is not ours': [
    'CREATE TABLE memory_gateway.secret_copy AS SELECT * FROM memory_gateway.memories',
    /^The table secret_copy does not belong to this program; drop it if you know what created it/,
  ],
  'an index that is not ours': [
    'CREATE UNIQUE INDEX evil ON memory_gateway.changes (account_id, seq)',
    /^The index evil does not belong to this program/,
  ],
  'a view that is not ours': [
    'CREATE MATERIALIZED VIEW memory_gateway.words AS SELECT words FROM memory_gateway.memories',
    /^The view words does not belong to this program/,
  ],
  'a column that is not ours': [
    'ALTER TABLE memory_gateway.accounts ADD COLUMN email text',
    /^The column accounts\.email does not belong to this program/,
  ],
  'a rule that is not ours': [
    'CREATE RULE quiet AS ON INSERT TO memory_gateway.changes DO INSTEAD NOTHING',
    /^The rule changes\.quiet does not belong to this program/,
  ],
  'a function with a name of ours': [
    `CREATE FUNCTION memory_gateway.lexemes_of(integer) RETURNS integer LANGUAGE sql AS 'SELECT 1'`,
    /^The function lexemes_of exists twice, and one does not belong to this program/,
  ],
  'a sequence, a type and a domain that are not ours': [
    `CREATE SEQUENCE memory_gateway.counter; CREATE TYPE memory_gateway.mood AS ENUM ('ok');
     CREATE DOMAIN memory_gateway.id AS text`,
    /^The (sequence counter|type mood|domain id) does not belong to this program/,
  ],
  'row-level security that is off': [
    'ALTER TABLE memories DISABLE ROW LEVEL SECURITY',
    /^The policy memories\.own_account is disabled or invalid/,
  ],
  'a function with another body': [
    `CREATE OR REPLACE FUNCTION memories_deleted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
    /^The function memories_deleted differs from the one that this program creates/,
  ],
};

describe('verify on PostgreSQL', { skip: onlyPostgres }, () => {
  it('finds nothing in data that this program has written', async (t) => {
    const database = await createSmall(t);
    const { memories: found, accounts, findings, more } = await engineOf(database).verify();
    assert.deepEqual(
      { found, accounts, findings, more },
      { found: 4, accounts: 2, findings: [], more: 0 },
    );
  });

  for (const [what, [statements, found]] of Object.entries(FAULTS)) {
    it(`finds ${what}`, async (t) => {
      const database = await createSmall(t);
      await plant(database, statements);
      const { findings } = await engineOf(database).verify();
      assert.ok(
        findings.some((each) => found.test(each)),
        JSON.stringify(findings),
      );
    });
  }

  it('notices every index, trigger, policy or function that is dropped', async (t) => {
    const client = new Client(await createSmall(t));
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
    await client.end();
    // In two databases, because `verify` prints the first hundred findings.
    const isRelation = /^(?:index|policy) /;
    for (const dropped of [
      rows.filter(({ name }) => isRelation.test(name)),
      rows.filter(({ name }) => !isRelation.test(name)),
    ])
      await assertNoticed(await createSmall(t), dropped);
  });

  it('refuses a user who sees only some of the rows, instead of reporting no faults', async (t) => {
    const database = await createSmall(t);
    await plant(
      database,
      `DO $$ BEGIN CREATE ROLE reads_some LOGIN; EXCEPTION WHEN duplicate_object THEN END $$;
       GRANT USAGE ON SCHEMA memory_gateway TO reads_some;
       GRANT SELECT ON ALL TABLES IN SCHEMA memory_gateway TO reads_some`,
    );
    const url = new URL(database);
    url.username = 'reads_some';
    await assert.rejects(engineOf(url.href).verify(), {
      name: 'Refusal',
      message: /does not allow this user/,
    });
  });

  it('prints its findings without the password of the address, and exits with 1', async (t) => {
    const database = await createSmall(t);
    const url = new URL(database);
    url.password = 's3cret';
    const env = { MEMORY_GATEWAY_DATABASE: url.href };
    const well = await runProcess(['verify'], { env });
    assert.deepEqual([well.code, well.stderr], [0, '']);
    assert.match(well.stdout, /^postgres:\/\/\S+ is healthy: 4 memories of 2 accounts, as of /);
    await plant(database, `DELETE FROM changes WHERE memory_id = 'b'`);
    const ill = await runProcess(['verify', '--json'], { env });
    assert.equal(ill.code, 1);
    assert.deepEqual(JSON.parse(ill.stdout).ok, false);
    assert.doesNotMatch(well.stdout + ill.stdout + ill.stderr, /s3cret/);
  });

  it('sees one snapshot, whatever is written at the same time', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', memories(150));
    let written = false;
    const { findings, memories: seen } = await engineOf(world.database).verify(
      async (counted, work) => {
        assert.equal(counted.total, 150);
        return work(() => {
          if (!written) world.writer.memories.put('ana', memory({ id: 'new' }));
          written = true;
        });
      },
    );
    assert.ok(written);
    assert.deepEqual([findings, seen], [[], 150]);
  });
});

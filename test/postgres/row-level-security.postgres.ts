// Row-level security: the read-only user reads and does only its part, and even a wrong query reveals no other account.

import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';

import { Client, type QueryResult } from 'pg';

import { readFixtures } from '../../src/cli/commands/database/seed.ts';
import { connectGateway } from '../../src/gateway/open.ts';
import { appAddress, readerAddress } from '../support/engines/database-addresses.ts';
import { onlyPostgres } from '../support/engines/engine.ts';
import { readerSql } from '../support/engines/postgres-servers.ts';
import {
  statementsOf,
  statementsOfKeys,
  type Statement,
} from '../support/engines/read-statements.ts';
import { call, openDistantWriter } from '../support/engines/sync-postgres.ts';

const TABLES =
  'accounts api_keys memories search_weeks changes change_epochs schema_versions grants grant_tokens oauth_clients'.split(
    ' ',
  );

/** Settings that force other query plans, one by one and all together. */
const PLANS = [
  'SET plan_cache_mode = force_generic_plan',
  'SET plan_cache_mode = force_custom_plan',
  ...[
    'nestloop',
    'hashjoin',
    'mergejoin',
    'seqscan',
    'indexscan',
    'indexonlyscan',
    'bitmapscan',
    'sort',
    'material',
    'memoize',
    'hashagg',
  ].map((name) => `SET enable_${name} = off`),
  'SET enable_nestloop = off; SET enable_indexscan = off; SET enable_bitmapscan = off; SET enable_indexonlyscan = off',
  'SET join_collapse_limit = 1; SET from_collapse_limit = 1',
  'SET force_parallel_mode = on; SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0',
];

/** A database with the accounts of fixtures/. Two of them have memories with the same id. */
function createWalled() {
  const database = call('create');
  const writer = openDistantWriter(database);
  const accounts = readFixtures().map(({ id, memories }) => ({ id, memories: [...memories] }));
  for (const { id, memories } of accounts) {
    writer.accounts.create({ id, name: id, created_by: 'command line' });
    writer.keys.create({ account_id: id, label: 'test', expires_at: null });
    writer.memories.putAll(id, memories);
  }
  const [mine] = accounts;
  assert.ok(mine);
  return { database, mine: { id: mine.id, ids: new Set(mine.memories.map(({ id }) => id)) } };
}

let walled: ReturnType<typeof createWalled>;

before(() => {
  if (onlyPostgres === false) walled = createWalled();
});

after(() => {
  if (onlyPostgres === false) call('drop', walled.database);
});

/** Opens a connection for each user until the test ends. */
async function enter(t: TestContext) {
  const connect = async (address: string) => {
    const client = new Client(address);
    await client.connect();
    t.after(() => client.end());
    return client;
  };
  const { database, mine } = walled;
  return {
    database,
    mine,
    owner: await connect(database),
    reader: await connect(readerAddress(database)),
  };
}

/** The columns of a row that belong to a memory. */
interface Found {
  readonly id?: string | null;
  readonly memory_id?: string | null;
  readonly text?: string | null;
}

function run(client: Client, { text, values }: Statement): Promise<QueryResult> {
  return client.query({ text, values: [...values] });
}

/** Asserts that the server denies a statement to the user. */
async function denied(client: Client, text: string): Promise<void> {
  await assert.rejects(client.query(text), { code: '42501' }, text);
}

describe('The read-only user', { skip: onlyPostgres }, () => {
  it('reads the same as the owner with every statement and every query plan', async (t) => {
    const { mine, owner, reader } = await enter(t);
    const [id = ''] = mine.ids;
    const all = [
      ...statementsOf({ account_id: mine.id, id, q: 'the' }),
      ...statementsOfKeys(mine.id, '0'.repeat(64)),
    ];
    const expected = new Map<string, unknown[]>();
    for (const each of all) expected.set(each.name, (await run(owner, each)).rows);
    assert.ok(
      (expected.get('body desc by search')?.length ?? 0) > 1,
      'some statements return rows',
    );
    for (const hasStatistics of [false, true]) {
      if (hasStatistics) await owner.query('ANALYZE');
      for (const plan of PLANS) {
        await reader.query(`RESET ALL; SET jit = off; ${plan}`);
        for (const each of all) {
          const { rows } = await run(reader, each);
          assert.deepEqual(rows, expected.get(each.name), `${each.name} with ${plan}`);
        }
      }
    }
  });

  it('can neither write nor read more than responses need, even if it turns read-only mode off', async (t) => {
    const { reader } = await enter(t);
    assert.equal(
      (await reader.query('SHOW default_transaction_read_only')).rows[0]
        ?.default_transaction_read_only,
      'on',
    );
    await reader.query('SET default_transaction_read_only = off');
    await reader.query('SET search_path = memory_gateway');
    for (const table of TABLES) {
      await denied(reader, `DELETE FROM ${table}`);
      await denied(reader, `TRUNCATE ${table}`);
      await denied(reader, `INSERT INTO ${table} DEFAULT VALUES`);
      await denied(reader, `ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`);
    }
    for (const column of ['disabled_at', 'revision', 'name'])
      await denied(reader, `UPDATE accounts SET ${column} = NULL`);
    await denied(reader, 'UPDATE api_keys SET revoked_at = NULL, expires_at = NULL');
    await denied(reader, "UPDATE memories SET body = ''");
    for (const column of ['name', 'created_at'])
      await denied(reader, `SELECT ${column} FROM accounts`);
    for (const column of ['id', 'label']) await denied(reader, `SELECT ${column} FROM api_keys`);
    // Action items are listed with the names of their memories.
    for (const column of ['words', 'lexemes', 'quick_summary', 'key_takeaways'])
      await denied(reader, `SELECT ${column} FROM memories`);
    for (const table of ['search_weeks', 'grants', 'grant_tokens', 'oauth_clients'])
      await denied(reader, `SELECT * FROM ${table}`);
    await denied(reader, 'CREATE TABLE mine ()');
    await denied(reader, "SELECT lexemes_of(1, 'a')");
    await denied(reader, "SELECT note_changes('delete', '{}', '{}')");
  });

  it('gets nothing of another account from a query that has lost its condition, with any query plan', async (t) => {
    const { mine, owner, reader } = await enter(t);
    const wrong = statementsOf({ account_id: mine.id, id: 'nowhere', q: 'the' })
      .filter(({ name }) => !name.includes('search'))
      .map(({ name, text, values }) => ({
        name,
        // Matches every account and every id. A value that is not used still needs a type.
        text: text
          .replaceAll(/[\w".]*"account_id" = "memory_gateway"."accounts"."id"/g, 'true')
          .replaceAll(/"account_id" = (\$\d+)/g, '$1::text IS NOT NULL')
          .replaceAll(/[\w".]*"memories"."id" = (\$\d+)/g, '$1::text IS NOT NULL'),
        values,
      }));
    let foreign = 0;
    for (const plan of PLANS) {
      await reader.query(`RESET ALL; SET jit = off; ${plan}`);
      for (const each of wrong) {
        const idsIn = ({ rows }: QueryResult<Found>) =>
          rows.flatMap(({ id, memory_id, text }) => {
            const found = id ?? memory_id ?? (text && (JSON.parse(text) as Found).id);
            return found ? [found] : [];
          });
        for (const id of idsIn(await run(reader, each)))
          assert.ok(mine.ids.has(id), `${each.name} with ${plan}`);
        // The lost condition is the only fault: without row-level security these queries return
        // other accounts.
        if (idsIn(await run(owner, each)).some((id) => !mine.ids.has(id))) foreign++;
      }
    }
    assert.ok(
      foreign > PLANS.length,
      `without row-level security ${foreign} of ${wrong.length} queries read foreign rows`,
    );
  });

  it('sees no row unless the account is set, and none of them after the statement', async (t) => {
    const { mine, reader } = await enter(t);
    const [id = ''] = mine.ids;
    const seesNone = async () => {
      for (const [table, column] of [
        ['memories', 'body'],
        ['changes', 'memory_id'],
        ['change_epochs', 'epoch'],
      ])
        assert.deepEqual(
          (await reader.query(`SELECT ${column} FROM memory_gateway.${table}`)).rows,
          [],
        );
      const { rows } = await reader.query(
        "SELECT current_setting('memory_gateway.account_id', true) AS named",
      );
      assert.ok(['', null].includes(rows[0]?.named as string | null));
    };
    await seesNone();
    for (const each of statementsOf({ account_id: mine.id, id, q: 'the' })) {
      assert.notDeepEqual((await run(reader, each)).rows, [], each.name);
      await seesNone();
    }
    const [failing] = statementsOf({ account_id: mine.id, id, q: 'the' });
    await reader.query('SET statement_timeout = 1');
    const slow = failing?.text.replace('limit 1', 'and pg_sleep(1) is not null limit 1') ?? '';
    await assert.rejects(run(reader, { name: '', text: slow, values: failing?.values ?? [] }), {
      code: '57014',
    });
    await reader.query('RESET statement_timeout');
    await seesNone();
  });

  it('searches only the account that the statement names', async (t) => {
    const { mine, reader } = await enter(t);
    const search = (account: string) =>
      `SELECT id FROM memory_gateway.search('${account}', '''_the''', '{" the "}', '{}', NULL, -9e15::bigint, '', 9e15::bigint, '', true, 50)`;
    await denied(reader, search(mine.id));
    await denied(reader, search('bo'));
    await reader.query(`BEGIN; SELECT set_config('memory_gateway.account_id', '${mine.id}', true)`);
    const { rows } = await reader.query(search(mine.id));
    assert.ok(rows.length > 0 && rows.every(({ id }) => mine.ids.has(String(id))));
    await denied(reader, search('bo'));
    await reader.query('ROLLBACK');
  });

  it('cannot put a table of its own before those that the search reads', async (t) => {
    const { mine, owner, reader } = await enter(t);
    const search = statementsOf({ account_id: mine.id, id: '', q: 'the' }).find(
      ({ name }) => name === 'places desc by search',
    );
    assert.ok(search);
    const { rows: expected } = await run(owner, search);
    await reader.query('SET default_transaction_read_only = off');
    await reader.query(`
      CREATE TEMPORARY TABLE search_weeks (account_id text, week bigint, label bigint);
      CREATE TEMPORARY TABLE memories (account_id text, started_at bigint, id text, words text);
      SET search_path = pg_temp, memory_gateway`);
    assert.deepEqual((await run(reader, search)).rows, expected);
  });
});

describe('The user of the app', { skip: onlyPostgres }, () => {
  it('sees the grants and tokens of the account, grant or token that the transaction names, and writes no others', async (t) => {
    const { database, mine, owner } = await enter(t);
    const { rows: others } = await owner.query<{ id: string }>(
      'SELECT id FROM memory_gateway.accounts WHERE id <> $1 LIMIT 1',
      [mine.id],
    );
    const foreign = others[0]?.id ?? assert.fail('there is another account');
    const token = (account: string) => (account === mine.id ? 'a' : 'b').repeat(64);
    const addGrant = (account: string, id: string) => `
      INSERT INTO memory_gateway.grants VALUES
        ('${id}', '${account}', 'c', 'C', 'c.example', 'r', 'all', NULL, NULL, 0, 1)`;
    const addToken = (account: string, hash: string) => `
      INSERT INTO memory_gateway.grant_tokens VALUES
        ('${hash}', 'of ${account}', '${account}', 'access', '{}', 0, 1)`;
    for (const each of [mine.id, foreign])
      await owner.query(`${addGrant(each, `of ${each}`)}; ${addToken(each, token(each))}`);

    const app = new Client(appAddress(database));
    await app.connect();
    t.after(() => app.end());
    const within = async (name: string, value: string, text: string) => {
      await app.query('BEGIN');
      try {
        await app.query(`SELECT set_config('memory_gateway.${name}', $1, true)`, [value]);
        return (await app.query<{ account_id: string }>(text)).rows.map((row) => row.account_id);
      } finally {
        await app.query('ROLLBACK');
      }
    };
    const grants = 'SELECT account_id FROM memory_gateway.grants';
    const tokens = 'SELECT account_id FROM memory_gateway.grant_tokens';
    for (const text of [grants, tokens]) {
      assert.deepEqual(await within('account_id', mine.id, text), [mine.id]);
      assert.deepEqual(await within('secret', `of ${mine.id}`, text), [mine.id]);
      assert.deepEqual(await within('secret', token(mine.id), text), [mine.id]);
      for (const value of ['', 'nobody', '*', '%'])
        for (const name of ['account_id', 'secret'])
          assert.deepEqual(await within(name, value, text), []);
    }
    for (const text of [addGrant(foreign, 'mine'), addToken(foreign, 'c'.repeat(64))])
      await assert.rejects(within('account_id', mine.id, text), { code: '42501' });
    for (const table of ['grants', 'grant_tokens']) {
      const changed = `UPDATE memory_gateway.${table} SET expires_at = 2 RETURNING account_id`;
      assert.deepEqual(await within('account_id', mine.id, changed), [mine.id]);
    }
  });
});

describe('The schema of PostgreSQL', { skip: onlyPostgres }, () => {
  it('lets only granted users run its functions, and fixes the search path of each', async (t) => {
    const { owner } = await enter(t);
    const { rows } = await owner.query(`
      SELECT proname, prosecdef, proconfig, has_function_privilege('public', oid, 'EXECUTE') AS is_public
      FROM pg_proc WHERE pronamespace = 'memory_gateway'::regnamespace`);
    assert.ok(rows.length >= 7);
    for (const { proname, prosecdef, proconfig, is_public } of rows) {
      assert.equal(is_public, false, proname);
      assert.ok(proconfig?.includes('search_path=memory_gateway, pg_temp'), proname);
      assert.equal(prosecdef, proname === 'search', proname);
    }
  });

  it('has row-level security on every table with data of memories', async (t) => {
    const { owner } = await enter(t);
    const { rows } = await owner.query(`
      SELECT relname FROM pg_class
      WHERE relnamespace = 'memory_gateway'::regnamespace AND relkind = 'r' AND NOT relrowsecurity
      ORDER BY relname`);
    assert.deepEqual(
      rows.map(({ relname }) => relname),
      // By name: what a caller has without knowing an account, and what belongs to none.
      [
        'accounts',
        'api_keys',
        'challenges',
        'oauth_clients',
        'schema_versions',
        'sign_in_failures',
      ],
    );
  });

  it('has grants that can run again', async (t) => {
    const { owner } = await enter(t);
    await owner.query(readerSql());
    await owner.query(readerSql());
    const { rows } = await owner.query(`
      SELECT rolcanlogin, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = 'memory_reader'`);
    assert.deepEqual(rows, [{ rolcanlogin: true, rolsuper: false, rolbypassrls: false }]);
  });
});

describe('Serving from PostgreSQL', { skip: onlyPostgres }, () => {
  const warnings = async (address: string) => {
    const heard: string[] = [];
    const log = { error: () => {}, warn: (_: object, message: string) => void heard.push(message) };
    await (await connectGateway({ database: address, log })).close();
    return heard;
  };

  it('warns about a user who can write or bypass row-level security, and says which user to use', async (t) => {
    const { database, owner } = await enter(t);
    assert.deepEqual(await warnings(readerAddress(database)), []);
    assert.deepEqual(await warnings(appAddress(database)), []);
    for (const address of [database]) {
      const [sentence = '', ...others] = await warnings(address);
      assert.match(
        sentence,
        /may write and is not bound by row-level security; .*scripts\/deploy\/postgres\.sql/,
      );
      assert.deepEqual(others, []);
    }
    await owner.query(`
      CREATE ROLE half LOGIN; GRANT USAGE ON SCHEMA memory_gateway TO half;
      GRANT SELECT ON ALL TABLES IN SCHEMA memory_gateway TO half;
      GRANT UPDATE (disabled_at) ON memory_gateway.accounts TO half`);
    try {
      const [half = ''] = await warnings(database.replace('//postgres@', '//half@'));
      assert.match(half, / may write; serve/);
    } finally {
      await owner.query('DROP OWNED BY half; DROP ROLE half');
    }
  });

  it('writes nothing, even as a user who can', async (t) => {
    const { database } = await enter(t);
    const { connect } = await import('../../src/store/postgres/servers/connection.ts');
    const connections = await connect(database, { isReadOnly: true });
    t.after(() => connections.close());
    await assert.rejects(
      connections.withClient((client) => client.query('DELETE FROM memory_gateway.memories')),
      /is read-only here/,
    );
  });
});

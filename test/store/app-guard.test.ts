// What the app's store writes: no statement on its connections can touch a memory, whoever the user of the database is.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { toStored } from '../../src/embeddings/numbers.ts';
import type { AppAccess } from '../../src/store/app/access.ts';
import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { createAccess } from '../../src/store/postgres/app/open.ts';
import { connect } from '../../src/store/postgres/servers/connection.ts';
import { build, query, type NamedQuery, type Slot } from '../../src/store/sql/query.ts';
import { guardWrites } from '../../src/store/sqlite/app/guard.ts';
import { openAccess } from '../../src/store/sqlite/app/open.ts';
import { openFile } from '../../src/store/sqlite/connection.ts';
import { appAddress } from '../support/engines/database-addresses.ts';
import { engine, onlyFiles, onlyPostgres } from '../support/engines/engine.ts';
import { createApp } from '../support/world/app-store.ts';
import { fullDetails } from '../support/world/details.ts';
import { memory } from '../support/world/world.ts';

const APP_TABLES =
  'sessions sign_in_links challenges passkeys passwords sign_in_failures account_events api_keys ' +
  'grants grant_tokens oauth_clients pulls shares bookmarks searches key_reads';

/** The transactions of the app: as its own user, and on PostgreSQL also as the owner of the tables. */
async function accessesOf(t: TestContext, database: string): Promise<AppAccess[]> {
  if (onlyPostgres !== false) {
    const { access, close } = openAccess(database);
    t.after(close);
    return [access];
  }
  return Promise.all(
    [appAddress(database), database].map(async (address) => {
      const connections = await connect(address);
      t.after(() => connections.close());
      return createAccess(connections);
    }),
  );
}

/** A database with a memory, a source and a key of `ana`, and the names of its tables. */
async function createGuarded(t: TestContext) {
  const { database, writer } = await createApp(t);
  const one = memory({ id: 'one', transcript: 'Ana: Quokkas.' });
  writer.memories.putReady([prepareMemory('ana', one, fullDetails())]);
  writer.keys.create({ account_id: 'ana', label: 'laptop', expires_at: null });
  const kind = { account_id: 'ana', model: 'test', cut: 1 };
  for (const { id, body_sha256 } of writer.vectors.pending({ ...kind, after: '', limit: 1 }))
    writer.vectors.put({
      ...kind,
      ...toStored([[1, -2, 3, -4, 5, -6, 7, -8]]),
      memory_id: id,
      body_sha256,
    });
  writer.memories.put('ana', memory({ id: 'gone' }));
  await writer.bin.put({ account_id: 'ana', ids: ['gone'], agent: 'command line' });
  const run = '01a2b3c4-d5e6-7f80-9a1b-2c3d4e5f6071';
  engine.edit(
    database,
    `INSERT INTO sources (account_id, name, kind, settings, state, run, started_at, active_at)
       VALUES ('ana', 's', 'pull', '{}', '{}', '${run}', 0, 0);
     INSERT INTO source_memories VALUES ('ana', 's', 'one', '1');
     INSERT INTO watched_files VALUES ('ana', 's', '/a', 0, 0, '', 'imported', NULL, 0);
     INSERT INTO corrections VALUES ('ana', '${run}', 'one', 'name', NULL, 'Marsupials', 0);
     INSERT INTO uncorrected VALUES ('ana', 'one', '${'0'.repeat(64)}', 0, ${onlyPostgres === false ? "''::bytea" : "x''"})`,
  );
  const names = engine.edit(
    database,
    onlyPostgres === false
      ? `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'memory_gateway'`
      : `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
  );
  const tables = names.map(({ name }) => String(name));
  // The tables of the index are read instead of the index itself.
  const readable = tables.filter((name) => name !== 'search');
  const contents = () => readable.map((name) => engine.edit(database, `SELECT * FROM ${name}`));
  return { database, tables, contents };
}

/** Writes of every kind to a table. */
function writesTo(table: string): NamedQuery<object, unknown>[] {
  const name = table as 'memories';
  return [
    query((_: Slot<object>) => build.deleteFrom(name)),
    query((_: Slot<object>) => build.updateTable(name).set((eb) => ({ account_id: eb.val('bo') }))),
    query((_: Slot<object>) => build.insertInto(name).defaultValues()),
  ];
}

describe('The app', () => {
  it('can write none but its own tables', async (t) => {
    const { database, tables, contents } = await createGuarded(t);
    const before = contents();
    const others = tables.filter((name) => !APP_TABLES.split(' ').includes(name));
    assert.ok(others.includes('memories') && others.includes('changes') && others.length >= 8);
    for (const access of await accessesOf(t, database))
      for (const table of others)
        for (const write of writesTo(table))
          await assert.rejects(
            access.write({ account_id: 'ana' }, async ({ prepare }) => prepare(write).run({})),
            // A table without this column has no row of an account.
            /cannot run this statement|the app cannot write|does not allow|cannot be used|lacks a column/,
            `${table}: ${write.sql}`,
          );
    assert.deepEqual(contents(), before);
  });

  it(
    'cannot write the index of words by a name of its own, nor change the schema',
    { skip: onlyFiles },
    async (t) => {
      const { database, contents } = await createGuarded(t);
      const before = contents();
      const db = openFile(database, 'write');
      t.after(() => db.close());
      const { prepare } = guardWrites(db);
      for (const sql of [
        `insert into "main"."search" ("search") values ('delete-all')`,
        `insert into search (search) values ('delete-all')`,
        'with a as (select 1) delete from "memories"',
        'drop table "memories"',
        'create table "more" ("a")',
        'pragma user_version = 1',
        'vacuum',
      ]) {
        const wrong = { sql, slots: [], compileBy: () => assert.fail() };
        assert.throws(() => prepare(wrong).run({}), /The app cannot run this statement/, sql);
      }
      assert.deepEqual(contents(), before);
    },
  );

  it('is refused by SQLite itself if a statement gets that far', { skip: onlyFiles }, async (t) => {
    const { database, tables, contents } = await createGuarded(t);
    const before = contents();
    const db = openFile(database, 'write');
    t.after(() => db.close());
    guardWrites(db);
    const guarded = tables.filter(
      (name) => !APP_TABLES.includes(name) && !/^search(_|$)/.test(name),
    );
    for (const table of [...guarded, 'search_weeks'])
      for (const sql of [
        `DELETE FROM ${table}`,
        `UPDATE ${table} SET account_id = account_id`,
        `INSERT INTO ${table} SELECT * FROM ${table}`,
      ].map((each) => (table === 'accounts' ? each.replaceAll('account_id', 'name') : each)))
        assert.throws(() => db.exec(sql), { code: 'SQLITE_CONSTRAINT_TRIGGER' }, sql);
    // Deletions that come about by others: an account's row has references.
    assert.throws(() => db.exec(`REPLACE INTO accounts SELECT * FROM accounts`));
    assert.deepEqual(contents(), before);
  });

  it('writes its own tables, in which a trigger would show', async (t) => {
    const { database } = await createGuarded(t);
    for (const access of await accessesOf(t, database)) {
      const touch = query((_: Slot<object>) =>
        build.updateTable('api_keys').set((eb) => ({ last_used_at: eb.lit(5) })),
      );
      assert.equal(await access.write({}, async ({ prepare }) => prepare(touch).run({})), 1);
    }
  });
});

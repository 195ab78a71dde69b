// Migrations of PostgreSQL: databases of earlier schemas, with rows in every table, while the old program reads them.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';

import { engineOf } from '../../src/store/engines.ts';
import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { toPostgresRow } from '../../src/store/postgres/batches.ts';
import { migratePostgres, POSTGRES_VERSION } from '../../src/store/postgres/migrations.ts';
import { Refusal } from '../../src/store/refusal.ts';
import { listMigrations, readSql } from '../../src/store/sql/migrations.ts';
import { fillingOf } from '../support/damage/old-rows.ts';
import { adminAddress, databaseAddress } from '../support/engines/database-addresses.ts';
import { onlyPostgres } from '../support/engines/engine.ts';
import { memories } from '../support/world/world.ts';

/** The last schema before originals and details, and the last one before reads of OAuth clients. */
const EARLIER = [6, 16];
const NAMES = listMigrations('postgres').map(({ name }) => name);

/** Opens a connection until the test ends. */
async function openOther(t: TestContext, address: string): Promise<Client> {
  const client = new Client(address);
  client.on('error', () => {}); // its back end may be terminated
  await client.connect();
  t.after(() => client.end());
  return client;
}

/** Creates a database of an earlier schema, with memories and a row in the other tables. Returns its address and a connection. */
async function createEarlier(t: TestContext, schema: number) {
  const name = `earlier_${randomUUID().replaceAll('-', '')}`;
  const admin = new Client(adminAddress());
  await admin.connect();
  t.after(async () => {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  });
  await admin.query(`CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`);
  const database = databaseAddress(name);
  const old = await openOther(t, database);
  for (const each of listMigrations('postgres').slice(0, schema)) {
    await old.query(`BEGIN; ${readSql('postgres', each.name)}; COMMIT`);
    await old.query('INSERT INTO memory_gateway.schema_versions VALUES ($1, $2)', [
      each.version,
      each.name,
    ]);
  }
  await old.query(`SET search_path = memory_gateway;
    INSERT INTO accounts (id, name, created_at, created_by) VALUES ('ana', 'Ana', 1, 'command line')`);
  for (const each of memories(40, 2000)) {
    const row = toPostgresRow(prepareMemory('ana', each));
    const columns = Object.keys(row);
    const places = columns.map((_, i) => `$${i + 1}`);
    await old.query(
      `INSERT INTO memories (${columns.join()}) VALUES (${places.join()})`,
      Object.values(row),
    );
  }
  const { rows } = await old.query<{ table: string; columns: string[] }>(
    `SELECT table_name AS table, array_agg(column_name::text) AS columns
    FROM information_schema.columns WHERE table_schema = 'memory_gateway' GROUP BY 1`,
  );
  const columns = new Map(rows.map((each) => [each.table, each.columns]));
  await old.query(fillingOf(columns));
  columns.delete('schema_versions'); // the one table that a migration adds rows to
  return { database, old, columns };
}

/** Returns all rows, of these columns of these tables. */
async function rowsOf(client: Client, columns: ReadonlyMap<string, readonly string[]>) {
  const all: [string, unknown[]][] = [];
  for (const [table, names] of columns) {
    const { rows } = await client.query(
      `SELECT ${names.join()} FROM memory_gateway.${table} ORDER BY 1, 2, 3`,
    );
    all.push([table, rows]);
  }
  return new Map(all);
}

async function versionOf(client: Client): Promise<number> {
  const { rows } = await client.query(
    'SELECT max(version) AS v FROM memory_gateway.schema_versions',
  );
  return rows[0].v;
}

for (const schema of EARLIER)
  describe(`A PostgreSQL database of schema ${schema}`, { skip: onlyPostgres }, () => {
    it('keeps every row of every table, and verify finds nothing', async (t) => {
      const { database, old, columns } = await createEarlier(t, schema);
      const before = await rowsOf(old, columns);
      for (const table of ['memories', 'changes', 'api_keys', 'sessions', 'grants', 'sources'])
        assert.notDeepEqual(before.get(table), [], table);
      assert.equal(before.get('key_reads')?.length, schema === 16 ? 1 : undefined);
      assert.deepEqual(await migratePostgres(database), NAMES.slice(schema));
      assert.deepEqual(await rowsOf(old, columns), before);
      assert.deepEqual((await engineOf(database).verify()).findings, []);
      assert.deepEqual(await migratePostgres(database), [], 'once');
    });
  });

describe('A migration of PostgreSQL', { skip: onlyPostgres }, () => {
  it('waits for the reads of the old program, which go on with the same rows afterwards', async (t) => {
    const { database, old, columns } = await createEarlier(t, 6);
    const before = await rowsOf(old, columns);
    await old.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const first = await rowsOf(old, columns);
    const migrating = migratePostgres(database);
    await sleep(500);
    assert.deepEqual(await rowsOf(old, columns), first, 'in the middle of a read');
    await old.query('COMMIT');
    assert.deepEqual(await migrating, NAMES.slice(6));
    assert.deepEqual(await rowsOf(old, columns), before);
  });

  it('that waits too long for another program, or is killed, leaves the database as it was', async (t) => {
    const { database, old, columns } = await createEarlier(t, 6);
    const before = await rowsOf(old, columns);
    const other = await openOther(t, database);
    await other.query('BEGIN; LOCK TABLE memory_gateway.memories');
    await assert.rejects(migratePostgres(database), (error) => {
      assert.ok(error instanceof Refusal);
      assert.match(error.message, /locked by another program/);
      return true;
    });
    assert.equal(await versionOf(old), 6);

    const killed = assert.rejects(migratePostgres(database));
    const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    let pids: { pid: number }[] = [];
    while (pids.length === 0) ({ rows: pids } = await old.query(waiting));
    await old.query('SELECT pg_terminate_backend($1)', [pids[0]?.pid]);
    await killed;
    await other.query('ROLLBACK');
    assert.equal(await versionOf(old), 6);
    assert.deepEqual(await rowsOf(old, columns), before);

    assert.deepEqual(await migratePostgres(database), NAMES.slice(6));
    assert.equal(await versionOf(old), POSTGRES_VERSION);
    assert.deepEqual(await rowsOf(old, columns), before);
  });
});

// A dump put back as docs/howto/postgres.md says: nobody is signed in, and everything else is there.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';

import { MOMENTARY_TABLES } from '../../src/store/sqlite/files/drop-sessions.ts';
import { fillingOf } from '../support/damage/old-rows.ts';
import { databaseAddress } from '../support/engines/database-addresses.ts';
import { engine, onlyPostgres } from '../support/engines/engine.ts';
import { call } from '../support/engines/sync-postgres.ts';
import { blockWith } from '../support/manual/code.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { PROGRAM_WORDS } from '../support/world/program.ts';
import { memory } from '../support/world/world.ts';

const OWNER = 'postgres://owner@host';

describe('A dump of PostgreSQL that is put back as the manual says', { skip: onlyPostgres }, () => {
  it('has memories, keys and ways to sign in, and nothing that has ended since', async (t) => {
    const database = engine.create(t, '');
    const writer = engine.write(t, database);
    writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
    writer.memories.put('ana', memory({ id: 'm001' }));
    fill(database);
    const before = countsOf(database);
    for (const table of MOMENTARY_TABLES) assert.equal(before[table], 1, table);

    const name = `restored_${randomUUID().replaceAll('-', '')}`;
    const restored = databaseAddress(name);
    t.after(() => call('drop', restored));
    const lines = blockWith('pg_restore')
      .replaceAll(`${OWNER}/memories`, database)
      .replaceAll(`${OWNER}/restored`, restored)
      .replace('UTF8 restored', `UTF8 --template template0 ${name}`);
    const { hostname, port, username } = new URL(database);
    const { status, stderr } = spawnSync(
      'bash',
      ['-e', '-c', `memory-gateway() { ${PROGRAM_WORDS.join(' ')} "$@"; }\n${lines}`],
      {
        cwd: newFolder(),
        env: { ...process.env, PGHOST: hostname, PGPORT: port, PGUSER: username },
        encoding: 'utf8',
      },
    );
    assert.equal(status, 0, stderr);
    const ended = Object.fromEntries(MOMENTARY_TABLES.map((table) => [table, 0]));
    assert.deepEqual(countsOf(restored), { ...before, ...ended });
  });
});

/** Puts a row into each table that the app writes. */
function fill(database: string): void {
  const rows = engine.edit(
    database,
    `SELECT table_name AS name, array_agg(column_name::text) AS columns
    FROM information_schema.columns WHERE table_schema = 'memory_gateway' GROUP BY 1`,
  );
  const columns = new Map(rows.map((row) => [String(row['name']), row['columns'] as string[]]));
  engine.edit(database, fillingOf(columns));
}

/** Returns the number of rows in each table. */
function countsOf(database: string): Record<string, number> {
  const tables = engine.edit(
    database,
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'memory_gateway' ORDER BY 1",
  );
  const counts = tables.map((row) => {
    const name = String(row['name']);
    const [counted] = engine.edit(
      database,
      `SELECT count(*)::int AS n FROM memory_gateway.${name}`,
    );
    return [name, Number(counted?.['n'])] as const;
  });
  return Object.fromEntries(counts);
}

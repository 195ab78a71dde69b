// Copying by rows: a database of PostgreSQL as the side of a copy that is read, or that is written.

import { showDatabase } from '../address.ts';
import { readsOf } from '../copy/reads.ts';
import { explained, type Side, type Target } from '../copy/side.ts';
import { readSql } from '../migrations.ts';
import type { Client } from './asking.ts';
import { buildPostgres as build } from './build.ts';
import { connect } from './driver.ts';
import { explainPostgres } from './errors.ts';
import { memoryWrites } from './memories.ts';
import { migratePostgres } from './migrate.ts';
import { requireSchema, schemaOf } from './schema.ts';
import { connectionTo } from './writer.ts';

/** How long a statement may take, and a side wait for the other one. */
const OPTIONS = { connections: 2, statementMs: 600_000 };

/** As a dump of PostgreSQL does: who would see only some of the rows is refused, and is not given less in silence. */
const seeAll = build
  .selectNoFrom((eb) =>
    eb.fn('set_config', [eb.val('row_security'), eb.val('off'), eb.lit(true)]).as('row_security'),
  )
  .compile();

/** Reads one state of a database, primary or replica, which others may read and write meanwhile. Fails with `Refusal`. */
export async function fromPostgres<T>(
  address: string,
  work: (source: Side, at: number) => Promise<T>,
): Promise<T> {
  const connections = await connect(address, OPTIONS);
  try {
    await requireSchema(connections);
    return await connections.withClient(async (client) => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await client.query(seeAll.sql, [...seeAll.parameters]); // the first read takes the snapshot
      const result = await work(sideOf(client, address), Date.now());
      await client.query('COMMIT');
      return result;
    });
  } finally {
    await connections.close();
  }
}

/** Writes a database, whose schema is made where there is none. Fails with `Refusal`. */
export async function intoPostgres<T>(
  address: string,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  const connections = await connect(address, OPTIONS);
  try {
    if ((await schemaOf(connections)) === 0) await migratePostgres(address);
    await requireSchema(connections);
    return await connections.withClient((client) => work(targetOf(client, address)));
  } finally {
    await connections.close();
  }
}

function sideOf(client: Client, address: string): Side {
  const connection = explained(connectionTo(client), (error) => explainPostgres(error, address));
  return { name: showDatabase(address), connection, reads: readsOf(connection) };
}

function targetOf(client: Client, address: string): Target {
  const side = sideOf(client, address);
  const memories = memoryWrites(client, side.connection);
  return {
    ...side,
    makeNotes: () => client.query(readSql('postgres', 'copy/copies.sql')),
    put: (all) => memories.putReady(all),
    delete: (account_id, id) => memories.delete(account_id, id),
  };
}

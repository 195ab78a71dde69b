// A PostgreSQL database as source or target of a copy.

import type { CopyWrites } from '../copy/tables.ts';
import { readSql } from '../sql/migrations.ts';
import type { Connection } from '../sql/query.ts';
import { memoryWrites } from './memories.ts';
import { migratePostgres, requireSchema, schemaOf } from './migrations.ts';
import { connect } from './servers/connection.ts';
import { postgresQuery as build } from './statements.ts';
import { connectionTo } from './writer.ts';

/** The timeout covers a statement, and a side's wait for the other side. */
const OPTIONS = { connections: 2, statementMs: 600_000 };

/** As pg_dump does: PostgreSQL then refuses a user who would see only some of the rows. */
const seeAll = build
  .selectNoFrom((eb) =>
    eb.fn('set_config', [eb.val('row_security'), eb.val('off'), eb.lit(true)]).as('row_security'),
  )
  .compile();

/** Opens a snapshot of a primary or replica as the source. Rejects with `Refusal`. */
export async function fromPostgres<T>(
  address: string,
  work: (source: Connection, at: number) => Promise<T>,
): Promise<T> {
  const connections = await connect(address, OPTIONS);
  try {
    await requireSchema(connections);
    return await connections.withClient(async (client) => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await client.query(seeAll.sql, [...seeAll.parameters]); // the first read takes the snapshot
      const result = await work(connectionTo(client), Date.now());
      await client.query('COMMIT');
      return result;
    });
  } finally {
    await connections.close();
  }
}

/** Opens a database as the target. Creates the schema if there is none. Rejects with `Refusal`. */
export async function intoPostgres<T>(
  address: string,
  work: (target: CopyWrites) => Promise<T>,
): Promise<T> {
  const connections = await connect(address, OPTIONS);
  try {
    if ((await schemaOf(connections)) === 0) await migratePostgres(address);
    await requireSchema(connections);
    return await connections.withClient((client) => {
      const connection = connectionTo(client);
      const memories = memoryWrites(client, connection);
      return work({
        connection,
        createJournalTable: () => client.query(readSql('postgres', 'copy/copies.sql')),
        put: (all) => memories.putReady(all),
        delete: (account_id, id) => memories.delete(account_id, id),
      });
    });
  } finally {
    await connections.close();
  }
}

// Brings the schema of a PostgreSQL database up to date: all missing migrations are applied, or none.

import { showDatabase } from '../address.ts';
import { migrationsOf, readSql } from '../migrations.ts';
import { Refusal } from '../refusal.ts';
import type { Client } from './asking.ts';
import { buildPostgres as build } from './build.ts';
import { connect } from './driver.ts';
import { otherSchema } from './errors.ts';
import { POSTGRES_VERSION, schemaOf } from './schema.ts';

/** How long it waits for another that migrates, or for who reads a table: all others wait behind it. */
const LOCK_MS = 10_000;

/**
 * Makes the schema, or brings it up to date, unless it is to be made alone; returns the names of what was
 * applied. Fails with `Refusal`.
 */
export async function migratePostgres(
  address: string,
  { onlyNew = false } = {},
): Promise<string[]> {
  const connections = await connect(address, {
    connections: 2,
    statementMs: 0,
    lockMs: LOCK_MS,
  });
  try {
    return await connections.withClient(async (client) => {
      await requireUnicode(client, address);
      await client.query('BEGIN');
      // One at a time: who comes second finds nothing to do.
      await client.query(lock.sql);
      const found = await schemaOf(connections);
      if (found > POSTGRES_VERSION) throw otherSchema(address, found, POSTGRES_VERSION);
      const isLeft = onlyNew && found > 0;
      const missing = migrationsOf('postgres').filter(({ version }) => version > found && !isLeft);
      for (const { name, version } of missing) {
        await client.query(readSql('postgres', name));
        const note = build.insertInto('schema_versions').values({ version, name }).compile();
        await client.query(note.sql, [...note.parameters]);
      }
      await client.query('COMMIT');
      return missing.map(({ name }) => name);
    });
  } finally {
    await connections.close();
  }
}

/** The bytes of "MemG", as those of a file of SQLite begin. */
const lock = build
  .selectNoFrom((eb) => eb.fn('pg_advisory_xact_lock', [eb.lit(0x4d656d47)]).as('locked'))
  .compile();

async function requireUnicode(client: Client, address: string): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('SHOW server_encoding');
  const encoding = rows[0]?.server_encoding;
  if (encoding === 'UTF8') return;
  throw new Refusal(
    `${showDatabase(address)} is encoded in ${encoding}, which has no place for all languages; create a database in UTF8.`,
  );
}

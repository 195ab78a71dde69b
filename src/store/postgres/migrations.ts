// Migrations of a PostgreSQL database: reads the schema version, and applies what is missing.

import { showDatabase } from '../address.ts';
import { Refusal } from '../refusal.ts';
import { listMigrations, readSql } from '../sql/migrations.ts';
import { wrongSchema } from './errors.ts';
import * as reads from './reads.ts';
import type { ConnectionPool, Client } from './servers/connection.ts';
import { connect } from './servers/connection.ts';
import { prepare, postgresQuery as build } from './statements.ts';

/** The schema version of this program. */
export const POSTGRES_VERSION = listMigrations('postgres').at(-1)?.version ?? 0;

const versionQuery = prepare(reads.schemaVersion);

/** Reads the schema version of a database. 0 if it was never migrated. */
export async function schemaOf(connections: ConnectionPool): Promise<number> {
  try {
    const [row] = await connections.query(versionQuery(), {});
    return row?.version ?? 0;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'missing' && isNotMade(error)) return 0;
    throw error;
  }
}

/** Rejects with `Refusal` if a database has another schema version than this program. */
export async function requireSchema(connections: ConnectionPool): Promise<void> {
  const found = await schemaOf(connections);
  if (found !== POSTGRES_VERSION) throw wrongSchema(connections.address, found, POSTGRES_VERSION);
}

/** Returns whether the schema is missing, rather than the database. */
function isNotMade({ cause }: Refusal): boolean {
  return ['42P01', '3F000'].includes((cause as { code?: string }).code ?? '');
}

/** The lock timeout. While this waits, all other statements on the table wait behind it. */
const LOCK_MS = 10_000;

/**
 * Creates the schema or updates it. With `onlyNew`, an existing schema stays as it is. Returns the names
 * of the applied migrations. Rejects with `Refusal`.
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
      // One migration at a time. A second one then finds nothing to do.
      await client.query(lock.sql);
      const found = await schemaOf(connections);
      if (found > POSTGRES_VERSION) throw wrongSchema(address, found, POSTGRES_VERSION);
      const isLeft = onlyNew && found > 0;
      const missing = listMigrations('postgres').filter(
        ({ version }) => version > found && !isLeft,
      );
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

/** "MemG" as a number, which is also the application id of our SQLite files. */
const lock = build
  .selectNoFrom((eb) => eb.fn('pg_advisory_xact_lock', [eb.lit(0x4d656d47)]).as('locked'))
  .compile();

async function requireUnicode(client: Client, address: string): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('SHOW server_encoding');
  const encoding = rows[0]?.server_encoding;
  if (encoding === 'UTF8') return;
  throw new Refusal(
    `${showDatabase(address)} has encoding ${encoding}, which cannot store all languages. Create a database with encoding UTF8.`,
  );
}

// The servers of PostgreSQL that a run of the tests has: started before the first test, stopped behind the last.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { migratePostgres } from '../../src/store/postgres/migrate.ts';
import { adminAddress, databaseAddress } from './addresses.ts';
import { hasPostgres, startPrimary, startStandby, type Server } from './cluster.ts';
import { ROOT } from './program.ts';

/** A database with our schema and nothing in it, which those of the tests are copies of. */
export const TEMPLATE = 'template_of_tests';

/** The SQL that makes this user, as it is shipped. */
export function readerSql(): string {
  return readFileSync(join(ROOT, 'scripts', 'deploy', 'postgres.sql'), 'utf8');
}

/** Starts a primary, and a standby where one is to be read from, and tells test processes of them; returns how they are stopped. */
export async function startServers(folder: string): Promise<() => void> {
  if (!hasPostgres) throw new Error('PostgreSQL 15 is not on this machine; install postgresql-15.');
  const servers: Server[] = [];
  const stop = () => {
    for (const server of servers.toReversed()) server.stop('immediate');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const primary = await startPrimary(join(folder, 'primary'));
    servers.push(primary);
    process.env['TEST_PRIMARY'] = primary.address('').replace(/\/$/, '');
    await makeTemplate();
    if (process.env['ENGINE'] !== 'replica') return stop;
    const standby = await startStandby(primary, join(folder, 'standby'), 'standby');
    servers.push(standby);
    process.env['TEST_STANDBY'] = standby.address('').replace(/\/$/, '');
    return stop;
  } catch (error) {
    stop();
    throw error;
  }
}

async function makeTemplate(): Promise<void> {
  const { Client } = await import('pg');
  const client = new Client(adminAddress());
  await client.connect();
  await client.query(`CREATE DATABASE ${TEMPLATE} ENCODING 'UTF8' TEMPLATE template0`);
  await client.end();
  await migratePostgres(databaseAddress(TEMPLATE));
  const template = new Client(databaseAddress(TEMPLATE));
  await template.connect();
  await template.query(readerSql());
  await template.end();
}

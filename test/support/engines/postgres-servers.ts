// The PostgreSQL servers of a test run, started before the first test and stopped after the last.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { migratePostgres } from '../../../src/store/postgres/migrations.ts';
import { ROOT } from '../world/program.ts';
import { adminAddress, databaseAddress } from './database-addresses.ts';
import { hasPostgres, startPrimary, startStandby, type Server } from './postgres-cluster.ts';

/** An empty database with our schema, from which the databases of tests are copied. */
export const TEMPLATE = 'template_of_tests';

/** Returns the shipped SQL that creates this user. */
export function readerSql(): string {
  return readFileSync(join(ROOT, 'scripts', 'deploy', 'postgres.sql'), 'utf8');
}

/**
 * Starts a primary, and a standby if reads go to one, and sets the environment for test processes.
 * Returns the function that stops them.
 */
export async function startServers(folder: string): Promise<() => Promise<void>> {
  if (!hasPostgres) throw new Error('PostgreSQL 15 is not on this machine; install postgresql-15.');
  const servers: Server[] = [];
  const stop = async () => {
    for (const server of servers.toReversed()) await server.stop('immediate');
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
    await stop();
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

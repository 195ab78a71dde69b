// A server of PostgreSQL of a test's own, with memories on it: it may be stopped, paused and killed.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

import type { Client } from '../../src/store/postgres/asking.ts';
import { connect } from '../../src/store/postgres/driver.ts';
import { migratePostgres } from '../../src/store/postgres/migrate.ts';
import { withWriter } from '../../src/store/writer.ts';
import { hasPostgres, startPrimary, startStandby, type Server } from './cluster.ts';
import { issued } from './left.ts';
import { kill } from './supervised.ts';
import { memories } from './world.ts';

/** Why a trial is skipped that wants a server, where it is: loudly, as what is not tried is not known. */
export const noPostgres = hasPostgres
  ? false
  : 'NOT TRIED: PostgreSQL 15 is not here; apt-get install postgresql-15';

/** A server that is harmed, and what is on it. */
export interface Own {
  readonly primary: Server;
  /** Starts a standby of it, which ends with it. */
  readonly startStandby: () => Promise<Server>;
  /** The address of its database. */
  readonly database: string;
  /** Of the account `ana`, which has sixty memories, and stays as it is. */
  readonly key: string;
  /** Of the account `bo`, which is written. */
  readonly written: string;
}

/** Starts a server of its own that ends with its test, in whatever state that leaves it. */
export async function startOwn(t: TestContext): Promise<Own> {
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-own-'));
  const servers: Server[] = [];
  // In this order, which hooks of their own would not have: without its folder a server cannot be told to stop.
  t.after(() => {
    for (const server of servers.toReversed()) endServer(server);
    rmSync(folder, { recursive: true, force: true });
  });
  const primary = await startPrimary(join(folder, 'primary'));
  servers.push(primary);
  await asAdmin(primary, (admin) => admin.query('CREATE DATABASE memories TEMPLATE template0'));
  const database = primary.address('memories');
  await migratePostgres(database);
  const keys = await withWriter(database, async ({ accounts, keys: issue, memories: put }) => {
    const made: string[] = [];
    for (const id of ['ana', 'bo']) {
      await accounts.create({ id, name: id, created_by: 'command line' });
      const { key } = await issue.create({ account_id: id, label: 'test', expires_at: null });
      made.push(issued(key));
    }
    await put.putAll('ana', memories(60, 3000));
    return made;
  });
  const [key = '', written = ''] = keys;
  const addStandby = async () => {
    const standby = await startStandby(primary, join(folder, 'standby'), 'own');
    servers.push(standby);
    return standby;
  };
  return { primary, startStandby: addStandby, database, key, written };
}

/** Ends a server that may be paused, or have ended. */
function endServer(server: Server): void {
  try {
    signal(server, 'SIGCONT');
    server.stop('immediate');
  } catch {
    // It has ended.
  }
}

/** Sends a signal to all processes of a server: SIGSTOP pauses it, and it answers nothing. */
export function signal(server: Server, name: NodeJS.Signals): void {
  for (const pid of server.pids()) kill(pid, name);
}

/** Does work on a server as who may do all. */
export async function asAdmin<T>(
  server: Server,
  work: (client: Client) => Promise<T>,
  database = 'postgres',
): Promise<T> {
  const connections = await connect(server.address(database), { connections: 1 });
  try {
    return await connections.withClient(work);
  } finally {
    await connections.close();
  }
}

/** The ids of the back ends that gateways have on a server. */
export function backEnds(server: Server): Promise<number[]> {
  return asAdmin(server, async (admin) => {
    const { rows } = await admin.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = 'memories' AND pid <> pg_backend_pid() ORDER BY pid`,
    );
    return rows.map(({ pid }) => pid);
  });
}

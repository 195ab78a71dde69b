// A PostgreSQL server with memories for one test, which can stop, pause and kill it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

import { engineOf } from '../../../src/store/engines.ts';
import { migratePostgres } from '../../../src/store/postgres/migrations.ts';
import type { Client } from '../../../src/store/postgres/servers/connection.ts';
import { connect } from '../../../src/store/postgres/servers/connection.ts';
import { kill } from '../processes/socket-activation.ts';
import { issued } from '../world/artifacts.ts';
import { memories } from '../world/world.ts';
import { hasPostgres, startPrimary, startStandby, type Server } from './postgres-cluster.ts';

/**
 * The reason to skip a test that needs a server. It is in capitals, so that a missing server is
 * noticed.
 */
export const noPostgres = hasPostgres
  ? false
  : 'NOT TRIED: PostgreSQL 15 is not here; apt-get install postgresql-15';

/** A server for one test, and the keys on it. */
export interface Own {
  readonly primary: Server;
  /** Starts a standby of the server, which stops together with it. */
  readonly startStandby: () => Promise<Server>;
  /** The address of its database. */
  readonly database: string;
  /** Key of the account `ana`, whose sixty memories never change. */
  readonly key: string;
  /** Key of the account `bo`, whose memories change. */
  readonly written: string;
}

/** Starts a server for one test and stops it after the test, in any state. */
export async function startOwn(t: TestContext): Promise<Own> {
  // In memory, if the files of the run are.
  const folder = mkdtempSync(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'memory-gateway-own-'));
  const servers: Server[] = [];
  // One hook keeps this order: a server whose folder is gone cannot be stopped.
  t.after(async () => {
    for (const server of servers.toReversed()) await endServer(server);
    rmSync(folder, { recursive: true, force: true });
  });
  const primary = await startPrimary(join(folder, 'primary'));
  servers.push(primary);
  await asAdmin(primary, (admin) => admin.query('CREATE DATABASE memories TEMPLATE template0'));
  const database = primary.address('memories');
  await migratePostgres(database);
  const keys = await engineOf(database).withWriter(
    async ({ accounts, keys: issue, memories: put }) => {
      const made: string[] = [];
      for (const id of ['ana', 'bo']) {
        await accounts.create({ id, name: id, created_by: 'command line' });
        const { key } = await issue.create({ account_id: id, label: 'test', expires_at: null });
        made.push(issued(key));
      }
      await put.putAll('ana', memories(60, 3000));
      return made;
    },
  );
  const [key = '', written = ''] = keys;
  const addStandby = async () => {
    const standby = await startStandby(primary, join(folder, 'standby'), 'own');
    servers.push(standby);
    return standby;
  };
  return { primary, startStandby: addStandby, database, key, written };
}

/** Stops a server that may be paused, or stopped already. */
async function endServer(server: Server): Promise<void> {
  try {
    signal(server, 'SIGCONT');
    await server.stop('immediate');
  } catch {
    // The process has ended.
  }
}

/** Sends a signal to all processes of a server. SIGSTOP pauses it. */
export function signal(server: Server, name: NodeJS.Signals): void {
  for (const pid of server.pids()) kill(pid, name);
}

/** Runs statements on a server as its administrator. */
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

/** Returns the process ids of the connections that gateways have to a server. */
export function backEnds(server: Server): Promise<number[]> {
  return asAdmin(server, async (admin) => {
    const { rows } = await admin.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = 'memories' AND pid <> pg_backend_pid() ORDER BY pid`,
    );
    return rows.map(({ pid }) => pid);
  });
}

// PostgreSQL servers to measure with: a primary with memories and its standby, created for one measurement.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { migratePostgres } from '../../src/store/postgres/migrations.ts';
import { withPostgresWriter } from '../../src/store/postgres/writer.ts';
import {
  hasPostgres,
  startPrimary,
  startStandby,
  type Server,
} from '../../test/support/engines/postgres-cluster.ts';
import { generate } from '../generate.ts';
import type { Data } from './data.ts';

/** Two servers with the same memories, and the values for requests. */
export interface Distant extends Pick<Data, 'key' | 'account'> {
  readonly primary: string;
  /** It starts with all data of the primary. */
  readonly standby: string;
  /** The id of a memory. */
  readonly id: string;
}

/** The reason why PostgreSQL cannot be measured here, if any. */
export function lackOfPostgres(): string | undefined {
  if (hasPostgres) return undefined;
  return 'PostgreSQL 15 is not on this machine. On Debian: apt-get install postgresql-15';
}

const MEMORIES = 1000;
const SIZE = 4000;

/** Runs a function with new servers, and always stops them. */
export async function withPostgres<T>(work: (distant: Distant) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-bench-'));
  const servers: Server[] = [];
  try {
    const primary = await startPrimary(join(folder, 'primary'));
    servers.push(primary);
    const filled = await fill(primary.address('postgres'));
    const standby = await startStandby(primary, join(folder, 'standby'), 'bench');
    servers.push(standby);
    return await work({
      ...filled,
      primary: primary.address('postgres'),
      standby: standby.address('postgres'),
    });
  } finally {
    for (const server of servers.toReversed()) server.stop('immediate');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(address: string): Promise<Pick<Distant, 'account' | 'key' | 'id'>> {
  await migratePostgres(address);
  const [made] = generate({ accounts: 1, memories: MEMORIES, size: SIZE, random: 1 });
  const { id: account = '', name = '', memories = [] } = made ?? {};
  const all = [...memories];
  return withPostgresWriter(address, async ({ accounts, keys, memories: writes }) => {
    await accounts.create({ id: account, name, created_by: 'seed' });
    await writes.putAll(account, all);
    const { key } = await keys.create({ account_id: account, label: 'bench', expires_at: null });
    return { account, key, id: all[0]?.id ?? '' };
  });
}

// A PostgreSQL server to measure with, created with memories for one measurement.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { withSeedDatabase, writeMemories } from '../../src/cli/commands/database/seed.ts';
import { hasPostgres, startPrimary } from '../../test/support/engines/postgres-cluster.ts';
import { generate } from '../generate.ts';
import type { Data } from './data.ts';

/** The address of a server, and the values for requests. */
export interface Distant extends Pick<Data, 'key' | 'account'> {
  readonly primary: string;
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

/** Runs a function with a new server, and always stops it. */
export async function withPostgres<T>(work: (distant: Distant) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'memory-gateway-bench-'));
  try {
    const server = await startPrimary(join(folder, 'primary'));
    try {
      const primary = server.address('postgres');
      return await work({ ...(await fill(primary)), primary });
    } finally {
      await server.stop('immediate');
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(address: string): Promise<Omit<Distant, 'primary'>> {
  const [made] = generate({ accounts: 1, memories: MEMORIES, size: SIZE, random: 1 });
  const account = {
    id: '',
    name: '',
    count: MEMORIES,
    ...made,
    memories: [...(made?.memories ?? [])],
  };
  return withSeedDatabase(address, [account], async (writer) => {
    await writeMemories(writer, [account]);
    const given = { account_id: account.id, label: 'bench', expires_at: null };
    const { key } = await writer.keys.create(given);
    return { account: account.id, key, id: account.memories[0]?.id ?? '' };
  });
}

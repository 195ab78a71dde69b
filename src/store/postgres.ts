// The store on PostgreSQL: keys are judged on the primary, and memories read from replicas where there are any.

import { join } from './bytes.ts';
import type { PostgresOptions, Warn } from './options.ts';
import { connect, type Connections } from './postgres/driver.ts';
import { createReplica, type Replica } from './postgres/replica.ts';
import { createReplicas } from './postgres/replicas.ts';
import { tellExcess } from './postgres/rights.ts';
import { requireSchema } from './postgres/schema.ts';
import { readsOf, type Server } from './postgres/server.ts';
import { standingOf, type Standing } from './postgres/standing.ts';
import type { Batch, Range, ServerStats, Store } from './store.ts';

const MAX_LAG_MS = 10_000;

/**
 * Connects to a PostgreSQL database for reading. Fails with `Refusal` when it cannot be reached, is
 * foreign, older or newer, or its driver is not installed; a replica of which that is so is left out.
 */
export async function openPostgres(
  address: string,
  options: PostgresOptions = {},
  warn: Warn = () => {},
): Promise<Store> {
  const reading = { ...options, isReadOnly: true, onError: once(warn) };
  const primary = await connect(address, reading);
  const replicas: Replica[] = [];
  const close = async () => {
    await Promise.all([primary, ...replicas].map((each) => each.close()));
  };
  try {
    await requireSchema(primary);
    await tellExcess(primary, warn);
    const expected = { isOurs: sameAs(primary), maxLagMs: options.maxLagMs ?? MAX_LAG_MS };
    for (const each of options.replicas ?? [])
      replicas.push(createReplica(await connect(each, reading), { ...options, expected, warn }));
    await Promise.all(replicas.map((replica) => replica.look()));
  } catch (error) {
    await close();
    throw error;
  }
  return { ...storeOn(primary, replicas), close };
}

function storeOn(connections: Connections, replicas: readonly Replica[]): Omit<Store, 'close'> {
  const primary = readsOf(connections);
  const { readFrom, behind } = createReplicas(primary, replicas);

  return {
    apiKey: (key_sha256) => primary.apiKey(key_sha256),
    account: (id) => primary.account(id),
    memory: async (wanted) =>
      (await readFrom(wanted.revision, (server) => server.memory(wanted))).found,
    items,
    async piece(range, maxBytes) {
      const { items: found, rest } = await items(range, maxBytes);
      return { bytes: join(found.map(({ bytes }) => bytes)), rest };
    },
    positions: (range) => readFrom(range.revision, (server) => server.positions(range)),
    changes: (since) => readFrom(since.revision, (server) => server.changes(since)),
    servers: () => [
      statsOf(connections, primary, !replicas.some((replica) => replica.stats().isUsed)),
      ...replicas.map((replica, i) => ({
        ...replica.stats(),
        name: `replica-${i + 1}`,
        behind: behind(replica),
      })),
    ],
    check: () => requireSchema(connections),
  };

  function items(range: Range, maxBytes: number): Promise<Batch> {
    return readFrom(range.revision, (server) => server.items(range, maxBytes));
  }
}

function statsOf(connections: Connections, primary: Server, isUsed: boolean): ServerStats {
  const { total, idle, waiting } = connections.stats();
  const load = { connections: total, idle, waiting };
  return {
    name: 'primary',
    ...load,
    lagMs: 0,
    isUsed,
    reads: primary.count(),
    failed: 0,
    behind: 0,
  };
}

/** Makes the function that warns of a connection that broke while nobody used it: of all that break alike once. */
function once(warn: Warn): (err: Error) => void {
  let last: Error | undefined;
  return (err) => {
    if (err !== last) warn({ err }, 'idle connection lost');
    last = err;
  };
}

/** Makes the function that tells whether a database is the one that is connected to, which another may have replaced. */
function sameAs(connections: Connections): (standing: Standing) => Promise<boolean> {
  let ours: Standing | undefined;
  return async ({ system, database }) => {
    const isOurs = () => system === ours?.system && database === ours.database;
    if (!isOurs()) ours = await standingOf(connections);
    return isOurs();
  };
}

// The store on PostgreSQL: reads keys on the primary, and memories on replicas if there are any.

import { joinParts } from '../bytes.ts';
import type { PostgresOptions, Warn, ServerStats } from '../servers.ts';
import type { ListBatch, ListRange, Store } from '../store.ts';
import { requireSchema } from './migrations.ts';
import { connect, type ConnectionPool } from './servers/connection.ts';
import { tellExcess } from './servers/privileges.ts';
import { standingOf, type Standing } from './servers/replica-health.ts';
import { createReplica, type Replica, createReplicas } from './servers/replicas.ts';
import { createServerReads, type ServerReads } from './servers/server-reads.ts';

const MAX_LAG_MS = 10_000;

/**
 * Connects to a PostgreSQL database for reading. Rejects with `Refusal` if it is unreachable, foreign,
 * older or newer, or if the driver is not installed. A replica with such a fault is left out instead.
 */
export async function openPostgres(
  address: string,
  options: PostgresOptions = {},
  warn: Warn = () => {},
): Promise<Store> {
  const reading = { ...options, isReadOnly: true, onError: warnOnce(warn) };
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
    await Promise.all(replicas.map((replica) => replica.check()));
  } catch (error) {
    await close();
    throw error;
  }
  return { ...storeOn(primary, replicas), close };
}

function storeOn(connections: ConnectionPool, replicas: readonly Replica[]): Omit<Store, 'close'> {
  const primary = createServerReads(connections);
  const { readFrom, behind } = createReplicas(primary, replicas);

  return {
    apiKey: (key_sha256) => primary.apiKey(key_sha256),
    account: (id) => primary.account(id),
    memory: async (wanted) =>
      (await readFrom(wanted.revision, (server) => server.memory(wanted))).found,
    items,
    async chunk(range, maxBytes) {
      const { items: found, rest } = await items(range, maxBytes);
      return { bytes: joinParts(found.map(({ bytes }) => bytes)), rest };
    },
    positions: (range) => readFrom(range.revision, (server) => server.positions(range)),
    changes: (since) => readFrom(since.revision, (server) => server.changes(since)),
    memoryCount: (range, most) =>
      readFrom(range.revision, (server) => server.memoryCount(range, most)),
    days: (range) => readFrom(range.revision, (server) => server.days(range)),
    postings: (range) => readFrom(range.revision, (server) => server.postings(range)),
    places: async (account_id, keys, revision) =>
      (await readFrom(revision, (server) => server.places(account_id, keys.map(String)))).found,
    vocabulary: (range) => readFrom(range.revision, (server) => server.vocabulary(range)),
    details: (wanted) => readFrom(wanted.revision, (server) => server.details(wanted)),
    original: (wanted) => readFrom(wanted.revision, (server) => server.original(wanted)),
    facets: (range) => readFrom(range.revision, (server) => server.facets(range)),
    actionItems: (range) => readFrom(range.revision, (server) => server.actionItems(range)),
    signs: (range) => readFrom(range.revision, (server) => server.signs(range)),
    vectors: async (wanted) =>
      (await readFrom(wanted.revision, (server) => server.vectors(wanted))).found,
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

  function items(range: ListRange, maxBytes: number): Promise<ListBatch> {
    return readFrom(range.revision, (server) => server.items(range, maxBytes));
  }
}

function statsOf(connections: ConnectionPool, primary: ServerReads, isUsed: boolean): ServerStats {
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

/** Creates a listener that logs broken idle connections, and repeated errors only once. */
function warnOnce(warn: Warn): (err: Error) => void {
  let last: Error | undefined;
  return (err) => {
    if (err !== last) warn({ err }, 'idle connection lost');
    last = err;
  };
}

/** Creates a check for whether a server belongs to our database. It reads our identity again if they differ, because the primary may have been replaced. */
function sameAs(connections: ConnectionPool): (standing: Standing) => Promise<boolean> {
  let ours: Standing | undefined;
  return async ({ system, database }) => {
    const isOurs = () => system === ours?.system && database === ours.database;
    if (!isOurs()) ours = await standingOf(connections);
    return isOurs();
  };
}

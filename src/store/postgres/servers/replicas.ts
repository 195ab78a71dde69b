// Replicas: chooses one for each read. No proxy does: they compare lag with a threshold, so a revoked key would work until then. Here a stale read is repeated on the primary.

import { showDatabase } from '../../address.ts';
import type { RevisionResult } from '../../positions.ts';
import { Refusal } from '../../refusal.ts';
import type { Warn, ServerStats } from '../../servers.ts';
import { errorCode } from '../errors.ts';
import { DEFAULT_STATEMENT_MS, type ConnectionPool } from './connection.ts';
import { requireStanding, type ReplicaRequirements, standingOf } from './replica-health.ts';
import { createServerReads, type ServerReads } from './server-reads.ts';

/** The least time between two health checks of a replica. */
const CHECK_INTERVAL_MS = 1000;

/** How long a health check counts. A silent server is left out before its next check times out. */
const CHECK_VALID_MS = 3000;

/** A replica that memories can be read from. */
export interface Replica {
  /** Returns whether to read from it. Starts a health check if one is due, without waiting for it. */
  isHealthy(): boolean;
  /** The number of statements under way or waiting. */
  load(): number;
  /** Reads from it. Resolves to undefined if this replica failed; rejects if any server would. */
  read<T>(work: (server: ServerReads) => Promise<T>): Promise<T | undefined>;
  /** Checks its health. Never rejects. */
  check(): Promise<void>;
  stats(): Omit<ServerStats, 'name' | 'behind'>;
  close(): Promise<void>;
}

/** Options of a replica. */
export interface ReplicaOptions {
  readonly expected: ReplicaRequirements;
  readonly statementMs?: number | undefined;
  readonly warn: Warn;
}

/** Creates a replica on a connection pool. */
export function createReplica(
  connections: ConnectionPool,
  { expected, statementMs = DEFAULT_STATEMENT_MS, warn }: ReplicaOptions,
): Replica {
  const server = createServerReads(connections);
  const replica = showDatabase(connections.address);
  /** Why it is left out, or undefined. */
  let fault: string | undefined;
  let lagMs = Infinity;
  let checkedAt = -Infinity;
  let healthyAt = -Infinity;
  /** When it last had everything that its primary had. */
  let levelAt = -Infinity;
  let checking: Promise<void> | undefined;
  let failed = 0;

  const isUsed = () => fault === undefined && performance.now() - healthyAt < CHECK_VALID_MS;

  return {
    isHealthy() {
      if (performance.now() - checkedAt >= CHECK_INTERVAL_MS) void check();
      return isUsed();
    },
    load() {
      const { total, idle, waiting } = connections.stats();
      return total - idle + waiting;
    },
    async read(work) {
      const began = performance.now();
      try {
        return await work(server);
      } catch (error) {
        if (!isReplicaFault(error, performance.now() - began, statementMs)) throw error;
        failed++;
        setFault((error as Error).message);
        return undefined;
      }
    },
    check,
    stats() {
      const { total, idle, waiting } = connections.stats();
      const lag = Number.isFinite(lagMs) ? lagMs : undefined;
      const load = { connections: total, idle, waiting };
      return { ...load, lagMs: lag, isUsed: isUsed(), reads: server.count(), failed };
    },
    close: () => connections.close(),
  };

  function check(): Promise<void> {
    return (checking ??= checkOnce().finally(() => (checking = undefined)));
  }

  async function checkOnce(): Promise<void> {
    const now = (checkedAt = performance.now());
    try {
      const standing = await standingOf(connections);
      const { is_fed, is_level, since_ms } = standing;
      if (is_fed && is_level) levelAt = now;
      // The latest commit can be old because nothing was written since. So lag is the smaller of two bounds.
      lagMs = levelAt === now ? 0 : Math.min(now - levelAt, (is_fed && since_ms) || Infinity);
      await requireStanding(standing, { ...expected, replica, lagMs });
      healthyAt = performance.now();
      setFault(undefined);
    } catch (error) {
      setFault((error as Error).message);
    }
  }

  /** Logs once when the replica is left out, and once when it is used again. */
  function setFault(reason: string | undefined): void {
    const before = fault;
    fault = reason;
    if (before === undefined && reason !== undefined) warn({ replica, reason }, 'replica left out');
    if (before !== undefined && reason === undefined) warn({ replica }, 'replica used again');
  }
}

/**
 * Returns whether an error is the replica's fault. A statement that used up its whole timeout, a full
 * queue, and errors unrelated to the server would fail elsewhere, too.
 */
function isReplicaFault(error: unknown, tookMs: number, statementMs: number): boolean {
  if (!(error instanceof Refusal) || error.code === 'unusable') return false;
  const code = errorCode(error.cause);
  if (code === '57014' && statementMs > 0 && tookMs >= statementMs) return false;
  return error.code !== 'busy' || !['', 'WAITED'].includes(code);
}

/** Runs a read on some server, at the given revision or a later one. */
export type ReadFrom = <T extends RevisionResult>(
  revision: string | undefined,
  read: (server: ServerReads) => Promise<T>,
) => Promise<T>;

/** Reads spread over replicas. */
export interface Replicas {
  readonly readFrom: ReadFrom;
  /** The number of stale reads of a replica. */
  readonly behind: (replica: Replica) => number;
}

/**
 * Creates reads that prefer a healthy replica. A result counts only at exactly the revision that the
 * primary returned with the key, because two revisions have no order. For any other revision, and after
 * a failure, the read is repeated on the primary.
 */
export function createReplicas(primary: ServerReads, replicas: readonly Replica[]): Replicas {
  const behind = new Map(replicas.map((replica) => [replica, 0]));
  let turn = 0;

  return { readFrom, behind: (replica) => behind.get(replica) ?? 0 };

  async function readFrom<T extends RevisionResult>(
    revision: string | undefined,
    read: (server: ServerReads) => Promise<T>,
  ): Promise<T> {
    const replica = revision === undefined ? undefined : choose();
    if (replica === undefined) return read(primary);
    const found = await replica.read(read);
    if (found?.revision === revision) return found as T;
    if (found !== undefined) behind.set(replica, (behind.get(replica) ?? 0) + 1);
    return read(primary);
  }

  /** Returns the healthy replica with the least load, in turn among equals. */
  function choose(): Replica | undefined {
    turn = (turn + 1) % Math.max(1, replicas.length);
    const healthy = [...replicas.slice(turn), ...replicas.slice(0, turn)].filter((each) =>
      each.isHealthy(),
    );
    return healthy.reduce<Replica | undefined>(
      (best, each) => (best === undefined || each.load() < best.load() ? each : best),
      undefined,
    );
  }
}

// A replica: reads for as long as it is well, which is looked at when somebody reads, once a second at most.

import { showDatabase } from '../address.ts';
import type { Warn } from '../options.ts';
import { Refusal } from '../refusal.ts';
import type { ServerStats } from '../store.ts';
import { STATEMENT_MS, type Connections } from './driver.ts';
import { codeOf } from './errors.ts';
import { requireStanding, type Expected } from './fitness.ts';
import { readsOf, type Server } from './server.ts';
import { standingOf } from './standing.ts';

/** How often a replica is looked at, at most. */
const LOOK_MS = 1000;

/** How long a look counts: a server that answers nothing is left before the looks at it have failed. */
const KNOWN_MS = 3000;

/** A server that memories may be read from. */
export interface Replica {
  /** Whether to read from it; starts a look at it when one is due, and waits for none. */
  isWell(): boolean;
  /** How many statements it has to answer. */
  load(): number;
  /** Reads from it; undefined where it failed, which is its own fault. Fails where others would as well. */
  ask<T>(read: (server: Server) => Promise<T>): Promise<T | undefined>;
  /** Looks at it; never rejects. */
  look(): Promise<void>;
  stats(): Omit<ServerStats, 'name' | 'behind'>;
  close(): Promise<void>;
}

/** What a replica is held against, and who hears that it is left out. */
export interface ReplicaOptions {
  readonly expected: Expected;
  readonly statementMs?: number | undefined;
  readonly warn: Warn;
}

/** Makes a replica of what is connected to. */
export function createReplica(
  connections: Connections,
  { expected, statementMs = STATEMENT_MS, warn }: ReplicaOptions,
): Replica {
  const server = readsOf(connections);
  const replica = showDatabase(connections.address);
  /** Why it is left out. */
  let fault: string | undefined;
  let lagMs = Infinity;
  let lookedAt = -Infinity;
  let seenAt = -Infinity;
  /** When it last had all that its primary has. */
  let levelAt = -Infinity;
  let looking: Promise<void> | undefined;
  let failed = 0;

  const isUsed = () => fault === undefined && performance.now() - seenAt < KNOWN_MS;

  return {
    isWell() {
      if (performance.now() - lookedAt >= LOOK_MS) void look();
      return isUsed();
    },
    load() {
      const { total, idle, waiting } = connections.stats();
      return total - idle + waiting;
    },
    async ask(read) {
      const began = performance.now();
      try {
        return await read(server);
      } catch (error) {
        if (!isItsFault(error, performance.now() - began, statementMs)) throw error;
        failed++;
        setFault((error as Error).message);
        return undefined;
      }
    },
    look,
    stats() {
      const { total, idle, waiting } = connections.stats();
      const lag = Number.isFinite(lagMs) ? lagMs : undefined;
      const load = { connections: total, idle, waiting };
      return { ...load, lagMs: lag, isUsed: isUsed(), reads: server.count(), failed };
    },
    close: () => connections.close(),
  };

  function look(): Promise<void> {
    return (looking ??= lookOnce().finally(() => (looking = undefined)));
  }

  async function lookOnce(): Promise<void> {
    const now = (lookedAt = performance.now());
    try {
      const standing = await standingOf(connections);
      const { is_fed, is_level, since_ms } = standing;
      if (is_fed && is_level) levelAt = now;
      // The latest that it has may be old because nothing was written since, until just now.
      lagMs = levelAt === now ? 0 : Math.min(now - levelAt, (is_fed && since_ms) || Infinity);
      await requireStanding(standing, { ...expected, replica, lagMs });
      seenAt = performance.now();
      setFault(undefined);
    } catch (error) {
      setFault((error as Error).message);
    }
  }

  /** Says so once, when it is left out and when it comes back. */
  function setFault(reason: string | undefined): void {
    const before = fault;
    fault = reason;
    if (before === undefined && reason !== undefined) warn({ replica, reason }, 'replica left out');
    if (before !== undefined && reason === undefined) warn({ replica }, 'replica used again');
  }
}

/**
 * Tells what a replica cannot do from what nobody can: a statement that had all the time there is, one
 * of so many that no more may wait, and whatever says nothing of the server.
 */
function isItsFault(error: unknown, tookMs: number, statementMs: number): boolean {
  if (!(error instanceof Refusal)) return false;
  const code = codeOf(error.cause);
  if (code === '57014' && statementMs > 0 && tookMs >= statementMs) return false;
  return error.trouble !== 'busy' || !['', 'WAITED'].includes(code);
}

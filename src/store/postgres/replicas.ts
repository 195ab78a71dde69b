// Replicas: where a memory is read, and where it is read again: on the primary, once.

import type { Dated } from '../store.ts';
import type { Replica } from './replica.ts';
import type { Server } from './server.ts';

/** Reads a memory, a list or changes, of the state that is wanted or a later one. */
export type ReadFrom = <T extends Dated>(
  revision: string | undefined,
  read: (server: Server) => Promise<T>,
) => Promise<T>;

/** Reads from replicas, and how that goes. */
export interface Replicas {
  readonly readFrom: ReadFrom;
  /** How many reads of a replica were of another state than the one that was wanted. */
  readonly behind: (replica: Replica) => number;
}

/**
 * Makes the function that reads from a replica, as far as one is well. What it read counts only in the
 * very state that the primary has told with the key: of two revisions nobody can say which is older, so
 * of any other, and where the replica has failed, the primary is asked.
 */
export function createReplicas(primary: Server, replicas: readonly Replica[]): Replicas {
  const behind = new Map(replicas.map((replica) => [replica, 0]));
  let turn = 0;

  return { readFrom, behind: (replica) => behind.get(replica) ?? 0 };

  async function readFrom<T extends Dated>(
    revision: string | undefined,
    read: (server: Server) => Promise<T>,
  ): Promise<T> {
    const replica = revision === undefined ? undefined : choose();
    if (replica === undefined) return read(primary);
    const found = await replica.ask(read);
    if (found?.revision === revision) return found as T;
    if (found !== undefined) behind.set(replica, (behind.get(replica) ?? 0) + 1);
    return read(primary);
  }

  /** The one that has the least to do, of several in turn. */
  function choose(): Replica | undefined {
    turn = (turn + 1) % Math.max(1, replicas.length);
    const well = [...replicas.slice(turn), ...replicas.slice(0, turn)].filter((each) =>
      each.isWell(),
    );
    return well.reduce<Replica | undefined>(
      (best, each) => (best === undefined || each.load() < best.load() ? each : best),
      undefined,
    );
  }
}

// Sides of a copy: the database that is read and the one that is written, whatever their engines.

import type { Awaitable } from '../../contract/awaitable.ts';
import type { Connection } from '../connection.ts';
import type { Ready } from '../ready.ts';
import type { Reads } from './reads.ts';

/** A database as a copy sees it. */
export interface Side {
  /** What names it, without its password. */
  readonly name: string;
  readonly connection: Connection;
  readonly reads: Reads;
}

/** A database that a copy writes. */
export interface Target extends Side {
  /** Makes the table of what copies have done, where there is none yet. */
  makeNotes(): Awaitable<unknown>;
  /** Puts memories into accounts that are there; the feed, the revision and the index follow. */
  put(memories: readonly Ready[]): Awaitable<unknown>;
  delete(account_id: string, id: string): Awaitable<unknown>;
}

/** A connection whose errors are turned into what `explain` makes of them, so that each names its own database. */
export function explained(
  { hold, transaction }: Connection,
  explain: (error: unknown) => unknown,
): Connection {
  return {
    hold(query) {
      const statement = hold(query);
      return {
        get: (values) => attempt(() => statement.get(values)),
        all: (values) => attempt(() => statement.all(values)),
        run: (values) => attempt(() => statement.run(values)),
      };
    },
    transaction: (work) => attempt(() => transaction(work)),
  };

  async function attempt<T>(work: () => Awaitable<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw explain(error);
    }
  }
}

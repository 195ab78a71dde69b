// The interface of the bin, as the app reads it.

import type { Awaitable } from '../../lib/async.ts';

/** A memory in the bin. */
export interface DeletedMemory {
  readonly id: string;
  readonly name: string;
  readonly started_at: string;
  readonly deleted_at: number;
  /** When it is erased. */
  readonly erased_at: number;
}

/** What the app reads of the bin. The importer alone writes there. */
export interface BinStore {
  /** Lists the memories that can be brought back, the latest 1,000 deletions, latest first. */
  list(account_id: string): Awaitable<DeletedMemory[]>;
  /** Returns whether an account has all of these memories, or has them all in its bin. */
  hasAll(of: {
    readonly account_id: string;
    readonly ids: readonly string[];
    readonly where: 'memories' | 'bin';
  }): Awaitable<boolean>;
}

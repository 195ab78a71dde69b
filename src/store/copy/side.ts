// The two sides of a copy: the source, which is read, and the target, which is written.

import type { Awaitable } from '../../lib/async.ts';
import type { PreparedMemory } from '../memory-row.ts';
import type { Connection } from '../sql/query.ts';
import { eachPage } from './queries.ts';
import * as queries from './queries.ts';

/** The reads of a copy. */
export type CopyReads = ReturnType<typeof createReads>;

/** Prepares the reads of a copy on a connection. */
export function createReads({ prepare }: Connection) {
  const total = prepare(queries.total);
  const account = prepare(queries.account);
  const keys = prepare(queries.keys);
  const places = prepare(queries.memoryKeys);
  const memories = prepare(queries.memories);
  const accounts = prepare(queries.accounts);
  const hashed = prepare(queries.hashed);
  const changes = prepare(queries.changes);
  const epochs = prepare(queries.epochs);
  const sources = prepare(queries.sources);
  const sourceMemories = prepare(queries.sourceMemories);
  const watchedFiles = prepare(queries.watchedFiles);
  const passkeys = prepare(queries.passkeys);
  const passwords = prepare(queries.passwords);
  const events = prepare(queries.events);
  const bySeq = { first: 0, keyOf: ({ seq }: { seq: number }) => seq };
  const byFirst = { first: 0, keyOf: ({ first_seq }: { first_seq: number }) => first_seq };
  const byMemory = { first: '', keyOf: ({ memory_id }: { memory_id: string }) => memory_id };
  const byPath = { first: '', keyOf: ({ path }: { path: string }) => path };
  const byId = { first: '', keyOf: ({ id }: { id: string }) => id };
  return {
    /** The number of memories. */
    total: async () => (await total.get({}))?.memories ?? 0,
    /** All accounts, ordered by id. */
    accounts: () => eachPage(accounts, { account_id: '', ...byId }),
    account: (id: string) => account.get({ id }),
    keys: (account_id: string) => keys.all({ account_id }),
    passkeys: (account_id: string) => passkeys.all({ account_id }),
    passwords: (account_id: string) => passwords.all({ account_id }),
    events: (account_id: string) => events.all({ account_id }),
    /** Ids, hashes and sizes of the memories after an id. */
    places: (account_id: string, after: string) => places.all({ account_id, after }),
    /** The memories from one id to another, both included. */
    memories: (account_id: string, first: string, last: string) =>
      memories.all({ account_id, first, last }),
    /** The facts of all memories, with freshly computed hashes. */
    hashed: (account_id: string) => eachPage(hashed, { account_id, ...byId }),
    changes: (account_id: string) => eachPage(changes, { account_id, ...bySeq }),
    epochs: (account_id: string) => eachPage(epochs, { account_id, ...byFirst }),
    sources: (account_id: string) => sources.all({ account_id }),
    sourceMemories: (account_id: string, source: string) =>
      eachPage(sourceMemories, { account_id, source, ...byMemory }),
    watchedFiles: (account_id: string, source: string) =>
      eachPage(watchedFiles, { account_id, source, ...byPath }),
  };
}

/** A database as a copy sees it. */
export interface CopySide {
  /** Its path or address, without a password. */
  readonly name: string;
  readonly connection: Connection;
  readonly reads: CopyReads;
}

/** A database that a copy writes to. */
export interface CopyTarget extends CopySide {
  /** Creates the journal table if it does not exist. */
  createJournalTable(): Awaitable<unknown>;
  /** Writes memories of existing accounts. Triggers update feed, revision and search index. */
  put(memories: readonly PreparedMemory[]): Awaitable<unknown>;
  delete(account_id: string, id: string): Awaitable<unknown>;
}

/** Wraps a connection so that `explain` converts its errors. Each error then names its own database. */
export function explainErrors(
  { prepare, transaction }: Connection,
  explain: (error: unknown) => unknown,
): Connection {
  return {
    prepare(query) {
      const statement = prepare(query);
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

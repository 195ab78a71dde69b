// The reads of a copy on one side: each a page at a time where there may be many.

import type { Connection } from '../connection.ts';
import { eachPage } from './pages.ts';
import * as queries from './queries.ts';

/** What a copy reads of a side. */
export type Reads = ReturnType<typeof readsOf>;

/** Makes the reads of a copy on a connection. */
export function readsOf({ hold }: Connection) {
  const total = hold(queries.total);
  const account = hold(queries.account);
  const keys = hold(queries.keys);
  const places = hold(queries.places);
  const memories = hold(queries.memories);
  const accounts = hold(queries.accounts);
  const hashed = hold(queries.hashed);
  const changes = hold(queries.changes);
  const epochs = hold(queries.epochs);
  const bySeq = { first: 0, keyOf: ({ seq }: { seq: number }) => seq };
  const byFirst = { first: 0, keyOf: ({ first_seq }: { first_seq: number }) => first_seq };
  const byId = { first: '', keyOf: ({ id }: { id: string }) => id };
  return {
    /** How many memories there are. */
    total: async () => (await total.get({}))?.memories ?? 0,
    /** All accounts, by their ids. */
    accounts: () => eachPage(accounts, { account_id: '', ...byId }),
    account: (id: string) => account.get({ id }),
    keys: (account_id: string) => keys.all({ account_id }),
    /** The ids, hashes and sizes of memories behind one. */
    places: (account_id: string, after: string) => places.all({ account_id, after }),
    /** Memories from one to another, both with them. */
    memories: (account_id: string, first: string, last: string) =>
      memories.all({ account_id, first, last }),
    /** All memories, with the hashes of their bytes. */
    hashed: (account_id: string) => eachPage(hashed, { account_id, ...byId }),
    changes: (account_id: string) => eachPage(changes, { account_id, ...bySeq }),
    epochs: (account_id: string) => eachPage(epochs, { account_id, ...byFirst }),
  };
}

// The store on whatever file has the database's name: every read runs on the connection to that file.

import type { SyncStore } from '../../store.ts';
import { followFile, type FollowedConnection, type OpenConnection } from './follow.ts';

/** The reads of one connection, and what to do with it when the file changes. */
export interface ConnectionReads extends SyncStore, FollowedConnection {
  readonly close: () => void;
}

/** Creates a store that follows the name of a database. Throws `Refusal` if the database cannot be opened at first. */
export function reopenOnChange(name: string, open: OpenConnection<ConnectionReads>): SyncStore {
  const { run, runAsOne, close } = followFile(name, open);
  return {
    apiKey: (sha256) => run((now) => now.apiKey(sha256)),
    account: (id) => run((now) => now.account(id)),
    memory: (query) => run((now) => now.memory(query)),
    items: (range, maxBytes) => run((now) => now.items(range, maxBytes)),
    chunk: (range, maxBytes) => run((now) => now.chunk(range, maxBytes)),
    positions: (range) => run((now) => now.positions(range)),
    changes: (range) => run((now) => now.changes(range)),
    memoryCount: (range, most) => run((now) => now.memoryCount(range, most)),
    days: (range) => run((now) => now.days(range)),
    postings: (range) => run((now) => now.postings(range)),
    places: (account_id, keys) => run((now) => now.places(account_id, keys)),
    vocabulary: (range) => run((now) => now.vocabulary(range)),
    check: () => run((now) => now.check()),
    readTransaction: (work) =>
      runAsOne((now) => {
        if (now === undefined) work();
        else now.readTransaction(work);
      }),
    close,
  };
}

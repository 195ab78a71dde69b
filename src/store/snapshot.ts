// Snapshot: a database as it is at one moment, whatever is written meanwhile.

import { list } from './accounts.ts';
import { explain, openFile } from './file.ts';
import { hold } from './held.ts';
import { rangeReads } from './ranges.ts';
import type { Item } from './store.ts';

/** How many bytes of memories are read in one go. */
const BATCH_BYTES = 256 * 1024;

/** Memories in order, some at a time; the last may be none. */
export type Batches = Generator<readonly Item[], void, undefined>;

/** The reads of a snapshot. */
export type Snapshot = ReturnType<typeof readsOf>;

/**
 * Opens a file for one piece of work that sees one state of it, and closes it whatever comes. Until
 * then the log of writes beside the file grows with what others write. Fails with `Refusal`.
 */
export async function withSnapshot<T>(
  path: string,
  work: (snapshot: Snapshot) => T | Promise<T>,
): Promise<T> {
  const db = openFile(path, 'read');
  try {
    db.exec('BEGIN'); // the first read begins the state, and nothing ends it but the end
    return await work(readsOf(db));
  } catch (error) {
    throw explain(error, path);
  } finally {
    db.close();
  }
}

function readsOf(db: ReturnType<typeof openFile>) {
  const ranges = rangeReads(db);
  // Read at once, so that the state is that of the opening.
  const accounts = hold(db, list).all({});
  return {
    /** All accounts, oldest first, with how many memories they have. */
    accounts,
    /** Reads the memories of an account whole, oldest first, in batches of some 256 KiB. */
    *memories(account_id: string): Batches {
      const range = { account_id, order: 'asc', bytes: 'body' } as const;
      let batch = ranges.items(range, BATCH_BYTES);
      while (batch.rest !== undefined) {
        yield batch.items;
        batch = ranges.items({ ...range, after: batch.rest }, BATCH_BYTES);
      }
      yield batch.items;
    },
  };
}

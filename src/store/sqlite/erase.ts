// Erasure: memories deleted for good, their words gone from the index and from the log of writes.

import type { Database } from 'better-sqlite3';

import type { accountWrites } from '../accounts.ts';
import type { Synchronous } from '../connection.ts';
import { notThere, type Erased } from '../erased.ts';
import { build, query, type Slot } from '../query.ts';
import { hold } from './held.ts';
import type { memoryWrites } from './memories.ts';

interface Writes {
  readonly accounts: Synchronous<ReturnType<typeof accountWrites>>;
  readonly memories: ReturnType<typeof memoryWrites>;
}

// No memory has this number, and no word of a memory is without a letter.
const stone = { rowid: 0, words: '_' };

const put = query((_: Slot<object>) => build.insertInto('search').values(stone));
const optimize = command('optimize');
const remove = command('delete');

function command(search: 'optimize' | 'delete') {
  return query((_: Slot<object>) => build.insertInto('search').values({ ...stone, search }));
}

/**
 * Makes the function that deletes memories, all of them or none, and returns whether nothing of
 * them is left: false where another program was reading and keeps what it reads in the files. Fails
 * with `Refusal` when the account or one of the memories is not there.
 */
export function eraser(db: Database, { accounts, memories }: Writes) {
  const held = { put: hold(db, put), optimize: hold(db, optimize), remove: hold(db, remove) };

  const erase = db.transaction(({ account_id, ids }: Erased): void => {
    accounts.require(account_id);
    const missing = [...new Set(ids)].filter((id) => !memories.delete(account_id, id));
    if (missing.length > 0) throw notThere(account_id, missing);
    // The index finds its pages by signposts, and a deletion leaves those: now and then one is a
    // whole word (measured: 1 word in 30,000). To optimise writes them anew, but only where there
    // is something to join: a stone, put in and taken out. Measured: 0.2 s for 20,000 memories.
    held.put.run({});
    held.optimize.run({});
    held.remove.run({});
  });

  return (erased: Erased): boolean => {
    erase.immediate(erased);
    return emptyLog(db);
  };
}

/**
 * Empties the log of writes beside the file, so that what was deleted leaves it, too: SQLite does it
 * only for the last who closes, and a gateway that reads the file is seldom before us. Returns
 * whether it could; a reader that takes longer than a second leaves it to the next writer.
 */
export function emptyLog(db: Database): boolean {
  if (!db.open) return false;
  const patience = db.pragma('busy_timeout', { simple: true }) as number;
  try {
    db.pragma('busy_timeout = 1000');
    return db.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0;
  } catch {
    return false; // as where SQLite does it: what was written is written
  } finally {
    db.pragma(`busy_timeout = ${patience}`);
  }
}

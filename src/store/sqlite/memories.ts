// Writes memories: validated and serialised once, along with the change feed and the search index.

import type { Database } from 'better-sqlite3';

import { fromJson } from '../../contract/json.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { countMemories } from '../accounts/accounts.ts';
import { releaseBytes } from '../bytes.ts';
import { correctPrepared, type CorrectedMemory } from '../import/corrected.ts';
import {
  prepareMemory,
  type NewMemory,
  type PreparedMemory,
  type WriteResult,
  MEMORY_COLUMNS,
  type StoredMemory,
} from '../import/memory-row.ts';
import { build, query, type Slot } from '../sql/query.ts';
import { deleteRows, excluded, selectRows } from '../sql/row-queries.ts';
import { beginEpoch } from './changes.ts';
import { correctionsOn } from './details/corrections.ts';
import { detailWrites } from './details/writes.ts';
import { searchWrites } from './search/search.ts';
import { prepareOn } from './statements.ts';

/** What was written, and the memory whose words the search index gets later. */
interface Written {
  readonly result: WriteResult;
  readonly indexed?: IndexedMemory;
}

/** A memory that was written, and the one it replaced. */
interface IndexedMemory {
  readonly account_id: string;
  readonly pk: number;
  readonly old: Memory | undefined;
  readonly memory: Memory;
}

const find = selectRows('memories', { columns: ['pk', 'body'], by: ['account_id', 'id'] });

const put = query((slot: Slot<StoredMemory>) =>
  build
    .insertInto('memories')
    .values(
      Object.fromEntries(
        MEMORY_COLUMNS.map((column) => [column, slot(column)]),
      ) as unknown as StoredMemory,
    )
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'id']).doUpdateSet(excluded(MEMORY_COLUMNS)),
    )
    .returning('pk'),
);

const remove = deleteRows('memories', ['pk']);

/** From this size on, the pages of a memory are written before the end of its transaction, and its body is released. */
const LONG_BYTES = 8 * 1024 * 1024;

function isLong({ body }: StoredMemory): boolean {
  return body.length > LONG_BYTES;
}

/** Runs writes that would fill the page cache with pages that nobody reads again. */
function inSmallCache<T>(db: Database, work: () => T): T {
  const size = db.pragma('cache_size', { simple: true }) as number;
  db.pragma('cache_size = -16384'); // 16 MiB
  try {
    return work();
  } finally {
    db.pragma(`cache_size = ${size}`);
  }
}

/** Creates the writes of memories on a connection. */
export function memoryWrites(db: Database) {
  const held = {
    find: prepareOn(db, find),
    put: prepareOn(db, put),
    remove: prepareOn(db, remove),
    count: prepareOn(db, countMemories),
  };
  const search = searchWrites(db);
  const details = detailWrites(db);
  const corrections = correctionsOn(db);
  const begin = beginEpoch(db);
  let written = 0;

  /** Applies the corrections of a memory, and finds out what writing it would do. */
  function plan(imported: PreparedMemory, isStored = false) {
    const each: CorrectedMemory = isStored
      ? imported
      : correctPrepared(imported, corrections.of(imported.row));
    const { row, details: given } = each;
    const { account_id, id } = row;
    const old = held.find.get({ account_id, id });
    const isSame = old !== undefined && Buffer.compare(old.body, row.body) === 0;
    const change = details.changeOf(given, row, isSame);
    const isUnchanged = isSame && change === undefined;
    const result: WriteResult = old === undefined ? 'added' : isUnchanged ? 'unchanged' : 'updated';
    return { each, old, isSame, change, result };
  }

  function write(imported: PreparedMemory, isStored: boolean): Written {
    const { each, old, isSame, change, result } = plan(imported, isStored);
    const { row, memory, details: given } = each;
    const { account_id } = row;
    if (!isStored) corrections.keepImported({ each, change, isSame });
    // An unchanged memory is not rewritten, so its account's revision and every etag stay the same.
    if (result === 'unchanged') return { result };
    begin(account_id);
    details.write(change, given, row);
    if (isSame) {
      details.touch(row);
      return { result };
    }
    const { pk } = held.put.get(row) as { pk: number };
    if (isLong(row)) releaseBytes(row.body);
    return {
      result,
      indexed: { account_id, pk, old: old && fromJson(old.body), memory },
    };
  }

  const writeAll = db.transaction((all: readonly PreparedMemory[], isStored = false) =>
    all.some(({ row }) => isLong(row))
      ? inSmallCache(db, () => writeEach(all, isStored))
      : writeEach(all, isStored),
  );

  function writeEach(all: readonly PreparedMemory[], isStored: boolean): WriteResult[] {
    // The index is written after all memories, not after each: a write with triggers makes FTS5 flush the
    // terms it has collected, which costs more than to collect them (measured: 190 → 55 µs a memory).
    const found = all.map((each) => write(each, isStored));
    for (const { indexed } of found) {
      if (indexed === undefined) continue;
      written++;
      const { account_id, pk, old, memory } = indexed;
      if (old) search.remove({ account_id, pk, memory: old });
      search.add({ account_id, pk, memory });
    }
    return found.map(({ result }) => result);
  }

  const erase = db.transaction((account_id: string, id: string): boolean => {
    const old = held.find.get({ account_id, id });
    if (old === undefined) return false;
    begin(account_id);
    search.remove({ account_id, pk: old.pk, memory: fromJson(old.body) });
    held.remove.run(old);
    return true;
  });

  return {
    /**
     * Adds a memory to an account, or replaces the one with its id. `user_id` becomes the account's.
     * Returns whether anything changed. Throws `ValiError` if the memory breaks the contract.
     */
    put: (account_id: string, memory: NewMemory): boolean =>
      writeAll.immediate([prepareMemory(account_id, memory)])[0] !== 'unchanged',
    /**
     * Puts many memories, all or none, at half the cost of putting each. Returns what happened to each,
     * in order. Throws `ValiError` if one of them breaks the contract.
     */
    putAll: (account_id: string, memories: readonly NewMemory[]): WriteResult[] =>
      writeAll.immediate(memories.map((memory) => prepareMemory(account_id, memory))),
    /** Puts prepared memories, of any accounts. The bodies of long ones are empty afterwards. */
    putReady: (all: readonly PreparedMemory[]): WriteResult[] => writeAll.immediate(all),
    /** Puts memories as they were stored: without corrections, and without details. */
    putStored: (all: readonly PreparedMemory[]): WriteResult[] => writeAll.immediate(all, true),
    /** Deletes a memory and leaves its id in the change feed. Returns whether it existed. */
    delete: (account_id: string, id: string): boolean => erase.immediate(account_id, id),
    /** Returns what writing a memory would do. */
    compare: (each: PreparedMemory): WriteResult => plan(each).result,
    /** Returns how many memories were written so far. */
    written: (): number => written,
    count: (account_id: string): number => held.count.get({ account_id })?.n ?? 0,
  };
}

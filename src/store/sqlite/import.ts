// Imports into a SQLite file, batch by batch.

import type { Database } from 'better-sqlite3';

import { fromJson, type Json } from '../../contract/json.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import * as bin from '../bin/bin-sql.ts';
import { binStartOfImport } from '../bin/bin-time.ts';
import { eraseExpired } from '../bin/bin.ts';
import type { ImportOptions } from '../engine.ts';
import { importLog } from '../import/import-log.ts';
import { importMarks, undoneImport, type ImportMarks } from '../import/marks.ts';
import { reconcile, type KnownMemories } from '../import/reconcile.ts';
import {
  checkImported,
  fillGaps,
  resolveConflict,
  type ImportedMemory,
  type ImportHistory,
  type ImportResult,
} from '../import/rules.ts';
import { madeFrom, renamedTo } from '../sql/corrections.ts';
import { readSql } from '../sql/migrations.ts';
import { build, query, type Slot, type Synchronous } from '../sql/query.ts';
import * as reads from '../sql/reads.ts';
import { selectRows } from '../sql/row-queries.ts';
import type { ImportedTable } from '../sql/tables/tables.ts';
import { explainSqlite, openFile } from './connection.ts';
import { correctionsOn } from './details/corrections.ts';
import { memoryWrites } from './memories.ts';
import { mergeSearch } from './search/search-merge.ts';
import { connectionTo, prepareOn } from './statements.ts';
import { isSameInode, statFiles } from './watch/file-identity.ts';
import { accountWritesOn, truncateWal, withFileWriter } from './writer.ts';

const remember = query((slot: Slot<ImportedTable>) =>
  build
    .insertInto('imported')
    .values({
      account_id: slot('account_id'),
      memory_id: slot('memory_id'),
      body_sha256: slot('body_sha256'),
    })
    .onConflict((conflict) => conflict.doNothing()),
);

const recall = selectRows('imported', {
  columns: ['body_sha256'],
  by: ['account_id', 'memory_id'],
});

/** Returns the writes of an import. A dry import only returns what would happen to each memory. */
function importWrites(db: Database, isDry: boolean) {
  db.pragma('temp_store = FILE'); // so that a long import needs no more memory
  db.pragma('query_only = OFF'); // for the temporary table; a file opened read-only stays unchanged
  db.exec(readSql('sqlite', 'temporary/imported.sql'));
  const memories = memoryWrites(db);
  const corrections = correctionsOn(db);
  const held = {
    remember: prepareOn(db, remember),
    recall: prepareOn(db, recall),
    find: prepareOn(db, reads.memory.body),
    inBin: prepareOn(db, bin.find),
    madeFrom: prepareOn(db, madeFrom),
    renamedTo: prepareOn(db, renamedTo),
  };

  const inBin = (account_id: string, memory_id: string) =>
    held.inBin.get({ account_id, memory_id, since: binStartOfImport(isDry) });

  /**
   * Returns the memory with this id, unless its hash is the known one, as it was imported: what arrives has no
   * corrections. One in the bin counts as well.
   */
  const stored = (account_id: string, id: string, known: string): Partial<Memory> | undefined => {
    const { memory } = corrections.imported({ account_id, id }) ?? {};
    if (memory) return memory;
    const { bytes } = held.find.get({ account_id, id, known }) ?? {};
    if (bytes) return fromJson(bytes);
    const found = inBin(account_id, id);
    return found && fromJson(found.body as Json<Memory>);
  };

  const known: ImportHistory = {
    firstHash: ({ row: { account_id, id } }) =>
      held.recall.get({ account_id, memory_id: id })?.body_sha256,
    isInBin: ({ row: { account_id, id } }) => inBin(account_id, id) !== undefined,
    storedMemory: ({ row: { account_id, id, body_sha256 } }) => stored(account_id, id, body_sha256),
    remember: ({ row: { account_id, id: memory_id, body_sha256 } }) =>
      void held.remember.run({ account_id, memory_id, body_sha256 }),
  };

  const knownMemories: KnownMemories = {
    isOfThisImport: (account_id, memory_id) =>
      held.recall.get({ account_id, memory_id }) !== undefined,
    stored: (account_id, id) => stored(account_id, id, ''),
    madeFrom: (account_id, original_sha256) => held.madeFrom.all({ account_id, original_sha256 }),
    renamedTo: (account_id, renamed_to) => held.renamedTo.all({ account_id, renamed_to }),
  };

  return {
    reconcile: (arrivals: readonly ImportedMemory[]) =>
      reconcile(arrivals, knownMemories) as ImportedMemory[],
    put: (arrivals: readonly ImportedMemory[]): ImportResult[] => {
      const all = arrivals.map(checkImported);
      const kept = all.map((each) => resolveConflict(each, known));
      const fresh = all.filter((_, i) => kept[i] === undefined);
      return fillGaps(kept, isDry ? fresh.map(memories.compare) : memories.putReady(fresh));
    },
  };
}

/** An import into a file in progress. */
export type FileImport = ReturnType<typeof openImport>;

/** Opens a file for an import, runs `work` and closes the file. */
export async function withFileImport<T>(
  path: string,
  how: ImportOptions,
  work: (into: FileImport) => Promise<T>,
): Promise<T> {
  const into = openImport(path, how);
  try {
    await into.eraseExpired();
    return await work(into);
  } finally {
    into.close();
  }
}

/**
 * Opens a file for an import. A dry import opens it read-only. Throws `Refusal` if it is missing,
 * foreign, older or newer.
 */
export function openImport(path: string, { isDry, isAtomic, agent }: ImportOptions) {
  const db = openFile(path, isDry ? 'visit' : 'write');
  const opened = statFiles(path).file;
  const accounts = accountWritesOn(db);
  const marks = importMarks(connectionTo(db)) as Synchronous<ImportMarks>;
  const log = importLog(connectionTo(db), isDry ? undefined : agent);
  const run = prepare();
  let written = 0;

  function isUndone(): boolean {
    // A restore gives the name to a new file if SQLite cannot open the old one.
    return !isSameInode(statFiles(path).file, opened) || marks.isUndone();
  }

  return {
    accounts: (): string[] => accounts.list().map(({ id }) => id),
    isUndone: (): boolean => attempt(isUndone),
    /** Erases what has expired in the bin. */
    async eraseExpired(): Promise<void> {
      if (isDry) return;
      await eraseExpired({
        connection: connectionTo(db),
        emptyBin: () => withFileWriter(path, (writer) => writer.emptyBin('expired')),
      });
    },
    commit(): void {
      if (db.inTransaction) attempt(() => db.exec('COMMIT'));
      if (!isDry && attempt(isUndone)) throw undoneImport();
    },
    reconcile: (arrivals: readonly ImportedMemory[]): ImportedMemory[] =>
      attempt(() => run.reconcile(arrivals)),
    put: (arrivals: readonly ImportedMemory[]): ImportResult[] =>
      attempt(() => {
        if (isDry) return run.put(arrivals).results;
        // Begins late, so that others can write until there is something to write.
        if (isAtomic && !db.inTransaction) db.exec('BEGIN IMMEDIATE');
        written += arrivals.length;
        const { results, next } = run.put.immediate(arrivals);
        marks.keep(next);
        return results;
      }),
    /** Closes the file. Rolls an import in one transaction back, unless it was committed. */
    close(): void {
      if (db.inTransaction) db.exec('ROLLBACK');
      mergeSearch(db, written);
      if (!isDry) truncateWal(db);
      db.close();
    },
  };

  function prepare() {
    try {
      const writes = importWrites(db, isDry);
      return {
        reconcile: writes.reconcile,
        put: db.transaction((arrivals: readonly ImportedMemory[]) => {
          const results = writes.put(arrivals);
          void log(arrivals, results);
          return { results, next: marks.next(arrivals.map(({ account_id }) => account_id)) };
        }),
      };
    } catch (error) {
      db.close(); // the caller cannot
      throw explainSqlite(error, path);
    }
  }

  function attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw explainSqlite(error, path);
    }
  }
}

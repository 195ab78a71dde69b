// Writes to a SQLite file: accounts, keys and memories, for the command line and scripts.

import { existsSync } from 'node:fs';

import type { Database } from 'better-sqlite3';

import type { Awaitable } from '../../lib/async.ts';
import { eraseMemories, removeOwner, type Deletion } from '../accounts/account-deletion.ts';
import { accountWrites } from '../accounts/accounts.ts';
import { keyWrites } from '../accounts/api-keys.ts';
import { binWrites, type BinWrites, type Emptied } from '../bin/bin.ts';
import { correctionWrites } from '../details/correct.ts';
import { rereadWrites } from '../details/reread.ts';
import { createFile } from '../files/atomic-file.ts';
import { pullWrites } from '../sources/pulls.ts';
import { sourceWrites } from '../sources/runs.ts';
import { sourceMemoryWrites } from '../sources/source-memories.ts';
import { watchedFileWrites } from '../sources/watched-files.ts';
import type { Synchronous } from '../sql/query.ts';
import { build, query, type Slot } from '../sql/query.ts';
import { selectRows } from '../sql/row-queries.ts';
import { vectorWrites } from '../vectors/writes.ts';
import { emptyLog, explainSqlite, openFile } from './connection.ts';
import { memoryWrites } from './memories.ts';
import { applyMigrations } from './migrations.ts';
import { mergeSearch } from './search/search-merge.ts';
import { inTransaction, connectionTo, hashingConnectionTo, prepareOn } from './statements.ts';

interface Writes {
  readonly accounts: Synchronous<ReturnType<typeof accountWrites>>;
  readonly bin: BinWrites;
  readonly memories: ReturnType<typeof memoryWrites>;
}

// No memory has this number, and every word of a memory has a letter or digit.
const placeholder = { rowid: 0, words: '_' };

const put = query((_: Slot<object>) => build.insertInto('search').values(placeholder));
const optimize = command('optimize');
const remove = command('delete');

const journal = query((_: Slot<object>) =>
  build.selectFrom('sqlite_schema').select('name').where('name', '=', 'copies'),
);

const idsOf = selectRows('memories', { columns: ['id'], by: ['account_id'] });

function command(search: 'optimize' | 'delete') {
  return query((_: Slot<object>) => build.insertInto('search').values({ ...placeholder, search }));
}

/**
 * Creates the functions that delete memories, all or none, and whole accounts. They return whether nothing
 * of the memories is left in the files: false if another program was reading and so kept the log from
 * being truncated. They throw `Refusal` if the account or one of the memories does not exist.
 */
function memoryDeletion(db: Database, { accounts, bin, memories }: Writes) {
  const held = {
    put: prepareOn(db, put),
    optimize: prepareOn(db, optimize),
    remove: prepareOn(db, remove),
    ids: prepareOn(db, idsOf),
    journal: prepareOn(db, journal),
  };

  // FTS5 finds its pages by separator keys, which a deletion leaves behind, and sometimes such a key is
  // a whole word (measured: 1 word in 30,000). "optimize" rewrites them, but only if there is something
  // to merge: hence a placeholder row. Measured: 0.2 s for 20,000 memories.
  const rewriteIndex = (): void => {
    held.put.run({});
    held.optimize.run({});
    held.remove.run({});
  };

  const erase = db.transaction((erased: Deletion): void => {
    void eraseMemories(connectionTo(db), erased, (id) => memories.delete(erased.account_id, id));
    rewriteIndex();
  });

  const eraseAccount = db.transaction((account_id: string): void => {
    accounts.require(account_id);
    for (const { id } of held.ids.all({ account_id })) memories.delete(account_id, id);
    void removeOwner(connectionTo(db), account_id, held.journal.all({}).length > 0);
    rewriteIndex();
  });

  return {
    erase(erased: Deletion): boolean {
      erase.immediate(erased);
      return truncateWal(db);
    },
    async emptyBin(emptied: Emptied) {
      const count = await inTransaction(db, async () => {
        const removed = await bin.remove(emptied);
        if (removed > 0) rewriteIndex();
        return removed;
      });
      return { count, erased: truncateWal(db) };
    },
    eraseAccount(id: string): boolean {
      eraseAccount.immediate(id);
      return truncateWal(db);
    },
  };
}

/**
 * Truncates the write-ahead log, so that deleted content leaves it too. SQLite does that only when the
 * last connection closes, and a gateway usually stays connected. Returns whether it succeeded. If a
 * reader takes longer than a second, it is left to the next writer.
 */
export function truncateWal(db: Database): boolean {
  if (!db.open) return false;
  const timeout = db.pragma('busy_timeout', { simple: true }) as number;
  try {
    db.pragma('busy_timeout = 1000');
    return emptyLog(db);
  } finally {
    db.pragma(`busy_timeout = ${timeout}`);
  }
}

/**
 * Opens and closes a file that has a log, which removes the log: a connection that only reads leaves it.
 * Leaves the log to the next writer if the file cannot be written now.
 */
export function mergeLog(path: string): void {
  if (!existsSync(`${path}-wal`)) return;
  try {
    openFile(path, 'write', 100).close();
  } catch {
    // read-only, locked or gone
  }
}

/** Creates the writes of accounts on a connection. */
export function accountWritesOn(db: Database): Synchronous<ReturnType<typeof accountWrites>> {
  return accountWrites(connectionTo(db)) as ReturnType<typeof accountWritesOn>;
}

/** Creates the writes of API keys on a connection. */
export function keyWritesOn(db: Database): Synchronous<ReturnType<typeof keyWrites>> {
  return keyWrites(connectionTo(db)) as ReturnType<typeof keyWritesOn>;
}

/** The synchronous writes of a file. */
export type FileWriter = ReturnType<typeof openWriter>;

/** Opens a SQLite file for writing. Throws `Refusal` if it is missing, foreign, older or newer. */
export function openWriter(path: string) {
  const db = openFile(path, 'write');
  const accounts = accountWritesOn(db);
  const memories = memoryWrites(db);
  const connection = hashingConnectionTo(db);
  const bin = binWrites({ connection, memories, lock: accounts.require });
  return {
    connection,
    accounts,
    keys: keyWritesOn(db),
    memories,
    sources: sourceWrites(connection) as Synchronous<ReturnType<typeof sourceWrites>>,
    pulls: pullWrites(connection) as Synchronous<ReturnType<typeof pullWrites>>,
    sourceMemories: sourceMemoryWrites(connection) as Synchronous<
      ReturnType<typeof sourceMemoryWrites>
    >,
    watchedFiles: watchedFileWrites(connection) as Synchronous<
      ReturnType<typeof watchedFileWrites>
    >,
    vectors: vectorWrites(connection) as Synchronous<ReturnType<typeof vectorWrites>>,
    corrections: correctionWrites(connection, memories),
    rereads: rereadWrites(connection, memories),
    bin,
    ...memoryDeletion(db, { accounts, bin, memories }),
    /** Runs writes in one transaction: all are committed, or none if `work` throws. */
    transaction: <T>(work: () => T): T => inTransaction(db, work),
    close: (): void => {
      mergeSearch(db, memories.written());
      truncateWal(db);
      db.close();
    },
  };
}

/** Opens a file, runs synchronous work and closes the file. Throws `Refusal` if the disk is full or the file is locked. */
export function withFileWriterSync<T>(path: string, work: (writer: FileWriter) => T): T {
  const writer = openWriter(path);
  try {
    return work(writer);
  } catch (error) {
    throw explainSqlite(error, path);
  } finally {
    writer.close();
  }
}

/** Opens a file, awaits work and closes the file. Rejects with `Refusal` if the disk is full or the file is locked. */
export async function withFileWriter<T>(
  path: string,
  work: (writer: FileWriter) => Awaitable<T>,
): Promise<T> {
  const writer = openWriter(path);
  try {
    return await work(writer);
  } catch (error) {
    throw explainSqlite(error, path);
  } finally {
    writer.close();
  }
}

/** Creates a database along with what `fill` writes to it. Returns the names of the applied migrations. */
export function createDatabase(path: string, fill?: (writer: FileWriter) => void): string[] {
  return createFile(path, (draft) => {
    const applied = migrateDraft(draft);
    if (fill) withFileWriterSync(draft, fill);
    return applied;
  });
}

function migrateDraft(draft: string): string[] {
  const db = openFile(draft, 'create');
  try {
    const applied = db.transaction(() => applyMigrations(db)).immediate();
    truncateWal(db);
    return applied;
  } catch (error) {
    throw explainSqlite(error, draft);
  } finally {
    db.close();
  }
}

// The engine interface: everything the program does with a database, whatever its engine.

import type { Awaitable } from '../lib/async.ts';
import type { Deletion } from './accounts/account-deletion.ts';
import type { accountWrites } from './accounts/accounts.ts';
import type { keyWrites } from './accounts/api-keys.ts';
import type { AppStore } from './app/app-store.ts';
import type { BinWrites, Emptied } from './bin/bin.ts';
import type { Verified } from './check/findings.ts';
import type { CorrectionWrites } from './details/correct.ts';
import type { rereadWrites } from './details/reread.ts';
import type { DatabaseFile } from './files/database-file.ts';
import type { NewMemory, PreparedMemory, WriteResult } from './import/memory-row.ts';
import type { ImportedMemory, ImportResult } from './import/rules.ts';
import type { Stage } from './progress.ts';
import type { PostgresOptions, Warn } from './servers.ts';
import type { pullWrites } from './sources/pulls.ts';
import type { sourceWrites } from './sources/runs.ts';
import type { sourceMemoryWrites } from './sources/source-memories.ts';
import type { watchedFileWrites } from './sources/watched-files.ts';
import type { Connection, Synchronous } from './sql/query.ts';
import type { AccountTable } from './sql/tables/tables.ts';
import type { EncodedEntry, ListRange, Store, SyncStore } from './store.ts';
import type { vectorWrites } from './vectors/writes.ts';

/** An engine, bound to one database. All methods throw or reject with `Refusal` if the database is missing, foreign, older or newer. */
export interface Engine {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** Opens the database for the reads of the gateway. */
  open(options?: PostgresOptions, warn?: Warn): Awaitable<Store>;
  /** Does the same without a promise. Absent if the engine needs one. */
  readonly openSync?: () => SyncStore;
  /**
   * Opens the store of the app. It works while the database cannot be written, as far as it needs no
   * write; on SQLite it follows the name of the file. `now` is the clock that ends sessions.
   * Default: that of the system.
   */
  openApp(now?: () => number): Awaitable<AppStore>;
  /** Returns whether this user may write memories, as the commands do that the app starts. A file does not tell users apart. */
  mayImport(): Awaitable<boolean>;
  /** Opens the database for writing, runs `work` and closes the database again. */
  withWriter<T>(work: (writer: Writer) => Awaitable<T>): Promise<T>;
  /** Opens the database for an import, runs `work` and closes the database again. Without `commit`, nothing of an import in one transaction stays. */
  withImport<T>(options: ImportOptions, work: (into: Import) => Promise<T>): Promise<T>;
  /** Runs `work` on one snapshot of the database. */
  withSnapshot<T>(work: (snapshot: Snapshot) => Awaitable<T>): Promise<T>;
  /** Checks the whole database in one snapshot, without writing to it. */
  verify(stage?: Stage): Promise<Verified>;
  /** Creates the database or brings its schema up to date. If that fails, the database is unchanged. */
  upgrade(options: UpgradeOptions): Promise<Upgraded>;
  /** Creates the schema if there is none yet. A new file gets what `fill` writes in the same step. */
  createIfMissing(fill?: (writer: SyncWriter) => void): Promise<void>;
  /** Turns an error of the engine into a `Refusal`; returns other errors unchanged. */
  explain(error: unknown): Awaitable<unknown>;
  /** Returns whether a path is the database, or one of the files that the engine keeps next to it. */
  owns(path: string): boolean;
  /** Returns the sizes of the database's files. Undefined for a server. */
  sizes(): FileSizes | undefined;
  /**
   * Merges what a file's log holds, and removes the log if nobody else has the file open. Does nothing if the
   * file cannot be written now. Absent for a server.
   */
  readonly tidy?: () => Promise<void>;
  /** A note for people if `erase` returned false: where deleted words remain, and for how long. */
  readonly erasureNote: string;
  /** Whether reads can be spread over replicas. */
  readonly hasReplicas: boolean;
  /** Loads what only a database in one file can do. Absent for a server. */
  readonly file?: () => Promise<DatabaseFile>;
}

/** How many bytes the files of a database have. */
export interface FileSizes {
  readonly fileBytes: number | undefined;
  readonly logBytes: number;
}

/** The writes of a database. */
export interface Writer {
  /** For SQL that both engines share. It has the function `sha256`. */
  readonly connection: Connection;
  readonly accounts: ReturnType<typeof accountWrites>;
  readonly keys: ReturnType<typeof keyWrites>;
  readonly memories: MemoryWrites;
  readonly sources: ReturnType<typeof sourceWrites>;
  readonly pulls: ReturnType<typeof pullWrites>;
  readonly sourceMemories: ReturnType<typeof sourceMemoryWrites>;
  readonly watchedFiles: ReturnType<typeof watchedFileWrites>;
  readonly vectors: ReturnType<typeof vectorWrites>;
  /** Puts memories right. */
  readonly corrections: CorrectionWrites;
  /** Makes memories again from their originals. */
  readonly rereads: ReturnType<typeof rereadWrites>;
  /**
   * Deletes memories, all or none, and returns whether nothing of them remains in the files. No source counts them as
   * its own any more. Throws `Refusal` if the account or one of the memories does not exist.
   */
  erase(erased: Deletion): Awaitable<boolean>;
  /** The bin, from which deleted memories can be brought back for 30 days. */
  readonly bin: Pick<BinWrites, 'put' | 'restore'>;
  /** Erases memories of the bin. `erased` is what `erase` returns. */
  emptyBin(emptied: Emptied): Promise<{ readonly count: number; readonly erased: boolean }>;
  /**
   * Deletes an account with its memories, keys, sessions and everything else of it, and returns whether
   * nothing of its memories remains in the files. Throws `Refusal` if it does not exist.
   */
  eraseAccount(id: string): Awaitable<boolean>;
  /** Runs writes in one transaction: all are committed, or none if `work` throws. */
  readonly transaction: <T>(work: () => Awaitable<T>) => Awaitable<T>;
}

/** The writes of memories. */
export interface MemoryWrites {
  /** Adds or replaces a memory; returns whether anything changed. Throws `ValiError` if it breaks the contract. */
  put(account_id: string, memory: NewMemory): Awaitable<boolean>;
  /** Puts many memories, all or none; returns what happened to each, in order. Throws as `put` does. */
  putAll(account_id: string, memories: readonly NewMemory[]): Awaitable<WriteResult[]>;
  /** Puts prepared memories of any accounts, all or none. */
  putReady(all: readonly PreparedMemory[]): Awaitable<WriteResult[]>;
  /** Puts memories as they were stored: without corrections, and without details. */
  putStored(all: readonly PreparedMemory[]): Awaitable<WriteResult[]>;
  /** Deletes a memory and leaves its id in the feed of changes. Returns whether it existed. */
  delete(account_id: string, id: string): Awaitable<boolean>;
  count(account_id: string): Awaitable<number>;
}

/** The writes with which a new database is filled. */
export interface SyncWriter {
  readonly accounts: Synchronous<Writer['accounts']>;
}

/** How an import is done. */
export interface ImportOptions {
  /** Whether the import only reports what it would do. */
  readonly isDry: boolean;
  /** Whether the whole import is one transaction. */
  readonly isAtomic: boolean;
  /** Who imports, for the log of each account that gets memories. Default: nothing is logged. */
  readonly agent?: string;
}

/** An import in progress. */
export interface Import {
  /** Returns the ids of all accounts. */
  accounts(): Awaitable<string[]>;
  /**
   * Reconciles memories with those that are stored: the ids of files, and transcripts of notes. To be
   * called with the memories of one `put`, before it.
   */
  reconcile(arrivals: readonly ImportedMemory[]): Awaitable<ImportedMemory[]>;
  /**
   * Puts memories, all or none. Throws `Refusal` if the disk is full, the database is locked, or a
   * restore has undone an earlier put.
   */
  put(arrivals: readonly ImportedMemory[]): Awaitable<ImportResult[]>;
  /** Returns whether a restore has removed what was put. */
  isUndone(): Awaitable<boolean>;
  /** Ends the import. An import in one transaction is committed here. Throws `Refusal` if a restore has undone a part of it. */
  commit(): Awaitable<void>;
}

/** Memories in order, in batches; the last batch may be empty. SQLite yields them at once, PostgreSQL asynchronously. */
export type Batches = Iterable<readonly EncodedEntry[]> | AsyncIterable<readonly EncodedEntry[]>;

/** Which memories of an account to read, and in which order: oldest first by default. */
export interface ListFilters extends Pick<
  ListRange,
  'started_after' | 'started_before' | 'is_processing' | 'q' | 'facets'
> {
  readonly order?: ListRange['order'] | undefined;
}

/** The reads of a snapshot. */
export interface Snapshot {
  /** For SQL that both engines share. It has the function `sha256`. */
  readonly connection: Connection;
  /** All accounts, oldest first. */
  readonly accounts: readonly Pick<AccountTable, 'id' | 'name'>[];
  /** Reads whole memories of an account in batches of about 256 KiB, or of none if a search takes long. */
  memories(account_id: string, filters?: ListFilters): Batches;
}

/** How a database is upgraded. */
export interface UpgradeOptions {
  /** Whether to make no safety copy of a file. */
  readonly discard?: boolean;
  readonly stage?: Stage;
}

/** The result of an upgrade. */
export interface Upgraded {
  /** The schema version that the database has now. */
  readonly schema: number;
  /** The names of the migrations that were applied, in order. */
  readonly applied: readonly string[];
  /** The path of the safety copy, if one was made. */
  readonly kept: string | undefined;
}

// Read transactions of a connection, and rows cached until anybody commits (PRAGMA data_version).

import type { Database } from 'better-sqlite3';

/** The state of a file, as a connection sees it. */
export interface FileState {
  /** Runs `work` in one read transaction. Throws only what `work` throws. */
  readonly readTransaction: (work: () => void) => void;
  /** Returns a number that changes with every commit. Throws what `check` throws. */
  readonly version: () => number;
  /** Drops everything that the connection has read, as after a commit. */
  readonly refresh: () => void;
}

/** Watches a file through a read-only connection, which sees every commit of others. Calls `check` once for each new state. */
export function watchDataVersion(db: Database, check: () => void): FileState {
  const begin = db.prepare('BEGIN'); // reads nothing yet
  // Not COMMIT: nothing was written, and after a read of a damaged page COMMIT fails.
  const end = db.prepare('ROLLBACK');
  // Sees the commits of every process, and a backup restored into the file.
  const read = db.prepare<[], number>('PRAGMA data_version').pluck();
  let version = 0;
  let committed: number | undefined;
  let isInTransaction = false;
  let isCurrent = false; // within the transaction, `version` was read already

  return {
    readTransaction(work) {
      if (db.open) begin.run();
      isInTransaction = true;
      try {
        work();
      } finally {
        isInTransaction = isCurrent = false;
        if (db.open && db.inTransaction) end.run();
      }
    },
    version() {
      if (isCurrent && db.inTransaction) return version; // SQLite may end it when it cannot read
      const now = read.get();
      if (now !== committed) {
        check();
        committed = now;
        version++;
      }
      isCurrent = isInTransaction && db.inTransaction;
      return version;
    },
    refresh() {
      db.pragma('shrink_memory'); // drops cached pages
      committed = undefined;
    },
  };
}

/** Returns a function that runs reads on one state of the file: in the present transaction, or else in a new one. */
export function readConsistently(db: Database): <T>(work: () => T) => T {
  const run = db.transaction((work: () => unknown) => work());
  return <T>(work: () => T) => (db.inTransaction ? work() : (run(work) as T));
}

/** Which rows are cached, and how they are read. */
export interface RowCacheOptions<Row> extends Pick<FileState, 'version'> {
  /** Reads a row at a time, in milliseconds since 1970. */
  readonly read: (key: string, now: number) => Row | undefined;
  readonly isCacheable: (row: Row, now: number) => boolean;
  /** Runs a read and its `version` on one state, so that no row is cached under a later commit. */
  readonly inState: <T>(work: () => T) => T;
}

/** The number of cached rows at which the cache is emptied. */
const MAX_ROWS = 1000;

/** Creates a read that caches rows by key until anybody commits. */
export function cacheRows<Row>({ version, read, isCacheable, inState }: RowCacheOptions<Row>) {
  const rows = new Map<string, Row>();
  let rowsVersion = 0;

  return (key: string, now: number): Row | undefined => {
    // The version costs a statement, so it is only read for rows that are cached or will be.
    if (rows.has(key)) dropOutdated();
    const found = rows.get(key);
    if (found !== undefined && isCacheable(found, now)) return found;
    rows.delete(key);
    return inState(() => readAndCache(key, now));
  };

  function readAndCache(key: string, now: number): Row | undefined {
    const row = read(key, now);
    if (row === undefined || !isCacheable(row, now)) return row;
    dropOutdated();
    if (rows.size >= MAX_ROWS) rows.clear();
    rows.set(key, row);
    return row;
  }

  function dropOutdated(): void {
    const current = version();
    if (current !== rowsVersion) rows.clear();
    rowsVersion = current;
  }
}

// Read transactions of a connection, and keys cached until anybody commits (PRAGMA data_version).

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

/** How keys are read. */
export interface KeyCacheOptions<Key> extends Pick<FileState, 'version'> {
  /** Reads a key at a time, in milliseconds since 1970. */
  readonly read: (keySha256: string, now: number) => Key | undefined;
  /** Runs a read and its `version` on one state, so that no key is cached under a later commit. */
  readonly inState: <T>(work: () => T) => T;
}

/** The number of cached keys at which the cache is emptied. */
const MAX_KEYS = 1000;

/** Creates a read of API keys that caches them until they end or anybody commits. */
export function cacheKeys<Key extends { readonly ends_at: number }>({
  version,
  read,
  inState,
}: KeyCacheOptions<Key>) {
  const keys = new Map<string, Key>();
  let keysVersion = 0;

  return (keySha256: string, now: number): Key | undefined => {
    // The version costs a statement, so it is only read for keys that are cached or will be.
    if (keys.has(keySha256)) dropOutdated();
    const found = keys.get(keySha256);
    if (found !== undefined && found.ends_at > now) return found;
    keys.delete(keySha256);
    return inState(() => readAndCache(keySha256, now));
  };

  function readAndCache(keySha256: string, now: number): Key | undefined {
    const key = read(keySha256, now);
    if (key === undefined || key.ends_at <= now) return key;
    dropOutdated();
    if (keys.size >= MAX_KEYS) keys.clear();
    keys.set(keySha256, key);
    return key;
  }

  function dropOutdated(): void {
    const current = version();
    if (current !== keysVersion) keys.clear();
    keysVersion = current;
  }
}

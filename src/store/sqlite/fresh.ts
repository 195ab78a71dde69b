// Fresh: reads that share one state of the file, and rows kept until anybody commits to it.

import type { Database } from 'better-sqlite3';

/** The state of a file as a connection sees it. */
export interface Fresh {
  /** Runs work in one read transaction. Throws only what `work` does. */
  readonly together: (work: () => void) => void;
  /** Tells one state from another: it changes with every commit. Fails with what `check` does. */
  readonly version: () => number;
  /** Lets go what the connection has read, as if somebody had committed. */
  readonly refresh: () => void;
}

/** Watches a file through a connection that does not write, so that every commit is another's; `check` judges each state. */
export function watch(db: Database, check: () => void): Fresh {
  const begin = db.prepare('BEGIN'); // reads nothing yet
  // Nothing was written; and where a read has found a damaged page, COMMIT fails and ROLLBACK does not.
  const end = db.prepare('ROLLBACK');
  // Sees the commits of every process, and those of a backup that is restored into the file.
  const read = db.prepare<[], number>('PRAGMA data_version').pluck();
  let version = 0;
  let committed: number | undefined;
  let isTogether = false;
  let isKnown = false; // of what is done together

  return {
    together(work) {
      if (db.open) begin.run();
      isTogether = true;
      try {
        work();
      } finally {
        isTogether = isKnown = false;
        if (db.open && db.inTransaction) end.run();
      }
    },
    version() {
      if (isKnown && db.inTransaction) return version; // SQLite may end it by itself, when it cannot read
      const now = read.get();
      if (now !== committed) {
        check();
        committed = now;
        version++;
      }
      isKnown = isTogether && db.inTransaction;
      return version;
    },
    refresh() {
      db.pragma('shrink_memory'); // the pages that it keeps
      committed = undefined;
    },
  };
}

/** Makes the function that runs reads in one state of the file: that of the transaction it is in, or of one of its own. */
export function inOneState(db: Database): <T>(work: () => T) => T {
  const run = db.transaction((work: () => unknown) => work());
  return <T>(work: () => T) => (db.inTransaction ? work() : (run(work) as T));
}

/** What rows are kept of, and which. */
export interface Keeping<Row> extends Pick<Fresh, 'version'> {
  readonly read: (key: string) => Row | undefined;
  readonly isKept: (row: Row) => boolean;
  /** Runs a read and its `version` in one state, lest a row is kept under the commit that has changed it. */
  readonly inState: <T>(work: () => T) => T;
}

/** So many rows are kept; before the next, all are let go. */
const MOST = 1000;

/** Makes a read that finds rows again without a look-up, for as long as nobody commits. */
export function keepRows<Row>({ version, read, isKept, inState }: Keeping<Row>) {
  const rows = new Map<string, Row>();
  let of = 0;

  return (key: string): Row | undefined => {
    // Only what is found again, or is to be, needs to know whether it still holds.
    if (rows.has(key)) letGo();
    const found = rows.get(key);
    if (found !== undefined && isKept(found)) return found;
    rows.delete(key);
    return inState(() => keep(key));
  };

  function keep(key: string): Row | undefined {
    const row = read(key);
    if (row === undefined || !isKept(row)) return row;
    letGo();
    if (rows.size >= MOST) rows.clear();
    rows.set(key, row);
    return row;
  }

  function letGo(): void {
    const now = version();
    if (now !== of) rows.clear();
    of = now;
  }
}

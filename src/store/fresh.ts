// Fresh: reads that share one state of the file, and rows kept until anybody commits to it.

import type { Database } from 'better-sqlite3';

/** The state of a file as a connection sees it. */
export interface Fresh {
  /** Runs work in one read transaction. Throws only what `work` does. */
  readonly together: (work: () => void) => void;
  /** Tells whether the file is as it was when this was last asked: asked once in a transaction. */
  readonly isUnchanged: () => boolean;
}

/** Watches a file through a connection that does not write, so that every commit is another's. */
export function watch(db: Database): Fresh {
  const begin = db.prepare('BEGIN');
  const end = db.prepare('COMMIT');
  // Sees the commits of every process, and those of a backup that is restored into the file.
  const version = db.prepare<[], number>('PRAGMA data_version').pluck();
  let last: number | undefined;
  let isTogether = false;
  let isKnown = false;

  return {
    together(work) {
      if (db.open) begin.run(); // reads nothing yet
      isTogether = true;
      try {
        work();
      } finally {
        isTogether = isKnown = false;
        if (db.open && db.inTransaction) end.run();
      }
    },
    isUnchanged() {
      if (isKnown) return true;
      const now = version.get();
      const isSame = now === last;
      last = now;
      isKnown = isTogether;
      return isSame;
    },
  };
}

/** What rows are kept of, and which. */
export interface Keeping<Row> extends Pick<Fresh, 'isUnchanged'> {
  readonly read: (key: string) => Row | undefined;
  readonly isKept: (row: Row) => boolean;
}

/** So many rows are kept; before the next, all are let go. */
const MOST = 1000;

/** Makes a read that finds rows again without a look-up, for as long as the file is unchanged. */
export function keepRows<Row>({ isUnchanged, read, isKept }: Keeping<Row>) {
  const rows = new Map<string, Row>();
  return (key: string): Row | undefined => {
    // Only what is found again needs to know whether it still holds.
    if (rows.has(key) && !isUnchanged()) rows.clear();
    const found = rows.get(key);
    if (found !== undefined && isKept(found)) return found;
    const row = read(key);
    if (rows.size >= MOST) rows.clear();
    if (row !== undefined && isKept(row)) rows.set(key, row);
    return row;
  };
}

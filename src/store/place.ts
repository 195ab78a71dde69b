// Place: which files have the name of a database just now, without opening any of them.

import { realpathSync, statSync, type Stats } from 'node:fs';

/** What stands under a name. A file is told from every other by the numbers that its system gives it; '' where there is none. */
export interface Place {
  /** The database that the name leads to. */
  readonly file: string;
  /** Changes whenever somebody writes into the database, also without SQLite. */
  readonly written: string;
  /** The log of writes that lies beside it, and how long it is. */
  readonly log: string;
  readonly logBytes: number;
  /** What its programs share of that log. */
  readonly index: string;
}

/**
 * Looks at what stands under a name; never throws. It must not open what it looks at: a process that
 * closes any handle of a file loses all locks it has on it, those of SQLite, too
 * (sqlite.org/howtocorrupt.html §2.2).
 */
export function look(path: string): Place {
  const file = statOf(path);
  const name = attempt(() => realpathSync(path)) ?? path; // beside which SQLite has its logs
  const log = statOf(`${name}-wal`);
  return {
    file: numberOf(file),
    written: file === undefined ? '' : `${file.size} ${file.mtimeMs}`,
    log: numberOf(log),
    logBytes: log?.size ?? 0,
    index: numberOf(statOf(`${name}-shm`)),
  };
}

/** The time of birth is with it, as a system gives the number of a file that is gone to the next one. */
function numberOf(stats: Stats | undefined): string {
  return stats === undefined ? '' : `${stats.dev} ${stats.ino} ${stats.birthtimeMs}`;
}

function statOf(path: string): Stats | undefined {
  return attempt(() => statSync(path, { throwIfNoEntry: false }));
}

/** What cannot be looked at is taken for missing; when it is opened it is said why. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

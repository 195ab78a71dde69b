// Place: which files have the name of a database just now, without opening any of them.

import { realpathSync, statSync, type Stats } from 'node:fs';

/** What tells a file from every other: the numbers that its system gives it. */
export type FileId = Readonly<Pick<Stats, 'dev' | 'ino' | 'birthtimeMs' | 'ctimeMs'>>;

/** What stands under a name; undefined where there is no file. */
export interface Place {
  /** The database that the name leads to. */
  readonly file: FileId | undefined;
  readonly fileBytes: number | undefined;
  /** Changes whenever somebody writes into the database, also without SQLite. */
  readonly written: string;
  /** The log of writes that lies beside it, and how long it is. */
  readonly log: FileId | undefined;
  readonly logBytes: number;
  /** What its programs share of that log. */
  readonly index: FileId | undefined;
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
    file,
    fileBytes: file?.size,
    written: file === undefined ? '' : `${file.size} ${file.mtimeMs}`,
    log,
    logBytes: log?.size ?? 0,
    index: statOf(`${name}-shm`),
  };
}

/**
 * Tells whether two looks saw one file. A system gives the number of a file that is gone to the next
 * one, so its time of birth must be the same, too; but where none is to be had, Node says the time of
 * the last change for it, which every write moves. One look at which the two differ tells that it is one.
 */
export function isSame(one: FileId | undefined, other: FileId | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const isBirth = [one, other].some(({ birthtimeMs, ctimeMs }) => birthtimeMs !== ctimeMs);
  if (isBirth && one.birthtimeMs !== other.birthtimeMs) return false;
  return one.dev === other.dev && one.ino === other.ino;
}

/** Tells whether there is another file, or another log, than at a look before. */
export function isOther(now: Place, before: Place): boolean {
  return (['file', 'log', 'index'] as const).some((each) => !isSame(now[each], before[each]));
}

/** A file as it was before it was opened, lest one that comes meanwhile is missed; the logs as they are, as SQLite makes those. */
export function withLogs(before: Place, { log, logBytes, index }: Place): Place {
  return { ...before, log, logBytes, index };
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

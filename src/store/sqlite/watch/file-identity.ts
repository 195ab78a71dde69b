// Which files have the name of a database: their identity and sizes, found without opening them.

import { realpathSync, statSync, type Stats } from 'node:fs';

/** The numbers by which the file system tells a file from every other. */
export type FileId = Readonly<Pick<Stats, 'dev' | 'ino' | 'birthtimeMs' | 'ctimeMs'>>;

/** The files of a database; undefined for a file that does not exist. */
export interface FilesOnDisk {
  /** The file that the name leads to, through links. */
  readonly file: FileId | undefined;
  readonly fileBytes: number | undefined;
  /** Changes whenever the file is written, also by programs other than SQLite. */
  readonly written: string;
  /** The write-ahead log (-wal) and its length. */
  readonly log: FileId | undefined;
  readonly logBytes: number;
  /** The index of the log (-shm), which all programs that use the database share. */
  readonly index: FileId | undefined;
}

/**
 * Returns which files have a name now. Never throws. Uses `stat` alone: a process that closes any
 * handle of a file loses all locks it has on the file, also the locks of SQLite
 * (sqlite.org/howtocorrupt.html §2.2).
 */
export function statFiles(path: string): FilesOnDisk {
  const file = statOf(path);
  const name = attempt(() => realpathSync(path)) ?? path; // SQLite keeps its log next to this
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
 * Returns whether two ids are of the same file. File systems reuse the number of a deleted file, so the
 * time of birth must be the same too. If a file system does not store it, Node reports the time
 * of the last change instead, which every write moves. So it counts only if the two times differ.
 */
export function isSameInode(one: FileId | undefined, other: FileId | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const hasBirth = [one, other].some(({ birthtimeMs, ctimeMs }) => birthtimeMs !== ctimeMs);
  if (hasBirth && one.birthtimeMs !== other.birthtimeMs) return false;
  return one.dev === other.dev && one.ino === other.ino;
}

/** Returns whether the database, its log or the index of the log is another file than before. */
export function isReplaced(now: FilesOnDisk, before: FilesOnDisk): boolean {
  return (['file', 'log', 'index'] as const).some((each) => !isSameInode(now[each], before[each]));
}

/**
 * Returns the earlier state of the file with the present logs. So a file that
 * replaces it in between is noticed later, and the logs that SQLite creates on opening are known.
 */
export function withLogs(before: FilesOnDisk, { log, logBytes, index }: FilesOnDisk): FilesOnDisk {
  return { ...before, log, logBytes, index };
}

function statOf(path: string): Stats | undefined {
  return attempt(() => statSync(path, { throwIfNoEntry: false }));
}

/** Returns undefined for a file that cannot be looked at. Opening it later gives the reason. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

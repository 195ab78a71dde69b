// Follows the name of a database: reopens a connection after its file was replaced, damaged or unlocked.

import { resolve } from 'node:path';

import { dedupeErrors } from '../../../lib/dedupe-errors.ts';
import { Refusal } from '../../refusal.ts';
import { explainSqlite, isSqliteError, READ_BUSY_MS } from '../connection.ts';
import { isReplaced, isSameInode, statFiles, withLogs, type FilesOnDisk } from './file-identity.ts';

/** By default, how often the file is checked at most, and how often it is reopened at most. */
const CHECK_MS = 1000;

/** A connection that is followed, and what to do with it when the file changes. */
export interface FollowedConnection {
  /** Drops everything that the connection has read, after somebody wrote to the file. */
  readonly refresh: () => void;
  /** Sets how long a read waits for a lock. */
  readonly setLockTimeout: (ms: number) => void;
  readonly close: () => void;
}

/** A database that is read by its name, whatever file has the name. */
export interface Following<C> {
  /** Runs a read on the present connection. Throws `Refusal` while there is none. */
  readonly run: <T>(read: (now: C) => T) => T;
  /** Runs `work` with the present connection, if there is one, without checking the file again in between. */
  readonly runAsOne: (work: (now: C | undefined) => void) => void;
  /** Closes the connection. A second call does nothing. */
  readonly close: () => void;
}

/** Opens a database for reads that wait `lockTimeoutMs` for a lock. Throws `Refusal`. */
export type OpenConnection<C> = (path: string, lockTimeoutMs: number) => C;

/**
 * Follows the name of a database. Before a read, but once in `checkMs` at most, it checks which file has
 * the name. It reopens the database if that is another file, or if a read failed. While that fails, all
 * reads throw. Throws `Refusal` if the database cannot be opened at first.
 */
export function followFile<C extends FollowedConnection>(
  name: string,
  open: OpenConnection<C>,
  checkMs = CHECK_MS,
): Following<C> {
  const path = resolve(name); // the program may change its working directory
  let opened = statFiles(path);
  let reads: C | undefined = open(name, READ_BUSY_MS);
  opened = withLogs(opened, statFiles(path));
  let checkedAt = performance.now();
  /** Why all reads fail. It is one error for as long as they do, so it is logged once. */
  let failure: unknown;
  /** Whether a read failed in a way that a new connection may cure. */
  let needsReopen = false;
  const dedupe = dedupeErrors(CHECK_MS);
  let isInTransaction = false;
  let isClosed = false;

  return {
    run,
    runAsOne(work) {
      checkFile();
      isInTransaction = true;
      try {
        work(reads);
      } finally {
        isInTransaction = false;
      }
    },
    close() {
      isClosed = true;
      reads?.close();
    },
  };

  function run<T>(read: (now: C) => T): T {
    if (!isInTransaction) checkFile();
    if (reads === undefined) throw failure;
    try {
      const result = read(reads);
      if (failure !== undefined) setFailure(undefined);
      return result;
    } catch (error) {
      throw judge(error);
    }
  }

  /** Explains an error, and decides what it means for later reads. Damage to one part of the file fails only the reads of that part. */
  function judge(error: unknown): unknown {
    const explained = explainSqlite(error, path);
    if (!(explained instanceof Refusal)) return error;
    const known = dedupe(explained);
    if (isSqliteError(error) && !error.code.startsWith('SQLITE_BUSY')) needsReopen = true;
    else if (explained.code !== 'damaged') {
      setFailure(known);
      return failure;
    }
    return known;
  }

  /**
   * Sets why reads fail. The first read that fails has waited for its lock; later ones must not, because
   * each wait holds the event loop. (Measured: 50 reads of a locked file take 0.2 s instead of 5.3 s.)
   */
  function setFailure(now: unknown): void {
    if (now === failure || hasSameMessage(now, failure)) return;
    failure = now;
    reads?.setLockTimeout(lockTimeout());
  }

  function lockTimeout(): number {
    return failure === undefined ? READ_BUSY_MS : 0;
  }

  /** Checks the file if the last check is old enough. Never throws. */
  function checkFile(): void {
    if (isClosed || performance.now() - checkedAt < checkMs) return;
    checkedAt = performance.now();
    const now = statFiles(path);
    if (reads === undefined || needsReopen || isReplaced(now, opened)) reopen(now);
    else if (now.written !== opened.written) {
      opened = now;
      reads.refresh(); // SQLite wrote, or somebody overwrote the file with `cp`
    }
  }

  /** Reopens the database. Closes first: closing one connection of a process drops the locks of its others on the file. */
  function reopen(now: FilesOnDisk): void {
    reads?.close();
    reads = undefined;
    needsReopen = false;
    try {
      requireOwnLog(now, opened, path);
      reads = open(path, lockTimeout());
      opened = withLogs(now, statFiles(path));
      setFailure(undefined);
    } catch (error) {
      setFailure(error);
    }
  }
}

function hasSameMessage(one: unknown, other: unknown): boolean {
  return one instanceof Error && other instanceof Error && one.message === other.message;
}

/** Throws `Refusal` if a new file lies next to the log of the old one: SQLite would read the two as one database. */
function requireOwnLog(now: FilesOnDisk, opened: FilesOnDisk, path: string): void {
  if (isSameInode(now.file, opened.file)) return;
  if (!isSameInode(now.log, opened.log) || now.logBytes === 0) return;
  throw new Refusal(
    `${path} was replaced, but the log of the old file is still beside it; stop all programs that write to it, remove ${path}-wal and ${path}-shm, and put backups in place with: memory-gateway restore FILE`,
    { code: 'damaged' },
  );
}

// Current: the reads of whatever database has the name now, also after it was replaced, damaged or locked underneath.

import { resolve } from 'node:path';

import { keepAlike } from '../alike.ts';
import { Refusal } from '../refusal.ts';
import type { Reads, SyncStore } from '../sqlite.ts';
import { explain, isSqliteError, READ_BUSY_MS } from './file.ts';
import { isOther, isSame, look, withLogs, type Place } from './place.ts';

/** How long a file may be another one unnoticed, and how often at most one is opened anew. */
const LOOK_MS = 1000;

/** The longest that a file waits to be opened anew for reads that go on failing, while it stays as it is. */
const PAUSE_MS = 60_000;

/** Opens a database for reading, and waits so long for a lock. Fails with `Refusal`. */
export type Open = (path: string, patienceMs: number) => Reads;

/**
 * Keeps the reads of a database current: once a second, when it is asked, it looks at what has the
 * name. Where that is another file, or a read has failed, it is opened anew; while that fails, so do
 * all reads. Fails with `Refusal` where it cannot be opened at first.
 */
export function keepCurrent(name: string, open: Open): SyncStore {
  const path = resolve(name); // a program may go to another folder
  let opened = look(path);
  let reads: Reads | undefined = open(name, READ_BUSY_MS);
  opened = withLogs(opened, look(path));
  let looked = performance.now();
  /** Why all reads fail: one error for as long as they do, so that it is logged once. */
  let trouble: unknown;
  /** Whether a read has failed that may be the fault of what the connection knows of the file. */
  let isDoubted = false;
  /** To open anew loses what has been read, so each time that it did not help, the next is twice as far. */
  let pause = LOOK_MS;
  let pauseEnds = looked;
  const alike = keepAlike(LOOK_MS);
  let isTogether = false;
  let isClosed = false;

  return {
    apiKey: (sha256) => ask((now) => now.apiKey(sha256)),
    account: (id) => ask((now) => now.account(id)),
    memory: (wanted) => ask((now) => now.memory(wanted)),
    items: (range, maxBytes) => ask((now) => now.items(range, maxBytes)),
    piece: (range, maxBytes) => ask((now) => now.piece(range, maxBytes)),
    positions: (range) => ask((now) => now.positions(range)),
    changes: (since) => ask((now) => now.changes(since)),
    check: () => ask((now) => now.check()),
    together(work) {
      catchUp();
      isTogether = true;
      try {
        if (reads === undefined) work();
        else reads.together(work);
      } finally {
        isTogether = false;
      }
    },
    close() {
      isClosed = true;
      reads?.close();
    },
  };

  function ask<T>(read: (now: Reads) => T): T {
    if (!isTogether) catchUp();
    if (reads === undefined) throw trouble;
    try {
      const answer = read(reads);
      if (trouble !== undefined) setTrouble(undefined);
      return answer;
    } catch (error) {
      throw judge(error);
    }
  }

  /** What is wrong with a part of the file is no trouble of all who read. */
  function judge(error: unknown): unknown {
    const now = explain(error, path);
    if (!(now instanceof Refusal)) return error;
    const known = alike(now);
    if (isSqliteError(error) && !error.code.startsWith('SQLITE_BUSY')) isDoubted = true;
    else if (now.trouble !== 'damaged') {
      setTrouble(known);
      return trouble;
    }
    return known;
  }

  /** Who meets trouble first has waited for its lock; if all others did, each would freeze the event loop as long. */
  function setTrouble(now: unknown): void {
    if (now === trouble || isAlike(now, trouble)) return;
    trouble = now;
    reads?.setPatience(patience());
  }

  function patience(): number {
    return trouble === undefined ? READ_BUSY_MS : 0;
  }

  /** Looks at the file when that is due; never throws. */
  function catchUp(): void {
    if (isClosed || performance.now() - looked < LOOK_MS) return;
    looked = performance.now();
    const now = look(path);
    const isNew = isOther(now, opened);
    const isChanged = isNew || now.written !== opened.written;
    if (isChanged) [pause, pauseEnds] = [LOOK_MS, looked];
    if (reads === undefined || isNew || (isDoubted && looked >= pauseEnds)) openAnew(now);
    else if (isChanged) {
      opened = now;
      reads.refresh(); // SQLite has written, as a rule; or `cp`
    }
  }

  /** Closes what is open before it opens: of two connections of a process, the one that closes takes the locks of both. */
  function openAnew(now: Place): void {
    reads?.close();
    reads = undefined;
    if (isDoubted) [pause, pauseEnds] = [Math.min(2 * pause, PAUSE_MS), looked + pause];
    isDoubted = false;
    try {
      requireOwnLog(now, opened, path);
      reads = open(path, patience());
      opened = withLogs(now, look(path));
      setTrouble(undefined);
    } catch (error) {
      setTrouble(error);
    }
  }
}

function isAlike(one: unknown, other: unknown): boolean {
  return one instanceof Error && other instanceof Error && one.message === other.message;
}

/** Fails with `Refusal` where a file has come to the log of the one before: SQLite would read both as one database. */
function requireOwnLog(now: Place, opened: Place, path: string): void {
  if (isSame(now.file, opened.file) || !isSame(now.log, opened.log) || now.logBytes === 0) return;
  throw new Refusal(
    `${path} was replaced, and the log of the file before lies beside it still; stop what writes, remove ${path}-wal and ${path}-shm, and put backups in place with: memory-gateway restore FILE`,
    { trouble: 'damaged' },
  );
}

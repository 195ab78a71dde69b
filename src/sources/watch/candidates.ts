// Decides which files of a watched folder are new or changed, and when they are complete.

import type { Stats } from 'node:fs';

/** What tells two versions of a file apart. */
export interface FileFacts {
  /** In bytes. */
  readonly size: number;
  /** In milliseconds since 1970. */
  readonly modified_at: number;
  /** The number of the file on its disk, and when its name or its rights changed: `12:1763400000000`. */
  readonly marker: string;
}

/** A version of a file that was read. */
export interface ReadFile extends FileFacts {
  readonly isRejected: boolean;
}

/** The files of a watched folder that were read, and those that wait to be read. */
export type Candidates = ReturnType<typeof createCandidates>;

/** Returns the facts of a file. */
export function factsOf({ size, mtimeMs, ino, ctimeMs }: Stats): FileFacts {
  return { size, modified_at: Math.round(mtimeMs), marker: `${ino}:${Math.round(ctimeMs)}` };
}

/** Returns whether nothing at all has happened to a file. */
export function isUntouched(before: FileFacts, now: FileFacts): boolean {
  return isSameContent(before, now) && before.marker === now.marker;
}

/**
 * Returns whether a version of a file was read already. A rejected file is read again after any
 * change, also of its rights or its name.
 */
export function wasRead({ isRejected, ...read }: ReadFile, now: FileFacts): boolean {
  if (!isSameContent(read, now)) return false;
  const [ino, changed] = read.marker.split(':');
  const [inoNow, changedNow] = now.marker.split(':');
  // Some network file systems number their files anew, and some count a change of rights as a change.
  return changed === changedNow || (ino === inoNow && !isRejected);
}

function isSameContent(before: FileFacts, now: FileFacts): boolean {
  return before.size === now.size && before.modified_at === now.modified_at;
}

const TEMPORARY = /(?:^|\/)[^/]*\.(?:part|partial|filepart|crdownload|download|tmp|temp)$/i;
// Office programs put `~$` before the name of a file that is open, and some editors `.~`, which is hidden.
const LOCK_FILE = /(?:^|\/)~\$[^/]*$/;

/** Returns whether a program gives such a name to a file until it is complete. */
export function isIncomplete(name: string): boolean {
  return TEMPORARY.test(name) || LOCK_FILE.test(name);
}

/** Creates the candidates of a folder. A file is complete if nothing has happened to it for `settleMs`. */
export function createCandidates(settleMs: number) {
  const read = new Map<string, ReadFile>();
  const pending = new Map<string, { readonly facts: FileFacts; readonly since: number }>();

  return {
    /** Notes a file as it is at a time of a clock that never jumps. Returns whether it is to be read now. */
    see(name: string, facts: FileFacts, now: number): boolean {
      const before = read.get(name);
      const isDone = before !== undefined && wasRead(before, facts);
      // An empty file has been created, but its writer has not begun.
      if (isDone || facts.size === 0 || isIncomplete(name)) {
        pending.delete(name);
        return false;
      }
      const { facts: seen, since } = pending.get(name) ?? {};
      const isQuiet = seen !== undefined && isUntouched(seen, facts);
      if (!isQuiet) pending.set(name, { facts, since: now });
      return now - (isQuiet ? (since ?? now) : now) >= settleMs;
    },
    /** Notes that a version of a file was read. */
    keep(name: string, file: ReadFile): void {
      read.set(name, file);
      pending.delete(name);
    },
    /** Forgets a file that is gone, or that is to be tried again after the next look. */
    drop(name: string): void {
      pending.delete(name);
    },
    /** Forgets which files were read. */
    forget(): void {
      read.clear();
    },
    /** Lists the files that may be complete at a time. */
    due: (now: number): string[] =>
      Array.from(pending).flatMap(([name, { since }]) => (now - since >= settleMs ? [name] : [])),
    /** Returns when the next file may be complete; Infinity if none waits. */
    nextAt: (): number => {
      let earliest = Infinity;
      for (const { since } of pending.values()) earliest = Math.min(earliest, since + settleMs);
      return earliest;
    },
    /** Returns how many files were read, and how many wait. */
    counts: () => ({ read: read.size, pending: pending.size }),
  };
}

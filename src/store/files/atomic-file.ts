// Creates files atomically: others see no file or a complete one, never a part.

import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

import { Refusal } from '../refusal.ts';
import { createTemporary, removeTemporary } from './temporary.ts';

/** How a file is created. */
export interface CreateOptions {
  /** What to do if there is a file of that name: replace it, or refuse with `Refusal`. */
  readonly where: 'replace' | 'refuse';
  /** Runs when the file is complete and on the disk, just before it gets its name. */
  readonly beforeRename?: (() => void) | undefined;
}

/**
 * Creates a file synchronously: `make` fills a temporary file next to `path`, readable by its owner only,
 * which then gets its name. A killed process leaves a temporary file, never half a database; the next
 * one with the same target removes it. If two
 * processes create the same file, the first one's stays.
 */
export function createFile<T>(path: string, make: (temporary: string) => T): T {
  const temporary = createTemporary(path);
  const requireOurs = identify(temporary, path);
  try {
    const made = make(temporary);
    requireOurs();
    requireWhole(temporary, path);
    publish(temporary, path);
    return made;
  } catch (error) {
    throw renamed(error, temporary, path);
  } finally {
    removeTemporary(temporary);
  }
}

/** Creates a file asynchronously in the same way. When it resolves, file and name are on the disk. */
export async function createFileAsync<T>(
  path: string,
  { where, beforeRename }: CreateOptions,
  make: (temporary: string) => Promise<T>,
): Promise<T> {
  const temporary = createTemporary(path);
  const requireOurs = identify(temporary, path);
  try {
    const made = await make(temporary);
    requireOurs();
    requireWhole(temporary, path);
    sync(temporary, 'r+');
    beforeRename?.();
    if (where === 'replace') renameSync(temporary, path);
    else if (!publish(temporary, path))
      throw new Refusal(`${path} exists already; give another name.`);
    syncFolder(dirname(path));
    return made;
  } catch (error) {
    throw renamed(unwritable(error, path), temporary, path);
  } finally {
    removeTemporary(temporary);
  }
}

/** Creates the check that a name still leads to the same file: in a folder of others, it may lead to a file of theirs. */
function identify(temporary: string, path: string): () => void {
  const idOf = () => {
    const found = lstatSync(temporary, { bigint: true, throwIfNoEntry: false });
    return `${found?.dev}:${found?.ino}`;
  };
  const id = idOf();
  return () => {
    if (idOf() === id) return;
    throw new Refusal(
      `Another program has replaced the temporary file of ${path}; choose a folder in which only you can write.`,
    );
  };
}

/** Throws `Refusal` if a database still has a log: commits stay there if the disk has no room for them in the file. */
function requireWhole(temporary: string, path: string): void {
  const log = statSync(`${temporary}-wal`, { throwIfNoEntry: false });
  if (log === undefined || log.size === 0) return;
  throw new Refusal(`${path} cannot be written to its end; free some space on its disk.`);
}

/** Gives a temporary file its name. Returns false if there is a file of that name, which stays. */
function publish(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path); // unlike a rename, it never replaces a file
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && existsSync(path)) return false;
    if (code === 'EEXIST') throw new Refusal(`${path} is a link to nothing; remove it first.`);
    renameSync(temporary, path); // a file system without hard links
  }
  return true;
}

function sync(path: string, flags: 'r' | 'r+'): void {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(path: string): void {
  try {
    sync(path, 'r');
  } catch {
    // Windows cannot open folders, and some file systems cannot sync them. They keep names by other means.
  }
}

function unwritable(error: unknown, path: string): unknown {
  const { syscall, code } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  return new Refusal(`${path} cannot be written (${code}); check its folder and the room there.`);
}

function renamed(error: unknown, temporary: string, path: string): unknown {
  if (error instanceof Refusal) error.message = error.message.replaceAll(temporary, path);
  return error;
}

// Makes a file in one piece: whoever looks sees none, or a whole one.

import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

import { Refusal } from '../refusal.ts';

/** How a file is made that takes its time. */
export interface Making {
  /** What is done where there is a file of that name: the new one takes its place, or `Refusal`. */
  readonly where: 'replace' | 'refuse';
  /** Done when the draft is whole and on the disk, and lacks nothing but its name. */
  readonly last?: (() => void) | undefined;
}

/**
 * Has `make` fill a draft beside `path`, readable by its owner alone, and gives it its name when it
 * is done. A process that is killed leaves a draft, never half a database; of two that make the
 * same file the first one's stays.
 */
export function createFile<T>(path: string, make: (draft: string) => T): T {
  const draft = createDraft(path);
  try {
    const made = make(draft);
    requireWhole(draft, path);
    publish(draft, path);
    return made;
  } catch (error) {
    throw renamed(error, draft, path);
  } finally {
    remove(draft);
  }
}

/** Does the same for what takes its time; file and name are on the disk when it is done. */
export async function createSafely<T>(
  path: string,
  { where, last }: Making,
  make: (draft: string) => Promise<T>,
): Promise<T> {
  const draft = createDraft(path);
  try {
    const made = await make(draft);
    requireWhole(draft, path);
    sync(draft, 'r+');
    last?.();
    if (where === 'replace') renameSync(draft, path);
    else if (!publish(draft, path))
      throw new Refusal(`There is a file ${path} already; choose another name.`);
    syncFolder(dirname(path));
    return made;
  } catch (error) {
    throw renamed(unwritable(error, path), draft, path);
  } finally {
    remove(draft);
  }
}

/** Makes an empty draft beside `path`, a file unless told otherwise; returns where. Fails with `Refusal`. */
export function createDraft(path: string, kind: 'file' | 'folder' = 'file'): string {
  const draft = `${path}.${randomUUID().slice(0, 8)}.new`;
  const folder = dirname(path);
  if (!existsSync(folder)) throw new Refusal(`There is no folder ${folder}; make it first.`);
  try {
    if (kind === 'folder') mkdirSync(draft, 0o700);
    else closeSync(openSync(draft, 'wx', 0o600)); // -wal and -shm follow its mode
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Refusal(`${path} cannot be created (${code}); check the permissions of its folder.`);
  }
  return draft;
}

/** What was committed is in the log at first, and stays there where the file has no room to grow. */
function requireWhole(draft: string, path: string): void {
  const log = statSync(`${draft}-wal`, { throwIfNoEntry: false });
  if (log === undefined || log.size === 0) return;
  throw new Refusal(`${path} cannot be written to its end; free some space on its disk.`);
}

/** Gives a draft its name; returns false where a file has it already, which stays. */
function publish(draft: string, path: string): boolean {
  try {
    linkSync(draft, path); // never replaces a file, as a rename would
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && existsSync(path)) return false;
    if (code === 'EEXIST') throw new Refusal(`${path} is a link to nothing; remove it first.`);
    renameSync(draft, path); // a file system without hard links
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
    // Windows opens no folders, and some file systems sync none; they keep names by other means.
  }
}

function unwritable(error: unknown, path: string): unknown {
  const { syscall, code } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  return new Refusal(`${path} cannot be written (${code}); check its folder and the room there.`);
}

function renamed(error: unknown, draft: string, path: string): unknown {
  if (error instanceof Refusal) error.message = error.message.replaceAll(draft, path);
  return error;
}

function remove(draft: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(draft + end, { force: true });
}

// Makes a database file in one piece: whoever looks sees none, or a whole one.

import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { Refusal } from './refusal.ts';

/**
 * Has `make` fill a draft beside `path`, readable by its owner alone, and gives it its name when it
 * is done. A process that is killed leaves a draft, never half a database; of two that make the
 * same file the first one's stays.
 */
export function createFile<T>(path: string, make: (draft: string) => T): T {
  const draft = `${path}.${randomUUID().slice(0, 8)}.new`;
  createEmpty(draft, path);
  try {
    const made = make(draft);
    requireWhole(draft, path);
    publish(draft, path);
    return made;
  } catch (error) {
    if (error instanceof Refusal) error.message = error.message.replaceAll(draft, path);
    throw error;
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(draft + end, { force: true });
  }
}

function createEmpty(draft: string, path: string): void {
  const folder = dirname(path);
  if (!existsSync(folder)) throw new Refusal(`There is no folder ${folder}; make it first.`);
  try {
    closeSync(openSync(draft, 'wx', 0o600)); // -wal and -shm follow its mode
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Refusal(`${path} cannot be created (${code}); check the permissions of its folder.`);
  }
}

/** What was committed is in the log at first, and stays there where the file has no room to grow. */
function requireWhole(draft: string, path: string): void {
  const log = statSync(`${draft}-wal`, { throwIfNoEntry: false });
  if (log === undefined || log.size === 0) return;
  throw new Refusal(`${path} cannot be written to its end; free some space on its disk.`);
}

function publish(draft: string, path: string): void {
  try {
    linkSync(draft, path); // never replaces a file, as a rename would
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && existsSync(path)) return;
    if (code === 'EEXIST') throw new Refusal(`${path} is a link to nothing; remove it first.`);
    renameSync(draft, path); // a file system without hard links
  }
}

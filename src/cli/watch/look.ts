// Looks at a watched folder: which files are there, and whether the folder is there at all.

import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { factsOf } from '../../sources/watch/candidates.ts';
import { isRejectedFolder } from '../../sources/watch/move-aside.ts';
import { walkFolder } from '../import/import-folder.ts';
import { warnOnce, type FolderWatch } from './folder-watch.ts';

const GONE =
  'The folder is not there. If it is on a network share, check that the share is mounted; this waits for it.';
const EMPTY =
  'The folder is empty, but files were read from it before. If it is on a network share, check that the share is mounted.';

/**
 * Looks at all files of the folder, and notes those that are new or changed. Files are not opened.
 * Returns false if the folder is not there; it is warned about once.
 */
export async function lookAt(watch: FolderWatch): Promise<boolean> {
  const { folder, candidates, stop } = watch;
  if (!(await isFolder(folder))) return gone(watch);
  watch.counts.unreadable = 0;
  let entries = 0;
  for await (const { name, ...entry } of walkFolder(folder, isRejectedFolder)) {
    if (stop.aborted) return true;
    entries++;
    if ('stats' in entry) candidates.see(name, factsOf(entry.stats), performance.now());
    else if ('reason' in entry) {
      if (name === '') return gone(watch);
      if (await isThere(folder, name)) {
        watch.counts.unreadable++;
        warnOnce(watch, 'not read', { file: name, reason: entry.reason });
      }
    }
  }
  if (watch.warned.delete(FOLDER_GONE)) watch.logger.info({ folder }, 'the folder is back');
  if (entries === 0 && candidates.counts().read > 0) warnOnce(watch, EMPTY);
  return true;
}

const FOLDER_GONE = 'gone';

function gone({ warned, logger, folder }: FolderWatch): false {
  if (!warned.has(FOLDER_GONE)) logger.warn({ folder }, GONE);
  warned.add(FOLDER_GONE);
  return false;
}

/** Returns whether a path is a folder that can be reached. */
export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/** Returns whether an entry that could not be read is there. It may have been deleted or renamed meanwhile. */
async function isThere(folder: string, name: string): Promise<boolean> {
  if (name.includes('\uFFFD')) return true; // its name is no UTF-8, so it cannot be reached
  try {
    await lstat(join(folder, name));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

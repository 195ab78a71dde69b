// Decides what becomes of a file that was read: logs it, and moves it if all of it was rejected.

import { openInside } from '../../lib/inside.ts';
import type { FileFacts } from '../../sources/watch/candidates.ts';
import { moveAside, REJECTED } from '../../sources/watch/move-aside.ts';
import type { WatchedFile } from '../../store/sources/watched-files.ts';
import { readFile } from '../import/import-folder.ts';
import type { Tally } from '../import/tally.ts';
import { formatTime } from '../output/text.ts';
import { countRejects, warnOnce, type FolderWatch } from './folder-watch.ts';

/** A file whose memories are written. `first` is the first rejected item, as a sentence. */
export interface ImportedFile {
  readonly name: string;
  readonly facts: FileFacts;
  readonly tally: Tally;
  readonly first: string | undefined;
}

/** What became of a file. */
export type Outcome = Pick<WatchedFile, 'result' | 'reason'>;

/** Logs what became of a file, and moves it if it was rejected. Returns undefined if it is to be tried again. */
export async function conclude(
  watch: FolderWatch,
  file: ImportedFile,
): Promise<Outcome | undefined> {
  const { logger } = watch;
  const { name, tally, first = null } = file;
  const { added, updated, unchanged, rejected } = tally;
  const isNone = added + updated + unchanged === 0;
  if (first === null && isNone) {
    logger.info({ file: name }, 'nothing to import in it');
    return { result: 'skipped', reason: 'There is nothing to import in it.' };
  }
  if (first === null) {
    logger.info({ file: name, added, updated, unchanged }, 'imported');
    return { result: 'imported', reason: null };
  }
  if (isNone && !(await isReadable(watch, name))) return undefined;
  countRejects(watch, { file: name, reason: first }, rejected);
  if (!isNone) {
    logger.warn(
      { file: name, added, updated, unchanged, rejected, reason: first },
      'partly imported',
    );
    return { result: 'imported', reason: first };
  }
  if (!watch.isMoving) {
    logger.warn({ file: name, reason: first }, 'rejected');
    return { result: 'rejected', reason: first };
  }
  return move(watch, file, first);
}

/** Moves a rejected file. If that fails, the file stays, and counts as read until it changes. */
async function move(
  watch: FolderWatch,
  { name, facts }: ImportedFile,
  reason: string,
): Promise<Outcome | undefined> {
  const { folder, logger } = watch;
  try {
    const moved = await moveAside(folder, { name, facts, note: noteOf(name, reason) });
    if (moved === undefined) return undefined;
    watch.counts.moved++;
    logger.warn({ file: name, reason, moved_to: moved }, 'rejected');
    return { result: 'moved', reason };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    logger.warn(
      { file: name, reason, code },
      `rejected; it could not be moved to ${REJECTED}, ${whatToDo(code)}`,
    );
    return { result: 'rejected', reason };
  }
}

function whatToDo(code: string): string {
  return code === 'ENOTDIR'
    ? 'because that or a folder in it is a link or a file; make it a folder'
    : 'check the permissions and the space there';
}

function noteOf(name: string, reason: string): string {
  return [
    `Memory Gateway could not import this file on ${formatTime(Date.now())}.`,
    `Why: ${reason}`,
    `What to do: correct the file or export it again, and put it back as ${name}. It is read again there. If it is no recording, delete it and this note.`,
    '',
  ].join('\n');
}

/** Returns whether a rejected file can be read at all. A share may have failed while it was read. */
async function isReadable(watch: FolderWatch, name: string): Promise<boolean> {
  try {
    for await (const _ of readFile(() => openInside(watch.folder, name)))
      watch.stop.throwIfAborted();
    return true;
  } catch (error) {
    watch.stop.throwIfAborted();
    watch.counts.unreadable++;
    warnOnce(watch, 'not read', { file: name, reason: (error as Error).message });
    return false;
  }
}

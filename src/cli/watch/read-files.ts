// Reads the complete files of a watched folder: imports each, notes it in the database, and moves rejected ones.

import { eachInTurn } from '../../lib/async.ts';
import { factsOf, wasRead, isUntouched, type ReadFile } from '../../sources/watch/candidates.ts';
import type { Import, Writer } from '../../store/engine.ts';
import type { WatchedFile } from '../../store/sources/watched-files.ts';
import { createTally } from '../import/tally.ts';
import { conclude } from './conclude.ts';
import type { FolderWatch } from './folder-watch.ts';
import { countFile, importFile, look, type FoundFile } from './import-file.ts';
import { readParts } from './read-parts.ts';
import { keepReading, nextFiles, reasonAgainst } from './suspects.ts';

/** The database, open for a session. */
export interface WatchSession {
  readonly writer: Writer;
  readonly into: Import;
}

/** Files that were read are noted together, because each transaction waits for the disk. */
const NOTED = { files: 100, ms: 1000 };

/**
 * Reads files by their paths from the watched folder. A kill reads those again that were not noted yet,
 * which changes nothing. Rejects with the reason of `stop` if it is aborted.
 */
export async function readFiles(
  watch: FolderWatch,
  session: WatchSession,
  names: readonly string[],
): Promise<void> {
  let done: WatchedFile[] = [];
  const parts: FoundFile[] = [];
  let since = performance.now();
  const note = async () => {
    await noteFiles(watch, session, done);
    done = [];
    since = performance.now();
  };
  try {
    let announced = 0;
    for (const [i, name] of names.entries()) {
      watch.stop.throwIfAborted();
      if (i >= announced) {
        const next = nextFiles(watch, names.slice(i, i + NOTED.files));
        await keepReading(watch, session.writer, next);
        announced = i + next.length;
      }
      const stats = await look(watch, name);
      if (stats === undefined) watch.candidates.drop(name);
      else if (watch.candidates.see(name, factsOf(stats), performance.now())) {
        const file = await readOne(watch, session, { name, stats }, parts);
        if (file !== undefined) done.push(file);
        watch.suspects.delete(name);
      }
      if (done.length >= NOTED.files || performance.now() - since >= NOTED.ms) await note();
    }
    if (parts.length > 0)
      await keepReading(
        watch,
        session.writer,
        parts.map(({ name }) => name),
      );
    done.push(...(await readParts(watch, session.into, parts)));
  } finally {
    await note();
    await keepReading(watch, session.writer, []);
  }
}

/** Stores what became of files. Called after their memories are written. */
async function noteFiles(
  { key, candidates }: FolderWatch,
  { writer }: WatchSession,
  files: readonly WatchedFile[],
): Promise<void> {
  if (files.length === 0) return;
  await writer.transaction(() => eachInTurn(files, (file) => writer.watchedFiles.put(key, file)));
  for (const file of files)
    if (file.result === 'moved') candidates.drop(file.path);
    else candidates.keep(file.path, toReadFile(file));
}

/** Returns what is remembered of a file that was read. */
export function toReadFile(file: WatchedFile): ReadFile {
  const { size, modified_at, marker, result } = file;
  return { size, modified_at, marker, isRejected: result === 'rejected' };
}

/**
 * Reads a file. Returns undefined if there is nothing to note about it, or if it has parts of memories
 * whose other parts are in other files. It is then added to `parts`.
 */
async function readOne(
  watch: FolderWatch,
  session: WatchSession,
  file: FoundFile,
  parts: FoundFile[],
): Promise<WatchedFile | undefined> {
  const { candidates, key, isMoving } = watch;
  const { name } = file;
  const facts = factsOf(file.stats);
  const stored = await session.writer.watchedFiles.find(key, name);
  // Another watcher of this folder may have read it.
  if (stored && isKept(stored, isMoving) && wasRead(toReadFile(stored), facts)) {
    candidates.keep(name, toReadFile(stored));
    return undefined;
  }
  const against = reasonAgainst(watch, name);
  const { tally, first, isPart } =
    against === undefined
      ? await importFile(watch, session.into, file)
      : { tally: { ...createTally(), rejected: 1 }, first: against, isPart: false };
  if (isPart) {
    parts.push(file);
    return undefined;
  }
  const after = await look(watch, name);
  countFile(watch, tally);
  // It is seen again with its new facts, if it is still there.
  if (after === undefined || !isUntouched(facts, factsOf(after))) return undefined;
  const outcome = await conclude(watch, { name, facts, tally, first });
  if (outcome !== undefined) return { path: name, ...facts, ...outcome, read_at: Date.now() };
  candidates.drop(name);
  return undefined;
}

/** Returns whether a stored file counts as read. A moved file that is there again was put back to be read. */
export function isKept({ result }: WatchedFile, isMoving: boolean): boolean {
  return result !== 'moved' && !(isMoving && result === 'rejected');
}

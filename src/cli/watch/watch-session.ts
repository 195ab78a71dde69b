// Opens the database for a part of a watch, and retries while it is locked, stopped or being restored.

import type { Writer } from '../../store/engine.ts';
import { Refusal, type RefusalCode } from '../../store/refusal.ts';
import { rest } from '../rest.ts';
import { runCounts, warnOnce, type FolderWatch } from './folder-watch.ts';
import { isKept, readFiles, toReadFile } from './read-files.ts';
import { readSuspects, stateOf } from './suspects.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** How long --once waits for the database. */
const ONCE_MS = 60_000;

/**
 * Reads the complete files among `names`, and stores what was done so far. Between two sessions the
 * database is closed, so that it can be restored, moved or restarted. Vectors are made until a time, and the rest in
 * the next session. Resolves with whether the notes of the database about files had to be read, because they may be
 * others than before.
 */
export function runSession(
  watch: FolderWatch,
  names: readonly string[],
  embedUntil = Infinity,
): Promise<boolean> {
  return retried(watch, () =>
    watch.engine.withWriter(async (writer) => {
      const isReloaded = await holdRun(watch, writer);
      if (names.length > 0)
        await watch.engine.withImport({ isDry: false, isAtomic: false }, async (into) => {
          await readFiles(watch, { writer, into }, names);
          await into.commit();
        });
      const { run } = watch;
      if (run)
        await writer.sources.keep(run, { ...runCounts(watch.counts), state: stateOf(watch) });
      if (names.length > 0 || watch.lacksVectors) await embedNew(watch, writer, embedUntil);
      return isReloaded;
    }),
  );
}

/** Makes the vectors that are missing. If the endpoint fails, the next files bring another attempt. */
async function embedNew(watch: FolderWatch, writer: Writer, until: number): Promise<void> {
  const { endpoint, key, stop } = watch;
  if (endpoint === undefined) return;
  const { tryToEmbed } = await import('../embed/embedding.ts');
  watch.lacksVectors = false;
  const isOver = () => (watch.lacksVectors = stop.aborted || performance.now() >= until);
  const problem = await tryToEmbed([key.account_id], { writer, endpoint, isOver });
  if (problem !== undefined) warnOnce(watch, problem);
}

/** Stores how the watch ended. `error` is a sentence, or null. */
export async function endWatch(watch: FolderWatch, error: string | null): Promise<void> {
  const { engine, counts, run, isOnce, stop } = watch;
  if (run === undefined) return;
  // A signal is the usual end of a watch, but not of --once.
  const result = error !== null ? 'failed' : isOnce && stop.aborted ? 'interrupted' : 'ok';
  await engine.withWriter((writer) =>
    writer.sources.end(run, { ...runCounts(counts), result, error }),
  );
}

/**
 * Starts the run, or shows that it goes on. If another watcher of the folder has started since, or
 * the database was restored, it starts again with the files that the database knows.
 */
async function holdRun(watch: FolderWatch, writer: Writer): Promise<boolean> {
  if (watch.run !== undefined)
    try {
      watch.run = await writer.sources.step(watch.run);
      return false;
    } catch (error) {
      // Other errors have a code, or are not for people.
      if (!(error instanceof Refusal) || error.code !== undefined) throw error;
    }
  const { key, folder, candidates, isMoving } = watch;
  const settings = JSON.stringify({ folder });
  const { run, before } = await writer.sources.start({ ...key, kind: 'watch', settings });
  if (watch.run === undefined)
    for (const suspect of readSuspects(before?.state)) watch.suspects.set(...suspect);
  watch.run = run;
  candidates.forget();
  for (let after = ''; ;) {
    const page = await writer.watchedFiles.page(key, after);
    const last = page.at(-1);
    if (last === undefined) return true;
    for (const file of page)
      if (isKept(file, isMoving)) candidates.keep(file.path, toReadFile(file));
    after = last.path;
  }
}

/** These pass by themselves, so that a start waits for them as well. */
const PASSING = new Set<RefusalCode | undefined>(['locked', 'unreachable', 'busy']);

async function retried<T>(watch: FolderWatch, work: () => Promise<T>): Promise<T> {
  const { engine, stop, isOnce, logger } = watch;
  const began = performance.now();
  const said = new Set<string>();
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      const done = await work();
      if (said.size > 0) logger.info({}, 'the database can be used again');
      return done;
    } catch (error) {
      const refusal = stop.aborted ? error : await engine.explain(error);
      if (stop.aborted || !(refusal instanceof Refusal)) throw error;
      const isStarted = watch.run !== undefined && !isOnce;
      if (!isStarted && !PASSING.has(refusal.code)) throw refusal;
      if (isOnce && performance.now() - began > ONCE_MS) throw refusal;
      if (!said.has(refusal.message)) logger.warn(`Trying again. ${refusal.message}`);
      said.add(refusal.message);
      await rest(pause, stop);
      stop.throwIfAborted();
    }
  }
}

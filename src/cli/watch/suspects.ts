// Files whose reading may have ended a process: they are read last and alone, and rejected if that ends it again.

import * as v from 'valibot';

import type { Writer } from '../../store/engine.ts';
import { Refusal } from '../../store/refusal.ts';
import { runCounts, type FolderWatch } from './folder-watch.ts';

/** How often such a file is read alone. A process can end at any file for another reason. */
const TRIES = 2;

const State = v.object({ reading: v.record(v.string(), v.number()) });

/** Returns the files that a process was reading when it ended, with how often each was read alone. */
export function readSuspects(state = '{}'): Map<string, number> {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), State), state);
  return new Map(read.success ? Object.entries(read.output.reading) : []);
}

/** Returns the state to store before files are read. */
export function stateOf({ suspects }: FolderWatch, names: readonly string[] = []): string {
  const isAlone = names.some((name) => suspects.has(name));
  const next = names.map((name) => [name, isAlone ? (suspects.get(name) ?? 0) + 1 : 0]);
  const reading = Object.fromEntries([...suspects, ...next]);
  return JSON.stringify(Object.keys(reading).length > 0 ? { reading } : {});
}

/** Puts the suspects behind the other files, and those behind that were read alone. */
export function orderSuspects({ suspects }: FolderWatch, names: readonly string[]): string[] {
  return names.toSorted((a, b) => (suspects.get(a) ?? -1) - (suspects.get(b) ?? -1));
}

/** Returns which of the files that follow are read before the state is stored again: a suspect alone. */
export function nextFiles({ suspects }: FolderWatch, names: readonly string[]): readonly string[] {
  const first = names.findIndex((name) => suspects.has(name));
  return first < 0 ? names : names.slice(0, Math.max(1, first));
}

/** Returns why a file is not read any more, as a sentence, or undefined. */
export function reasonAgainst({ suspects }: FolderWatch, name: string): string | undefined {
  return (suspects.get(name) ?? 0) < TRIES
    ? undefined
    : `${name}: this program ended each time that it read this file; import it alone to see why, or change it`;
}

/** Stores which files are read next. Another watcher of the folder may have replaced the run. */
export async function keepReading(
  watch: FolderWatch,
  writer: Writer,
  names: readonly string[],
): Promise<void> {
  const { run, counts } = watch;
  try {
    if (run) await writer.sources.keep(run, { ...runCounts(counts), state: stateOf(watch, names) });
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== undefined) throw error;
  }
}

// Imports a single file of a watched folder.

import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join, relative } from 'node:path';

import type { Import } from '../../store/engine.ts';
import { addFindings } from '../import/findings.ts';
import { runImport, type ImportRun } from '../import/run-import.ts';
import { openEntry, type SourceEntry } from '../import/sources.ts';
import { createTally, formatRejected, type Tally } from '../import/tally.ts';
import type { FolderWatch } from './folder-watch.ts';

/** A file, with its path from the watched folder. */
export interface FoundFile {
  readonly name: string;
  readonly stats: Stats;
}

/** Returns the state of a file, or undefined if it is not there. */
export async function look({ folder }: FolderWatch, name: string): Promise<Stats | undefined> {
  const stats = await lstat(join(folder, name)).catch(() => undefined);
  return stats?.isFile() ? stats : undefined;
}

/** Imports a file, or the files of an archive. `first` is the first rejected item, as a sentence. */
export async function importFile(watch: FolderWatch, into: Import, { name, stats }: FoundFile) {
  let first: string | undefined;
  let isPart = false;
  const tally = await importEntries(watch, into, {
    entries: openEntry(watch.folder, { name, stats }, {}),
    onReject({ file, ...reject }, isPartOfMemory = false) {
      first ??= formatRejected({ file: relative(watch.folder, file), ...reject });
      isPart ||= isPartOfMemory;
    },
  });
  return { tally, first, isPart };
}

interface Entries {
  readonly entries: AsyncIterable<SourceEntry>;
  readonly onReject: ImportRun['onReject'];
}

/** Imports the files that are found, and returns what they contained. */
export async function importEntries(
  watch: FolderWatch,
  into: Import,
  { entries, onReject }: Entries,
): Promise<Tally> {
  const tally = createTally();
  await runImport(abortable(entries, watch.stop), {
    into,
    tally,
    reading: watch.reading,
    progress: { to: () => {}, say: () => {} },
    ownerOf: () => watch.key.account_id,
    onReject,
  });
  return tally;
}

/** Lets a signal end the reading of a long file. What is written of it stays, and it is read again. */
async function* abortable(
  entries: AsyncIterable<SourceEntry>,
  stop: AbortSignal,
): AsyncGenerator<SourceEntry> {
  for await (const entry of entries) {
    stop.throwIfAborted();
    if (!('open' in entry)) yield entry;
    else
      yield {
        ...entry,
        async *open() {
          for await (const part of entry.open()) {
            stop.throwIfAborted();
            yield part;
          }
        },
      };
  }
}

/** Adds what a file contained to what the watch has done. */
export function countFile(
  { counts }: FolderWatch,
  { added, updated, unchanged, found }: Tally,
): void {
  counts.files++;
  counts.added += added;
  counts.updated += updated;
  counts.unchanged += unchanged;
  addFindings(counts.found, found);
}

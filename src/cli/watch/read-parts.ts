// Reads files of a watched folder that hold parts of memories, together with the other files beside them.

import { join, relative } from 'node:path';

import { factsOf, isUntouched } from '../../sources/watch/candidates.ts';
import type { Import } from '../../store/engine.ts';
import type { WatchedFile } from '../../store/sources/watched-files.ts';
import { walkFolder } from '../import/import-folder.ts';
import { openEntry, type SourceEntry } from '../import/sources.ts';
import { formatRejected } from '../import/tally.ts';
import { countRejects, type FolderWatch } from './folder-watch.ts';
import { countFile, importEntries, look, type FoundFile } from './import-file.ts';

/** Files that can hold parts of memories. */
const PARTS = /\.(?:json|jsonl|ndjson|md)(?:\.gz)?$/i;

/**
 * Reads files with parts together with all files of their folder in the watched folder, and returns what became of each. A part whose others are not
 * there yet counts as rejected and stays where it is. When another part arrives, all are read again.
 */
export async function readParts(
  watch: FolderWatch,
  into: Import,
  parts: readonly FoundFile[],
): Promise<WatchedFile[]> {
  const done: WatchedFile[] = [];
  for (const [folder, files] of Map.groupBy(parts, ({ name }) => topOf(name))) {
    const reasons = new Map<string, string>();
    const tally = await importEntries(watch, into, {
      entries: entriesOf(watch, folder),
      onReject({ file, ...reject }, isPart = false) {
        const name = relative(watch.folder, file);
        if (isPart && !reasons.has(name))
          reasons.set(name, formatRejected({ file: name, ...reject }));
      },
    });
    countFile(watch, tally);
    for (const { name, stats } of files) {
      const after = await look(watch, name);
      const facts = factsOf(stats);
      // It is seen again with its new facts, if it is still there.
      if (after === undefined || !isUntouched(facts, factsOf(after))) continue;
      done.push({ path: name, ...facts, ...outcomeOf(watch, name, reasons), read_at: Date.now() });
    }
  }
  return done;
}

function outcomeOf(
  watch: FolderWatch,
  name: string,
  reasons: ReadonlyMap<string, string>,
): Pick<WatchedFile, 'result' | 'reason'> {
  const reason = reasons.get(name);
  if (reason === undefined) {
    watch.logger.info({ file: name }, 'imported with the files beside it');
    return { result: 'imported', reason: null };
  }
  countRejects(watch, { file: name, reason }, 1);
  watch.logger.warn({ file: name, reason }, 'rejected until the files that belong to it arrive');
  return { result: 'rejected', reason };
}

/** The folder in the watched folder that a file is in, at any depth; empty if it is in none. */
function topOf(name: string): string {
  return name.includes('/') ? name.slice(0, name.indexOf('/')) : '';
}

async function* entriesOf({ folder }: FolderWatch, top: string): AsyncGenerator<SourceEntry> {
  const isElsewhere = (name: string) => top === '' && name.includes('/');
  for await (const entry of walkFolder(join(folder, top), isElsewhere)) {
    const name = top === '' ? entry.name : `${top}/${entry.name}`;
    if ('stats' in entry && PARTS.test(name) && entry.stats.size > 0)
      yield* openEntry(folder, { name, stats: entry.stats }, {});
  }
}

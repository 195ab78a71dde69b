// Writes memories as a folder of files, one for each: Markdown notes, captions, texts or originals.

import type { Memory } from '../../contract/schemas/memory.ts';
import { captionFile, type CaptionFormat } from '../../formats/captions/file.ts';
import { foldName } from '../../formats/markdown/filename.ts';
import { toMarkdown, type Note } from '../../formats/markdown/markdown.ts';
import type { Awaitable } from '../../lib/async.ts';
import { dayReader } from '../../lib/timezone.ts';
import type { Batches } from '../../store/engine.ts';
import type { EncodedEntry } from '../../store/store.ts';
import { createDetailsReader, type DetailsOf } from './details.ts';
import { writeToFolder, type WriteFile } from './export-folder.ts';
import { createOriginalFiles } from './original-file.ts';
import type { ExportTarget } from './output.ts';
import { readMemory } from './stored-memory.ts';

/** The formats with one file for each memory. */
export type FolderFormat = CaptionFormat | 'markdown' | 'originals';

/** What is written, and for whom. */
export interface FolderExport extends DetailsOf {
  readonly format: FolderFormat;
  readonly target: ExportTarget;
  readonly timezone: string;
}

/** What was written. */
interface Filled {
  readonly memories: number;
  /** How many memories have no file in this format: they have no times for captions, or no original. */
  readonly left_out: number;
}

/** A file of the export. */
interface MadeFile extends Pick<Note, 'name'> {
  readonly text: string | Uint8Array;
}

/** Makes the file of a memory. Undefined: it has none in this format. `written`: another memory has made it. */
type ToFile = (
  memory: Memory,
  day: string,
  isTaken: (name: string) => boolean,
) => Awaitable<MadeFile | 'written' | undefined>;

/**
 * Writes memories in the order of their times as a folder of files. Notes are filed by their days in a time zone,
 * captions and texts by the time in UTC. Resolves with their number and the SHA-256 of SHA256SUMS.
 */
export async function writeFolder(batches: Batches, { target, ...how }: FolderExport) {
  const dayOf = await dayReader(how.format === 'markdown' ? how.timezone : 'UTC');
  const toFile = toFileOf(how);
  const { result, sha256 } = await writeToFolder(target, (write) =>
    writeAll(batches, write, { dayOf, toFile }),
  );
  return { ...result, sha256 };
}

function toFileOf({ format, ...of }: Omit<FolderExport, 'target'>): ToFile {
  if (format === 'markdown') return toNote(of);
  return format === 'originals' ? createOriginalFiles(of) : toTimedFile(of, format);
}

/** Returns how a note is made of a memory and the action items in its details. */
function toNote(of: DetailsOf): ToFile {
  const read = createDetailsReader(of);
  return async (memory, day, isTaken) => {
    const { action_items } = (await read(memory.id)) ?? {};
    return toMarkdown({ ...memory, action_items }, isTaken, day);
  };
}

async function writeAll(
  batches: Batches,
  write: WriteFile,
  { dayOf, toFile }: { dayOf: (instant: string) => string; toFile: ToFile },
): Promise<Filled> {
  let [memories, left_out] = [0, 0];
  // The names of two days. Each begins with its date, and a day comes back if clocks are set back at midnight.
  const names = new Map<string, Set<string>>();
  for await (const item of itemsOf(batches)) {
    const memory = readMemory(item);
    const day = dayOf(memory.started_at);
    const taken = names.get(day) ?? new Set();
    names.set(day, taken);
    const [earliest = day] = names.keys();
    if (names.size > 2) names.delete(earliest);
    const file = await toFile(memory, day, (each) => taken.has(foldName(each)));
    if (file === undefined) {
      left_out++;
      continue;
    }
    memories++;
    if (file === 'written') continue;
    taken.add(foldName(file.name));
    write(file.name, file.text);
  }
  return { memories, left_out };
}

async function* itemsOf(batches: Batches): AsyncGenerator<EncodedEntry> {
  for await (const items of batches) yield* items;
}

/** Returns how the file of a memory is made from its transcript and the times in its details. */
function toTimedFile(of: DetailsOf, format: CaptionFormat): ToFile {
  const read = createDetailsReader(of);
  return async (memory, _, isTaken) => {
    const { line_starts_ms = null } = (await read(memory.id)) ?? {};
    return captionFile({ ...memory, line_starts_ms }, { format, isTaken });
  };
}

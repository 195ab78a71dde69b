// Writes memories as a folder of Markdown notes.

import * as v from 'valibot';

import { Memory } from '../../contract/schemas/memory.ts';
import { foldName } from '../../formats/markdown/filename.ts';
import { toMarkdown } from '../../formats/markdown/markdown.ts';
import { dayReader } from '../../lib/timezone.ts';
import type { Batches } from '../../store/engine.ts';
import { Refusal } from '../../store/refusal.ts';
import type { EncodedEntry } from '../../store/store.ts';
import { writeToFolder, type WriteFile } from './export-folder.ts';
import type { ExportTarget } from './output.ts';

/**
 * Writes memories in the order of their times as a folder of notes, filed by their days in a time zone.
 * Resolves with their number and the SHA-256 of SHA256SUMS.
 */
export async function writeMarkdown(batches: Batches, target: ExportTarget, timezone: string) {
  const dayOf = await dayReader(timezone);
  const { result, sha256 } = await writeToFolder(target, (write) =>
    writeAll(batches, write, dayOf),
  );
  return { memories: result, sha256 };
}

async function writeAll(
  batches: Batches,
  write: WriteFile,
  dayOf: (instant: string) => string,
): Promise<number> {
  let memories = 0;
  // The names of two days. Each begins with its date, and a day comes back if clocks are set back at midnight.
  const names = new Map<string, Set<string>>();
  for await (const item of itemsOf(batches)) {
    const memory = readMemory(item);
    const day = dayOf(memory.started_at);
    const taken = names.get(day) ?? new Set();
    names.set(day, taken);
    const [earliest = day] = names.keys();
    if (names.size > 2) names.delete(earliest);
    const { name, text } = toMarkdown(memory, (each) => taken.has(foldName(each)), day);
    taken.add(foldName(name));
    write(name, text);
    memories++;
  }
  return memories;
}

async function* itemsOf(batches: Batches): AsyncGenerator<EncodedEntry> {
  for await (const items of batches) yield* items;
}

const Stored = v.pipe(v.string(), v.parseJson(), Memory);

/** Reads a stored memory. Throws `Refusal` if somebody has edited it so that it breaks the schema. */
function readMemory({ id, bytes }: EncodedEntry): Memory {
  const read = v.safeParse(Stored, Buffer.from(bytes).toString());
  if (read.success) return read.output;
  throw new Refusal(`Memory ${id} does not match the schema of a memory; restore a backup.`);
}

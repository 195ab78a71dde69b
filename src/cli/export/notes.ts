// Notes: memories as a folder of Markdown.

import * as v from 'valibot';

import { Memory } from '../../contract/memory.ts';
import { foldName } from '../../formats/filename.ts';
import { toMarkdown } from '../../formats/markdown.ts';
import { Refusal } from '../../store/refusal.ts';
import type { Batches } from '../../store/snapshot.ts';
import type { Encoded } from '../../store/store.ts';
import { toFolder, type WriteFile } from './folder.ts';
import type { Target } from './output.ts';

/** Writes memories, oldest first, as a folder of notes; returns how many, and the SHA-256 of the list of their hashes. */
export async function writeNotes(batches: Batches, target: Target) {
  const { told, sha256 } = await toFolder(target, (write) => writeAll(batches, write));
  return { memories: told, sha256 };
}

async function writeAll(batches: Batches, write: WriteFile): Promise<number> {
  let memories = 0;
  let day = '';
  const taken = new Set<string>(); // on that day: its date is in every name
  for await (const item of itemsOf(batches)) {
    const memory = readMemory(item);
    if (!memory.started_at.startsWith(day)) taken.clear();
    day = memory.started_at.slice(0, 10);
    const { name, text } = toMarkdown(memory, (each) => taken.has(foldName(each)));
    taken.add(foldName(name));
    write(name, text);
    memories++;
  }
  return memories;
}

async function* itemsOf(batches: Batches): AsyncGenerator<Encoded> {
  for await (const items of batches) yield* items;
}

const Stored = v.pipe(v.string(), v.parseJson(), Memory);

/** Reads a memory as it is kept, which a person may have edited. Fails with `Refusal` when it is none. */
function readMemory({ id, bytes }: Encoded): Memory {
  const read = v.safeParse(Stored, Buffer.from(bytes).toString());
  if (read.success) return read.output;
  throw new Refusal(`Memory ${id} is not what the contract says; restore it from a backup.`);
}

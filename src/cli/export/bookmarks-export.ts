// Writes what only the app has as JSON Lines: a line for each memory with a star, a note or a ticked action item, or for each saved search.

import { hash } from 'node:crypto';

import { toJson } from '../../contract/json.ts';
import { bookmarksOf, doneItems } from '../../store/app/bookmarks.ts';
import { searchesOf } from '../../store/app/searches.ts';
import type { Batches } from '../../store/engine.ts';
import type { EncodedEntry } from '../../store/store.ts';
import type { DetailsOf } from './details.ts';
import { JSON_FRAMES, writeList } from './list-export.ts';
import type { WriteBytes } from './output.ts';
import { readMemory } from './stored-memory.ts';

/** Writes the bookmarks of memories in their order. Resolves with their number and the SHA-256 of all bytes. */
export async function writeBookmarks(
  memories: Batches,
  { account_id, snapshot }: DetailsOf,
  write: WriteBytes,
) {
  const rows = await snapshot.connection.prepare(bookmarksOf).all({ account_id });
  const bookmarks = new Map(rows.map((row) => [row.memory_id, row]));
  async function* marked() {
    for await (const items of memories) yield items.filter(({ id }) => bookmarks.has(id));
  }
  return writeList(marked(), { ...JSON_FRAMES.jsonl, toBytes }, write);

  function toBytes(entry: EncodedEntry): Uint8Array {
    const { id: memory_id, name, started_at } = readMemory(entry);
    const found = bookmarks.get(memory_id);
    const { is_starred = 0, note = '', changed_at = 0, done_items = '[]' } = found ?? {};
    const own = {
      is_starred: is_starred === 1,
      note,
      changed_at: new Date(changed_at),
      done_items: doneItems(done_items),
    };
    return Buffer.from(toJson({ memory_id, name, started_at, ...own }));
  }
}

/** Writes the saved searches of an account. Resolves with their number and the SHA-256 of all bytes. */
export async function writeSearches({ account_id, snapshot }: DetailsOf, write: WriteBytes) {
  const rows = await snapshot.connection.prepare(searchesOf).all({ account_id });
  const lines = rows.flatMap(({ changed_at, ...row }) => [
    toJson({ ...row, changed_at: new Date(changed_at) }),
    Buffer.from('\n'),
  ]);
  const bytes = Buffer.concat(lines);
  await write(bytes);
  return { memories: rows.length, sha256: hash('sha256', bytes) };
}

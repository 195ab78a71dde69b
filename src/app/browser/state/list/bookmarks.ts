// Bookmarks: the stars and notes of the owner, and the action items that the owner has ticked. No memory and no program has them.

import { signal } from '@preact/signals';

import { app } from '../session.ts';

/** The star and the note of a memory, and the texts of the action items that are ticked. */
export interface Bookmark {
  readonly is_starred: boolean;
  readonly note: string;
  readonly done_items: readonly string[];
}

/** All bookmarks by the ids of their memories, the latest memory first. Empty until they are read. */
export const bookmarks = signal<ReadonlyMap<string, Bookmark>>(new Map());

const NOTHING: Bookmark = { is_starred: false, note: '', done_items: [] };

/** Returns the bookmark of a memory. */
export function bookmarkOf(id: string): Bookmark {
  return bookmarks.value.get(id) ?? NOTHING;
}

let loading: Promise<void> | undefined;

/** Reads all bookmarks, with one request for all who ask at the same time. Rejects with `Failure`. */
export function loadBookmarks(): Promise<void> {
  loading ??= readBookmarks().finally(() => {
    loading = undefined;
  });
  return loading;
}

async function readBookmarks(): Promise<void> {
  const all = await app.bookmarks.list();
  bookmarks.value = new Map(all.map((each) => [each.memory_id, each]));
}

/** What changes in a bookmark. */
type Change = Omit<Parameters<typeof app.bookmarks.set>[0], 'id'>;

/** Changes the bookmark of a memory. What the change does not name stays as it is. Rejects with `Failure`. */
export async function bookmark(id: string, change: Change): Promise<void> {
  await loading; // it would bring back what was there before
  const changed = await app.bookmarks.set({ id, ...change });
  bookmarks.value = new Map(bookmarks.value).set(id, changed);
}

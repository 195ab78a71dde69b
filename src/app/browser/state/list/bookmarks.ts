// Bookmarks: the stars and notes of the owner. No memory and no program has them.

import { signal } from '@preact/signals';

import { app } from '../session.ts';

/** The star and the note of a memory. */
export interface Bookmark {
  readonly is_starred: boolean;
  readonly note: string;
}

/** All bookmarks by the ids of their memories, the latest memory first. Empty until they are read. */
export const bookmarks = signal<ReadonlyMap<string, Bookmark>>(new Map());

/** Returns the bookmark of a memory. */
export function bookmarkOf(id: string): Bookmark {
  return bookmarks.value.get(id) ?? { is_starred: false, note: '' };
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
  bookmarks.value = new Map(
    all.map(({ memory_id, is_starred, note }) => [memory_id, { is_starred, note }]),
  );
}

/** Changes the star or the note of a memory. Rejects with `Failure`. */
export async function bookmark(id: string, change: Partial<Bookmark>): Promise<void> {
  await loadBookmarks(); // a star keeps the note, also one that is not read yet, or of another device
  const changed = { ...bookmarkOf(id), ...change };
  await app.bookmarks.set({ id, ...changed });
  bookmarks.value = new Map(bookmarks.value).set(id, changed);
}

// Bookmarks: the stars and notes that owners give their memories. No read of /v1 has them.

import { isThere } from '../bin/bin-sql.ts';
import type { AppRow } from '../sql/app-tables.ts';
import { ofSameMemory } from '../sql/joins.ts';
import { build, query, type Slot } from '../sql/query.ts';
import { deleteRows, insertRow, updateRows } from '../sql/row-queries.ts';
import type { AppAccess } from './access.ts';
import { requireRoom } from './caps.ts';
import type { BookmarkStore } from './owner-stores.ts';

type Row = AppRow<'bookmarks'>;

/** Reads the bookmarks of the memories that are there, the latest memory first. */
export const bookmarksOf = query((slot: Slot<Pick<Row, 'account_id'>>) =>
  build
    .selectFrom('bookmarks')
    .innerJoin('memories', ofSameMemory('memories', 'bookmarks'))
    .select(['memory_id', 'is_starred', 'note', 'changed_at'])
    .where('bookmarks.account_id', '=', slot('account_id'))
    .orderBy('memories.started_at', 'desc')
    .orderBy('memory_id'),
);

const update = updateRows('bookmarks', {
  set: ['is_starred', 'note', 'changed_at'],
  by: ['account_id', 'memory_id'],
});

const insert = insertRow('bookmarks');

const remove = deleteRows('bookmarks', ['account_id', 'memory_id']);

/** Creates the reads and writes of bookmarks. */
export function bookmarkStore({ read, write }: AppAccess): BookmarkStore {
  return {
    list: (account_id) =>
      read({ account_id }, ({ prepare }) => prepare(bookmarksOf).all({ account_id })),
    set: (bookmark) =>
      write({ account_id: bookmark.account_id }, async (on) => {
        const { account_id, memory_id } = bookmark;
        if ((await on.prepare(isThere).get({ account_id, memory_id })) === undefined) return false;
        const row = { ...bookmark, changed_at: on.now() };
        if (row.is_starred === 0 && row.note === '') {
          await on.prepare(remove).run({ account_id, memory_id });
        } else if ((await on.prepare(update).run(row)) === 0) {
          await requireRoom(on, 'bookmarks', account_id);
          await on.prepare(insert).run(row);
        }
        return true;
      }),
  };
}

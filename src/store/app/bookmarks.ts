// Bookmarks: the stars and notes that owners give their memories, and the action items that they tick. No read of /v1 has them.

import * as v from 'valibot';

import { isThere } from '../bin/bin-sql.ts';
import { Refusal } from '../refusal.ts';
import { ofSameMemory } from '../sql/joins.ts';
import { build, query, type Slot } from '../sql/query.ts';
import { deleteRows, insertRow, selectRows, updateRows } from '../sql/row-queries.ts';
import { appRows, type AppRow } from '../sql/tables/app-tables.ts';
import type { AppAccess } from './access.ts';
import { requireRoom } from './caps.ts';
import type { BookmarkChange, BookmarkStore } from './owner-stores.ts';

type Row = AppRow<'bookmarks'>;

const COLUMNS = ['memory_id', 'is_starred', 'note', 'changed_at', 'done_items'] as const;

const KEY = ['account_id', 'memory_id'] as const;

/** How many action items of a memory can be ticked. */
const MOST_ITEMS = 200;

/** Reads the bookmarks of the memories that are there, the latest memory first. */
export const bookmarksOf = query((slot: Slot<Pick<Row, 'account_id'>>) =>
  build
    .selectFrom('bookmarks')
    .innerJoin('memories', ofSameMemory('memories', 'bookmarks'))
    .select(COLUMNS)
    .where('bookmarks.account_id', '=', slot('account_id'))
    .orderBy('memories.started_at', 'desc')
    .orderBy('memory_id'),
);

const update = updateRows('bookmarks', {
  set: ['is_starred', 'note', 'changed_at', 'done_items'],
  by: KEY,
});

const one = selectRows('bookmarks', { columns: COLUMNS, by: KEY });

const insert = insertRow('bookmarks');

const remove = deleteRows('bookmarks', KEY);

const NOTHING = { is_starred: 0, note: '', done_items: '[]' };

/** Creates the reads and writes of bookmarks. */
export function bookmarkStore({ read, write }: AppAccess): BookmarkStore {
  return {
    list: (account_id) =>
      read({ account_id }, ({ prepare }) => prepare(bookmarksOf).all({ account_id })),
    get: (of) => read({ account_id: of.account_id }, ({ prepare }) => prepare(one).get(of)),
    change: (of, change) =>
      write({ account_id: of.account_id }, async (on) => {
        if ((await on.prepare(isThere).get(of)) === undefined) return undefined;
        const before = await on.prepare(one).get(of);
        const row = { ...changed(before, change), ...of, changed_at: on.now() };
        if (row.is_starred === 0 && row.note === '' && row.done_items === '[]') {
          await on.prepare(remove).run(of);
        } else if (before !== undefined) {
          await on.prepare(update).run(row);
        } else {
          await requireRoom(on, 'bookmarks', of.account_id);
          await on.prepare(insert).run(row);
        }
        return row;
      }),
  };
}

/** Reads the texts of the ticked items. Throws if somebody has edited them so that they are no list. */
export function doneItems(stored: string): string[] {
  return v.parse(appRows.bookmarks.entries.done_items, stored);
}

/** Returns what a bookmark has after a change. Throws `Refusal` if too many items would be ticked. */
function changed(
  { is_starred, note, done_items }: Pick<Row, 'is_starred' | 'note' | 'done_items'> = NOTHING,
  { item, ...change }: BookmarkChange,
) {
  const items = new Set(doneItems(done_items));
  if (item?.is_done) items.add(item.text);
  else if (item) items.delete(item.text);
  if (items.size > MOST_ITEMS)
    throw new Refusal(`A memory has at most ${MOST_ITEMS} ticked action items; open one first.`, {
      code: 'too-many',
    });
  return { is_starred, note, ...change, done_items: JSON.stringify([...items]) };
}

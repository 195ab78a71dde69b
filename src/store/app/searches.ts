// The searches that owners have saved by name. No read of /v1 has them.

import { deleteRows, insertRow, selectRows, updateRows } from '../sql/row-queries.ts';
import type { AppAccess } from './access.ts';
import { requireRoom } from './caps.ts';
import type { SearchStore } from './owner-stores.ts';

/** Reads the saved searches of an account by their names. */
export const searchesOf = selectRows('searches', {
  columns: ['name', 'query', 'changed_at'],
  by: ['account_id'],
  order: ['name'],
});

const update = updateRows('searches', { set: ['query', 'changed_at'], by: ['account_id', 'name'] });

const insert = insertRow('searches');

const remove = deleteRows('searches', ['account_id', 'name']);

/** Creates the reads and writes of saved searches. */
export function searchStore({ read, write }: AppAccess): SearchStore {
  return {
    list: (account_id) =>
      read({ account_id }, ({ prepare }) => prepare(searchesOf).all({ account_id })),
    set: (search) =>
      write({ account_id: search.account_id }, async (on) => {
        const { account_id, name } = search;
        const row = { ...search, changed_at: on.now() };
        if (row.query === '') {
          await on.prepare(remove).run({ account_id, name });
        } else if ((await on.prepare(update).run(row)) === 0) {
          await requireRoom(on, 'searches', account_id);
          await on.prepare(insert).run(row);
        }
      }),
  };
}

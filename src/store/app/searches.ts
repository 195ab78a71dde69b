// The searches that owners have saved by name. No read of /v1 has them.

import type { AppRow } from '../sql/app-tables.ts';
import { insertRow } from '../sql/insert-row.ts';
import { build, query, type Slot } from '../sql/query.ts';
import type { AppAccess } from './access.ts';
import { requireRoom } from './caps.ts';
import type { SearchStore } from './owner-stores.ts';

type Row = AppRow<'searches'>;

/** Reads the saved searches of an account by their names. */
export const searchesOf = query((slot: Slot<Pick<Row, 'account_id'>>) =>
  build
    .selectFrom('searches')
    .select(['name', 'query', 'changed_at'])
    .where('account_id', '=', slot('account_id'))
    .orderBy('name'),
);

const update = query((slot: Slot<Row>) =>
  build
    .updateTable('searches')
    .set({ query: slot('query'), changed_at: slot('changed_at') })
    .where('account_id', '=', slot('account_id'))
    .where('name', '=', slot('name')),
);

const insert = query((slot: Slot<Row>) => insertRow('searches', slot));

const remove = query((slot: Slot<Pick<Row, 'account_id' | 'name'>>) =>
  build
    .deleteFrom('searches')
    .where('account_id', '=', slot('account_id'))
    .where('name', '=', slot('name')),
);

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

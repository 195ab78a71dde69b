// Writes the details of memories to a SQLite file, row by row.

import type { Database } from 'better-sqlite3';

import {
  changeOf,
  isWritten,
  toDetailsRows,
  type DetailsChange,
  type Owner,
  type PreparedDetails,
} from '../../details/details-row.ts';
import type { DetailTables } from '../../sql/detail-tables.ts';
import { insertRow, upsertRow } from '../../sql/insert-row.ts';
import { build, query, type Slot } from '../../sql/query.ts';
import { prepareOn } from '../statements.ts';

interface OfMemory {
  readonly account_id: string;
  readonly memory_id: string;
}

const find = query((slot: Slot<OfMemory>) =>
  build
    .selectFrom('details')
    .select(['read_sha256', 'original_sha256'])
    .where('account_id', '=', slot('account_id'))
    .where('memory_id', '=', slot('memory_id')),
);

const removals = (['details', 'facets', 'action_items'] as const).map((table) =>
  query((slot: Slot<OfMemory>) =>
    build
      .deleteFrom(table as 'details')
      .where('account_id', '=', slot('account_id'))
      .where('memory_id', '=', slot('memory_id')),
  ),
);

const putDetails = query((slot: Slot<DetailTables['details']>) =>
  upsertRow('details', slot, ['account_id', 'memory_id']),
);

const putOriginal = insert('originals');
const putFacet = insert('facets');
const putItem = insert('action_items');

const touch = query((slot: Slot<OfMemory>) =>
  build.insertInto('memory_changes').values({
    account_id: slot('account_id'),
    memory_id: slot('memory_id'),
    change: 'upsert',
  }),
);

/** Creates the query that inserts a row unless it is there already. */
function insert<T extends keyof DetailTables>(table: T) {
  return query((slot: Slot<DetailTables[T]>) =>
    insertRow(table, slot).onConflict((conflict) => conflict.doNothing()),
  );
}

/** Creates the writes of details on a connection. */
export function detailWrites(db: Database) {
  const held = {
    find: prepareOn(db, find),
    removals: removals.map((removal) => prepareOn(db, removal)),
    putOriginal: prepareOn(db, putOriginal),
    putDetails: prepareOn(db, putDetails),
    putFacet: prepareOn(db, putFacet),
    putItem: prepareOn(db, putItem),
    touch: prepareOn(db, touch),
  };

  return {
    /** Returns what is to do with the details of a memory. */
    changeOf: (
      given: PreparedDetails | undefined,
      { account_id, id: memory_id }: Owner,
      isMemorySame: boolean,
    ): DetailsChange => changeOf(given, held.find.get({ account_id, memory_id }), isMemorySame),
    /** Does it. Triggers remove an original that no memory was made from, and sum up facets. */
    write(change: DetailsChange, given: PreparedDetails | undefined, owner: Owner): void {
      const [document, ...parts] = held.removals;
      const old = { account_id: owner.account_id, memory_id: owner.id };
      if (change === 'remove') document?.run(old);
      if (!isWritten(change) || given === undefined) return;
      const rows = toDetailsRows(given, owner, Date.now());
      if (rows.original) held.putOriginal.run(rows.original);
      held.putDetails.run(rows.details);
      if (change === 'replace') for (const removal of parts) removal.run(old);
      for (const facet of rows.facets) held.putFacet.run(facet);
      for (const item of rows.action_items) held.putItem.run(item);
    },
    /** Notes in the feed that a memory has changed although its nine fields are the same. */
    touch: ({ account_id, id: memory_id }: Owner): void => {
      held.touch.run({ account_id, memory_id });
    },
  };
}

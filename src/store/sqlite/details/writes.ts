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
import { build, query, type Slot } from '../../sql/query.ts';
import { columnsOf, deleteRows, insertRow, selectRows, upsertRow } from '../../sql/row-queries.ts';
import { prepareOn } from '../statements.ts';

interface OfMemory {
  readonly account_id: string;
  readonly memory_id: string;
}

const find = selectRows('details', {
  columns: ['read_sha256', 'original_sha256'],
  by: ['account_id', 'memory_id'],
});

const removals = (['details', 'facets', 'action_items'] as const).map((table) =>
  deleteRows(table, ['account_id', 'memory_id']),
);

/** Deletes the rows that repeat the start of their memory, and returns them. */
const takeFacets = deleteRows('facets', ['account_id', 'memory_id'], columnsOf('facets', []));
const takeItems = deleteRows(
  'action_items',
  ['account_id', 'memory_id'],
  columnsOf('action_items', []),
);

const putDetails = upsertRow('details', ['account_id', 'memory_id']);

// What is there already stays.
const putOriginal = insertRow('originals', { unlessThere: [] });
const putFacet = insertRow('facets', { unlessThere: [] });
const putItem = insertRow('action_items', { unlessThere: [] });

const touch = query((slot: Slot<OfMemory>) =>
  build.insertInto('memory_changes').values({
    account_id: slot('account_id'),
    memory_id: slot('memory_id'),
    change: 'upsert',
  }),
);

/** Creates the writes of details on a connection. */
export function detailWrites(db: Database) {
  const held = {
    find: prepareOn(db, find),
    removals: removals.map((removal) => prepareOn(db, removal)),
    takeFacets: prepareOn(db, takeFacets),
    takeItems: prepareOn(db, takeItems),
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
      if (change === 'move') {
        const { started_at } = owner;
        for (const facet of held.takeFacets.all(old)) held.putFacet.run({ ...facet, started_at });
        for (const item of held.takeItems.all(old)) held.putItem.run({ ...item, started_at });
      }
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

// Queries of corrections, and of memories as they were imported. Both engines share them.

import { ofSameMemory, originalOfDetails } from './joins.ts';
import { build, query, type Slot } from './query.ts';
import { deleteRows, insertRow, selectRows, upsertRow } from './row-queries.ts';

interface OfMemory {
  readonly account_id: string;
  readonly memory_id: string;
}

const ordered = build.selectFrom('corrections').selectAll().orderBy('made_at').orderBy('id');

/** Reads the corrections of a memory and those of all memories, in the order in which they were made. */
export const ofMemory = query((slot: Slot<OfMemory>) =>
  ordered
    .where('account_id', '=', slot('account_id'))
    .where((eb) => eb.or([eb('memory_id', 'is', null), eb('memory_id', '=', slot('memory_id'))])),
);

/** Reads all corrections of an account. */
export const ofAccount = query((slot: Slot<{ account_id: string }>) =>
  ordered.where('account_id', '=', slot('account_id')),
);

/** Adds a correction. */
export const insert = insertRow('corrections');

/** Removes a correction. */
export const remove = deleteRows('corrections', ['account_id', 'id']);

/** Finds a memory as it was imported, if corrections have changed it. */
export const uncorrected = selectRows('uncorrected', {
  columns: ['sha256', 'bytes', 'compressed'],
  by: ['account_id', 'memory_id'],
});

/** Stores a memory as it was imported. */
export const putUncorrected = upsertRow('uncorrected', ['account_id', 'memory_id']);

/** Forgets how a memory was imported, because it is as it was imported. */
export const removeUncorrected = deleteRows('uncorrected', ['account_id', 'memory_id']);

/** Locks an account until the end of the transaction, so that no import writes what is being put right. */
export const lockAccount = query((slot: Slot<{ id: string }>) =>
  build
    .updateTable('accounts')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', slot('id')),
);

/** Reads a memory with its details and its original. */
export const storedMemory = query((slot: Slot<{ account_id: string; id: string }>) =>
  build
    .selectFrom('memories')
    .leftJoin('details', ofSameMemory('details', 'memories'))
    .leftJoin('originals', originalOfDetails)
    .select([
      'memories.body',
      'memories.body_sha256',
      'details.body as details',
      'details.body_sha256 as details_sha256',
      'details.reading',
      'details.renamed_to',
      'details.original_sha256',
      'originals.media_type',
      'originals.bytes',
      'originals.compressed',
    ])
    .where('memories.account_id', '=', slot('account_id'))
    .where('memories.id', '=', slot('id')),
);

interface Page {
  readonly account_id: string;
  /** The last id of the page before. */
  readonly after: string;
  readonly limit: number;
}

/** Finds the memories in which a name may occur: as a person, as an owner, or in a transcript whose people are unknown. */
export const concerned = query((slot: Slot<Page & { folded: string }>) =>
  build
    .selectFrom('facets')
    .select('facets.memory_id')
    .where('facets.account_id', '=', slot('account_id'))
    .where('facets.kind', '=', 'person')
    .where('facets.folded', '=', slot('folded'))
    .where('facets.memory_id', '>', slot('after'))
    .union((eb) =>
      eb
        .selectFrom('action_items')
        .select('action_items.memory_id')
        .where('action_items.account_id', '=', slot('account_id'))
        .where('action_items.folded', '=', slot('folded'))
        .where('action_items.memory_id', '>', slot('after')),
    )
    .union((eb) =>
      eb
        .selectFrom('memories')
        .leftJoin('facets as known', (join) =>
          ofSameMemory('known', 'memories')(join).on('known.kind', '=', 'person'),
        )
        .select('memories.id as memory_id')
        .where('memories.account_id', '=', slot('account_id'))
        .where('known.memory_id', 'is', null)
        .where('memories.id', '>', slot('after')),
    )
    .orderBy('memory_id')
    .limit(slot('limit')),
);

/** Finds the memories that corrections have changed. Those in the bin are made again when they are restored. */
export const uncorrectedIds = query((slot: Slot<Page>) =>
  build
    .selectFrom('uncorrected')
    .innerJoin('memories', ofSameMemory('memories', 'uncorrected'))
    .select('uncorrected.memory_id')
    .where('uncorrected.account_id', '=', slot('account_id'))
    .where('uncorrected.memory_id', '>', slot('after'))
    .orderBy('uncorrected.memory_id')
    .limit(slot('limit')),
);

/** Finds the memories of an account that have an original, and the sizes of those. */
export const withOriginals = query((slot: Slot<Page>) =>
  build
    .selectFrom('details')
    .innerJoin('originals', originalOfDetails)
    .select(['details.memory_id', 'originals.bytes'])
    .where('details.account_id', '=', slot('account_id'))
    .where('details.memory_id', '>', slot('after'))
    .orderBy('details.memory_id')
    .limit(slot('limit')),
);

/** Finds the memories that were made from an original, also in the bin. */
export const madeFrom = byDetails('original_sha256');

/** Finds the memories whose files were renamed so that their names give an id, also in the bin. */
export const renamedTo = byDetails('renamed_to');

/** In any order: to sort them, SQLite would read all details of the account. */
function byDetails<C extends 'original_sha256' | 'renamed_to'>(column: C) {
  return query((slot: Slot<Record<'account_id' | C, string>>) => {
    const [account_id, value] = [slot('account_id'), slot(column)];
    const from = (table: 'details' | 'deleted_memories') =>
      build
        .selectFrom(table as 'details')
        .select('memory_id')
        .where('account_id', '=', account_id)
        .where(column as 'renamed_to', '=', value);
    return from('details').unionAll(from('deleted_memories'));
  });
}

/** Counts the memories of an account that have an original. */
export const countOriginals = query((slot: Slot<{ account_id: string }>) =>
  build
    .selectFrom('details')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('account_id', '=', slot('account_id'))
    .where('original_sha256', 'is not', null),
);

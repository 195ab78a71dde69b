// Arrivals in a file: what comes of memories that an import brings, and what it has come by so far.

import type { Database } from 'better-sqlite3';

import { fromJson } from '../../contract/json.ts';
import { incoming, merge, sift, type Arrival, type Known, type Put } from '../arrivals.ts';
import { readSql } from '../migrations.ts';
import { build, query, type Slot } from '../query.ts';
import * as reads from '../reads.ts';
import type { Ready } from '../ready.ts';
import type { ImportedTable } from '../tables.ts';
import { hold } from './held.ts';
import { memoryWrites } from './memories.ts';

const remember = query((slot: Slot<ImportedTable>) =>
  build
    .insertInto('imported')
    .values({
      account_id: slot('account_id'),
      memory_id: slot('memory_id'),
      body_sha256: slot('body_sha256'),
    })
    .onConflict((conflict) => conflict.doNothing()),
);

const recall = query((slot: Slot<Pick<ImportedTable, 'account_id' | 'memory_id'>>) =>
  build
    .selectFrom('imported')
    .select('body_sha256')
    .where('account_id', '=', slot('account_id'))
    .where('memory_id', '=', slot('memory_id')),
);

/** Makes the function that puts memories, or where it is dry only tells what would come of them. */
export function putter(db: Database, isDry: boolean): (arrivals: readonly Arrival[]) => Put[] {
  db.pragma('temp_store = FILE'); // memory stays flat, whatever comes
  db.pragma('query_only = OFF'); // else it cannot have that table; a file opened for reading stays as it is
  db.exec(readSql('sqlite', 'temporary/imported.sql'));
  const memories = memoryWrites(db);
  const held = {
    remember: hold(db, remember),
    recall: hold(db, recall),
    find: hold(db, reads.memory.body),
  };

  const known: Known = {
    first: ({ row: { account_id, id } }) =>
      held.recall.get({ account_id, memory_id: id })?.body_sha256,
    old({ row: { account_id, id, body_sha256 } }) {
      const { bytes } = held.find.get({ account_id, id, known: body_sha256 }) ?? {};
      return bytes ? fromJson(bytes) : undefined;
    },
    note: ({ row: { account_id, id: memory_id, body_sha256 } }) =>
      void held.remember.run({ account_id, memory_id, body_sha256 }),
  };

  return (arrivals) => {
    const all = arrivals.map(incoming);
    const kept = all.map((each) => sift(each, known));
    const fresh = all.filter((_, i) => kept[i] === undefined);
    return merge(kept, isDry ? fresh.map(compare) : memories.putReady(fresh));
  };

  function compare({ row: { account_id, id, body_sha256 } }: Ready): Put {
    const old = held.find.get({ account_id, id, known: body_sha256 });
    if (old?.bytes === null) return 'unchanged';
    return old ? 'updated' : 'added';
  }
}

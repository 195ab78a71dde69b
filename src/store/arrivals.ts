// Arrivals: what comes of memories that an import brings, held against the file and against one another.

import type { Database } from 'better-sqlite3';

import { fromJson } from '../contract/json.ts';
import type { Memory } from '../contract/memory.ts';
import { hold } from './held.ts';
import { memoryWrites, ready, type Ready, type Written } from './memories.ts';
import { readSql } from './migrate.ts';
import { build, query, type Slot } from './query.ts';
import * as reads from './reads.ts';
import type { ImportedTable } from './tables.ts';

/**
 * What came of a memory. Not in are those of a `clash`: another with its id came before it in the
 * same import; and those whose id is `taken`: the memory that has it may be another recording.
 */
export type Put = Written | 'clash' | 'taken';

/** A memory, and the account it goes to. */
export interface Arrival {
  readonly account_id: string;
  readonly memory: Memory;
  /** Where another recording may have its id, too: a number as all products count, or the name of a file. */
  readonly idIs?: 'a number' | 'a file name' | undefined;
}

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
  db.exec(readSql('temporary/imported.sql'));
  const memories = memoryWrites(db);
  const held = {
    remember: hold(db, remember),
    recall: hold(db, recall),
    find: hold(db, reads.memory.body),
  };

  return (arrivals) => {
    const all = arrivals.map((arrival) => ready(arrival.account_id, arrival.memory));
    const kept = all.map((each, i) => seen(each) ?? taken(each, arrivals[i]) ?? note(each));
    const fresh = all.filter((_, i) => kept[i] === undefined);
    const puts = (isDry ? fresh.map(compare) : memories.putReady(fresh)).values();
    return kept.map((before) => before ?? (puts.next().value as Put));
  };

  function seen({ row: { account_id, id, body_sha256 } }: Ready): Put | undefined {
    const first = held.recall.get({ account_id, memory_id: id });
    if (first === undefined) return undefined;
    return first.body_sha256 === body_sha256 ? 'unchanged' : 'clash';
  }

  /** What comes again has its start, or its words: a file may have another date, and a start be corrected. */
  function taken({ row }: Ready, arrival: Arrival | undefined): Put | undefined {
    if (!arrival?.idIs) return undefined;
    const { account_id, id, body_sha256 } = row;
    const { bytes } = held.find.get({ account_id, id, known: body_sha256 }) ?? {};
    const old = bytes && fromJson(bytes);
    const { started_at, transcript } = arrival.memory;
    return old && old.started_at !== started_at && old.transcript !== transcript
      ? 'taken'
      : undefined;
  }

  function note({ row: { account_id, id: memory_id, body_sha256 } }: Ready): undefined {
    held.remember.run({ account_id, memory_id, body_sha256 });
  }

  function compare({ row: { account_id, id, body_sha256 } }: Ready): Put {
    const old = held.find.get({ account_id, id, known: body_sha256 });
    if (old?.bytes === null) return 'unchanged';
    return old ? 'updated' : 'added';
  }
}

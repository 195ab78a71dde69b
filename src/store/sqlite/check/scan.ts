// Scans the memories of a file row by row, past damaged pages if possible.

import type { Database } from 'better-sqlite3';

import { MEMORY_COLUMNS, type StoredMemory } from '../../import/memory-row.ts';
import { build, query, type Slot } from '../../sql/query.ts';
import { isSqliteError } from '../connection.ts';
import { prepareOn } from '../statements.ts';

/** A memory in its stored form, with its number. */
export interface StoredRow extends StoredMemory {
  readonly pk: number;
}

/** A memory that cannot be read, although its id is known. */
export interface UnreadableRow {
  readonly pk: number;
  readonly account_id: string;
  readonly id: string;
  readonly lost: true;
}

const next = query((slot: Slot<{ pk: number }>) =>
  build
    .selectFrom('memories')
    .select(['pk', ...MEMORY_COLUMNS])
    .where('pk', '>', slot('pk'))
    .orderBy('pk')
    .limit(1),
);

const nextPlace = query((slot: Slot<{ pk: number }>) =>
  build
    .selectFrom('memories')
    .select(['pk', 'account_id', 'id'])
    .where('pk', '>', slot('pk'))
    .orderBy('pk')
    .limit(1),
);

/**
 * Reads all memories by their numbers, one at a time. Skips an unreadable memory if the next one can be
 * found. Otherwise throws the error of SQLite.
 */
export function* scanMemories(db: Database): Generator<StoredRow | UnreadableRow> {
  const held = { next: prepareOn(db, next), place: prepareOn(db, nextPlace) };
  for (let pk = -1; ;) {
    const row = read(pk);
    // In a damaged tree the next number may be smaller, which would never end.
    if (row === undefined || !(row.pk > pk)) return;
    yield row;
    pk = row.pk;
  }

  function read(pk: number): StoredRow | UnreadableRow | undefined {
    try {
      return held.next.get({ pk });
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      const place = held.place.get({ pk });
      if (place === undefined) throw error;
      return { ...place, lost: true };
    }
  }
}

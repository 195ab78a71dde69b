// Rows of memories in a file, read one by one to be verified.

import type { Database } from 'better-sqlite3';

import { build, query, type Slot } from '../query.ts';
import { COLUMNS, type Row } from '../rows.ts';
import { isSqliteError } from './file.ts';
import { hold } from './held.ts';

/** A memory as it is kept, with its number. */
export interface KeptRow extends Row {
  readonly pk: number;
}

/** A memory that cannot be read, though its place is known. */
export interface LostRow {
  readonly pk: number;
  readonly account_id: string;
  readonly id: string;
  readonly lost: true;
}

const next = query((slot: Slot<{ pk: number }>) =>
  build
    .selectFrom('memories')
    .select(['pk', ...COLUMNS])
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
 * Reads all memories by their numbers, one at a time. What a damaged page has of one is passed over
 * where the next can be found; else it fails as SQLite does.
 */
export function* eachRow(db: Database): Generator<KeptRow | LostRow> {
  const held = { next: hold(db, next), place: hold(db, nextPlace) };
  for (let pk = -1; ;) {
    const row = read(pk);
    // In a damaged tree the number behind one may be smaller, and so for ever.
    if (row === undefined || !(row.pk > pk)) return;
    yield row;
    pk = row.pk;
  }

  function read(pk: number): KeptRow | LostRow | undefined {
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

// Pages: rows in the order of their keys, some at a time, so that memory stays flat whatever there is.

import { setImmediate as turn } from 'node:timers/promises';

import type { Statement } from '../connection.ts';

/** How many rows are read at a time, and written by one statement. */
export const PAGE = 1000;

/** Where a page begins: behind the row of an account that has this key. */
export interface After<Key> {
  readonly account_id: string;
  readonly after: Key;
}

/** How pages follow each other. */
export interface Order<Key, Row> {
  readonly account_id: string;
  /** A key that comes before all others. */
  readonly first: Key;
  readonly keyOf: (row: Row) => Key;
}

/** Reads rows to the end, none of them twice. */
export async function* eachPage<Key, Row>(
  statement: Statement<After<Key>, Row>,
  { account_id, first, keyOf }: Order<Key, Row>,
): AsyncGenerator<readonly Row[], void, undefined> {
  let after = first;
  for (;;) {
    const rows = await statement.all({ account_id, after });
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = keyOf(last);
    await turn(); // SQLite answers at once: else nobody would be told how far it is, or hear a signal
  }
}

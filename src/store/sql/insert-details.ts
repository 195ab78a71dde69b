// Inserts of rows of the tables of details.

import { detailRows, type DetailTables } from './detail-tables.ts';
import { build, type Slot } from './query.ts';

/** Builds the insert of a row with all its columns. */
export function insertInto<T extends keyof DetailTables>(table: T, slot: Slot<DetailTables[T]>) {
  const columns = Object.keys(detailRows[table].entries) as (keyof DetailTables[T] & string)[];
  return build
    .insertInto(table as 'details')
    .values(Object.fromEntries(columns.map((column) => [column, slot(column)])) as never);
}

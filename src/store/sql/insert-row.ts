// Writes of whole rows: their columns are those of the schema of the table.

import { expressionBuilder, type Expression } from 'kysely';
import type * as v from 'valibot';

import { appRows } from './app-tables.ts';
import { detailRows } from './detail-tables.ts';
import { build, type Slot } from './query.ts';
import { rows } from './tables.ts';

/** The schemas of the rows of each table. */
export const rowSchemas = { ...rows, ...appRows, ...detailRows };

type Table = keyof typeof rowSchemas;
type Row<T extends Table> = v.InferInput<(typeof rowSchemas)[T]>;

/** Returns the columns of a table but some. */
export function columnsOf<T extends Table>(
  table: T,
  leftOut: readonly string[],
): (keyof Row<T> & string)[] {
  const all = Object.keys(rowSchemas[table].entries);
  return all.filter((column) => !leftOut.includes(column)) as (keyof Row<T> & string)[];
}

/** Builds the insert of a row. Columns that are left out get their defaults. */
export function insertRow<T extends Table, LeftOut extends keyof Row<T> & string = never>(
  table: T,
  slot: Slot<Omit<Row<T>, LeftOut>>,
  leftOut: readonly LeftOut[] = [],
) {
  const values = columnsOf(table, leftOut).map((column) => [column, slot(column as never)]);
  return build.insertInto(table as 'accounts').values(Object.fromEntries(values) as never);
}

/** Builds the insert of a row that replaces the one with the same key. */
export function upsertRow<T extends Table>(
  table: T,
  slot: Slot<Row<T>>,
  key: readonly (keyof Row<T> & string)[],
) {
  return insertRow(table, slot as Slot<Omit<Row<T>, never>>).onConflict((conflict) =>
    conflict.columns(key as never).doUpdateSet(excluded(columnsOf(table, key))),
  );
}

/** Returns the values that columns have in the row that could not be inserted, to update the one that is there. */
export function excluded<C extends string>(columns: readonly C[]): Record<C, Expression<never>> {
  const eb = expressionBuilder<{ excluded: Record<string, never> }, 'excluded'>();
  const values = columns.map((column) => [column, eb.ref(`excluded.${column}`)]);
  return Object.fromEntries(values) as Record<C, Expression<never>>;
}

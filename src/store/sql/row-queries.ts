// Queries of rows by the values of some columns: reads, inserts, updates and deletions that say no more than that.

import {
  expressionBuilder,
  type Compilable,
  type Expression,
  type InsertResult,
  type Selectable,
} from 'kysely';
import type * as v from 'valibot';

import { build, query, type NamedQuery, type Slot } from './query.ts';
import { appRows } from './tables/app-tables.ts';
import { detailRows } from './tables/detail-tables.ts';
import { rows, type Tables } from './tables/tables.ts';

/** The schemas of the rows of each table. */
export const rowSchemas = { ...rows, ...appRows, ...detailRows };

type Table = keyof typeof rowSchemas;
type Row<T extends Table> = v.InferInput<(typeof rowSchemas)[T]>;
type Stored<T extends keyof Tables> = Selectable<Tables[T]>;
type Column<T extends keyof Tables> = keyof Stored<T> & string;

/** Returns the columns of a table but some. */
export function columnsOf<T extends Table>(
  table: T,
  leftOut: readonly string[],
): (keyof Row<T> & string)[] {
  const all = Object.keys(rowSchemas[table].entries);
  return all.filter((column) => !leftOut.includes(column)) as (keyof Row<T> & string)[];
}

/** Reads the rows of which some columns have the given values. Default: all columns of all rows, in any order. */
export function selectRows<
  T extends keyof Tables,
  By extends Column<T> = never,
  C extends Column<T> = Column<T>,
>(
  table: T,
  {
    columns,
    by = [],
    order = [],
  }: {
    readonly columns?: readonly C[];
    readonly by?: readonly By[];
    readonly order?: readonly Column<T>[];
  },
): NamedQuery<Pick<Stored<T>, By>, Pick<Stored<T>, C>> {
  return query<Pick<Stored<T>, By>, Pick<Stored<T>, C>>((slot) => {
    const from = build.selectFrom(table as 'accounts');
    let found = columns ? from.select(columns as readonly never[]) : from.selectAll();
    for (const column of by) found = found.where(column as 'id', '=', slot(column) as string);
    for (const column of order) found = found.orderBy(column as 'id');
    return found;
  });
}

/** Updates some columns of the rows of which others have the given values. */
export function updateRows<T extends keyof Tables, Set extends Column<T>, By extends Column<T>>(
  table: T,
  { set, by }: { readonly set: readonly Set[]; readonly by: readonly By[] },
): NamedQuery<Pick<Stored<T>, Set | By>, object> {
  return query((slot) => {
    const values = Object.fromEntries(set.map((column) => [column, slot(column)]));
    let updated = build.updateTable(table as 'accounts').set(values);
    for (const column of by) updated = updated.where(column as 'id', '=', slot(column) as string);
    return updated;
  });
}

/** Deletes the rows of which some columns have the given values. */
export function deleteRows<
  T extends keyof Tables,
  By extends Column<T>,
  C extends Column<T> = never,
>(
  table: T,
  by: readonly By[],
  returning: readonly C[] = [],
): NamedQuery<Pick<Stored<T>, By>, Pick<Stored<T>, C>> {
  return query((slot): Compilable<never> => {
    let gone = build.deleteFrom(table as 'accounts');
    for (const column of by) gone = gone.where(column as 'id', '=', slot(column) as string);
    return returning.length === 0 ? gone : gone.returning(returning as readonly never[]);
  });
}

/** Inserts a row: all columns of its schema, except those that are left out and get their defaults. */
export function insertRow<T extends Table, LeftOut extends keyof Row<T> & string = never>(
  table: T,
  {
    leftOut = [],
    unlessThere,
    returning = [],
  }: {
    readonly leftOut?: readonly LeftOut[];
    /** The key of a row that stays as it is, and the new one is not inserted; empty: any key. */
    readonly unlessThere?: readonly (keyof Row<T> & string)[];
    /** Those of the left out columns whose defaults are returned. */
    readonly returning?: readonly LeftOut[];
  } = {},
): NamedQuery<Omit<Row<T>, LeftOut>, Pick<Row<T>, LeftOut>> {
  return query((slot): Compilable<never> => {
    const insert = valuesOf(table, slot as Slot<never>, leftOut);
    if (returning.length > 0) return insert.returning(returning as readonly never[]);
    if (unlessThere === undefined) return insert;
    return insert.onConflict((conflict) =>
      (unlessThere.length === 0 ? conflict : conflict.columns(unlessThere as never)).doNothing(),
    );
  });
}

/** Inserts a row, which replaces the one with the same key. */
export function upsertRow<T extends Table>(
  table: T,
  key: readonly (keyof Row<T> & string)[],
): NamedQuery<Row<T>, InsertResult> {
  return query((slot) => {
    const insert = valuesOf(table, slot as Slot<never>, []);
    return insert.onConflict((conflict) =>
      conflict.columns(key as never).doUpdateSet(excluded(columnsOf(table, key))),
    );
  });
}

function valuesOf(table: Table, slot: Slot<never>, leftOut: readonly string[]) {
  const values = columnsOf(table, leftOut).map((column) => [column, slot(column)]);
  return build.insertInto(table as 'accounts').values(Object.fromEntries(values) as never);
}

/** Returns the values that columns have in the row that could not be inserted, to update the one that is there. */
export function excluded<C extends string>(columns: readonly C[]): Record<C, Expression<never>> {
  const eb = expressionBuilder<{ excluded: Record<string, never> }, 'excluded'>();
  const values = columns.map((column) => [column, eb.ref(`excluded.${column}`)]);
  return Object.fromEntries(values) as Record<C, Expression<never>>;
}

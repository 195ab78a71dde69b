// Writes the details of memories to PostgreSQL, many per statement.

import type { Compilable, ExpressionBuilder } from 'kysely';

import {
  isWritten,
  toDetailsRows,
  type DetailsChange,
  type DetailsRows,
  type StoredHashes,
} from '../../details/details-row.ts';
import type { PreparedMemory } from '../../import/memory-row.ts';
import { columnsOf, excluded } from '../../sql/row-queries.ts';
import type { DetailTables } from '../../sql/tables/detail-tables.ts';
import { joinIds, memoryKey } from '../batches.ts';
import { postgresQuery as build, SCHEMA, type PostgresTables } from '../statements.ts';

/** A memory whose details are written, and what is to do with them. */
export interface DetailsWrite {
  readonly each: PreparedMemory;
  readonly change: DetailsChange;
}

/** Runs a statement. */
export type Run = <Found>(
  statement: Compilable<Found>,
) => Promise<{ readonly rows: readonly (Found & object)[] }>;

/** Rows per statement. A statement may have at most 65,535 values. */
const MAX_ROWS = 1000;

/** Bytes of originals per statement, and one original more. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Reads which details memories have already, by their `memoryKey`. */
export async function storedDetails(
  run: Run,
  some: readonly PreparedMemory[],
): Promise<ReadonlyMap<string, StoredHashes>> {
  if (some.length === 0) return new Map();
  const { rows } = await run(
    build
      .selectFrom('details')
      .select(['account_id', 'memory_id', 'read_sha256', 'original_sha256'])
      .where((eb) => isOf(eb, some)),
  );
  return new Map(rows.map((each) => [`${each.account_id} ${each.memory_id}`, each]));
}

/** Writes details in the transaction of their memories. Triggers remove originals that no memory was made from, and sum up facets. */
export async function writeDetails(run: Run, all: readonly DetailsWrite[]): Promise<void> {
  const gone = all.filter(({ change }) => change === 'remove').map(({ each }) => each);
  const replaced = all.filter(({ change }) => change === 'replace').map(({ each }) => each);
  await removeFrom('facets', [...gone, ...replaced]);
  await removeFrom('action_items', [...gone, ...replaced]);
  await removeFrom('details', gone);
  const moved = all.filter(({ change }) => change === 'move').map(({ each }) => each);
  await move('facets', moved);
  await move('action_items', moved);
  let rows: DetailsRows[] = [];
  let bytes = 0;
  for (const { each, change } of all) {
    if (!isWritten(change) || each.details === undefined) continue;
    const made = toDetailsRows(each.details, each.row, Date.now());
    rows.push(made);
    bytes += made.details.body.length + (made.original?.compressed.length ?? 0);
    if (bytes < MAX_BYTES) continue;
    await put(rows);
    [rows, bytes] = [[], 0];
  }
  await put(rows);

  async function removeFrom(
    table: 'details' | 'facets' | 'action_items',
    from: readonly PreparedMemory[],
  ): Promise<void> {
    if (from.length > 0)
      await run(build.deleteFrom(table as 'facets').where((eb) => isOf(eb, from)));
  }

  /** Writes rows again with the start of their memory, so that triggers sum them up. */
  async function move(
    table: 'facets' | 'action_items',
    from: readonly PreparedMemory[],
  ): Promise<void> {
    if (from.length === 0) return;
    const starts = new Map(from.map((each) => [memoryKey(each), each.row.started_at]));
    const taken = build
      .deleteFrom(table as 'facets')
      .where((eb) => isOf(eb, from))
      .returningAll();
    const { rows: old } = await run(taken);
    await insert(
      table,
      old.map((row) => {
        const started_at = starts.get(`${row.account_id} ${row.memory_id}`) ?? row.started_at;
        return { ...row, started_at };
      }) as never,
    );
  }

  async function put(some: readonly DetailsRows[]): Promise<void> {
    const originals = some.flatMap(({ original }) => original ?? []);
    await insert('originals', [...new Map(originals.map((each) => [keyOf(each), each])).values()]);
    if (some.length > 0)
      await run(
        build
          .insertInto('details')
          .values(some.map(({ details }) => details))
          .onConflict((conflict) =>
            conflict
              .columns(['account_id', 'memory_id'])
              .doUpdateSet(excluded(columnsOf('details', ['account_id', 'memory_id']))),
          ),
      );
    await insert(
      'facets',
      some.flatMap(({ facets }) => facets),
    );
    await insert(
      'action_items',
      some.flatMap(({ action_items }) => action_items),
    );
  }

  /** Inserts rows, except originals that are there already. */
  async function insert<T extends keyof DetailTables>(
    table: T,
    values: readonly DetailTables[T][],
  ): Promise<void> {
    for (let from = 0; from < values.length; from += MAX_ROWS)
      await run(
        build
          .insertInto(table as 'facets')
          .values(values.slice(from, from + MAX_ROWS) as never)
          .onConflict((conflict) => conflict.doNothing()),
      );
  }
}

/** Notes in the feed that memories have changed although their nine fields are the same. */
export async function touch(run: Run, some: readonly PreparedMemory[]): Promise<void> {
  if (some.length === 0) return;
  const { account_ids, ids } = joinIds(some);
  await run(
    build.selectNoFrom((eb) =>
      eb
        .fn(`${SCHEMA}.note_changes`, [
          eb.val('upsert'),
          eb.fn('string_to_array', [eb.val(account_ids), eb.val(' ')]),
          eb.fn('string_to_array', [eb.val(ids), eb.val(' ')]),
        ])
        .as('noted'),
    ),
  );
}

/** Whether a row is of one of some memories. */
export function isOf<T extends 'details' | 'facets' | 'uncorrected'>(
  eb: ExpressionBuilder<PostgresTables, T>,
  some: readonly PreparedMemory[],
) {
  const own = eb as ExpressionBuilder<PostgresTables, 'details'>;
  return own(
    own.refTuple('account_id', 'memory_id'),
    'in',
    some.map(({ row }) => own.tuple(row.account_id, row.id)),
  );
}

function keyOf({ account_id, sha256 }: DetailTables['originals']): string {
  return `${account_id} ${sha256}`;
}

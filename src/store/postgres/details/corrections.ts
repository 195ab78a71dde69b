// The corrections of memories that are written to PostgreSQL, and the memories as they were imported.

import type { Compilable } from 'kysely';

import type { Correction } from '../../details/corrections.ts';
import { readUncorrected, toUncorrectedRow } from '../../details/uncorrected.ts';
import {
  correctPrepared,
  importedState,
  type CorrectedMemory,
  type WrittenMemory,
} from '../../import/corrected.ts';
import type { PreparedMemory } from '../../import/memory-row.ts';
import { columnsOf, excluded } from '../../sql/row-queries.ts';
import type { DetailTables } from '../../sql/tables/detail-tables.ts';
import { postgresQuery as build } from '../statements.ts';
import { isOf, type Run } from './writes.ts';

/** Applies the corrections of memories, which all have other ids. */
export async function correctAll(
  run: Run,
  some: readonly PreparedMemory[],
): Promise<CorrectedMemory[]> {
  if (some.length === 0) return [];
  const accounts = [...new Set(some.map(({ row }) => row.account_id))];
  const { rows } = await run(
    build
      .selectFrom('corrections')
      .selectAll()
      .where('account_id', 'in', accounts)
      .orderBy('made_at')
      .orderBy('id'),
  );
  if (rows.length === 0) return [...some];
  const corrections = groupByMemory(rows);
  return some.map((each) => correctPrepared(each, corrections(each.row)));
}

/** Returns a function that finds the corrections of a memory, and those of all memories. */
function groupByMemory(rows: readonly Correction[]) {
  const groups = Map.groupBy(rows, ({ account_id, memory_id }) => `${account_id} ${memory_id}`);
  return ({ account_id, id }: PreparedMemory['row']): readonly Correction[] => {
    const own = groups.get(`${account_id} ${id}`) ?? [];
    const shared = groups.get(`${account_id} null`) ?? [];
    if (own.length === 0) return shared;
    const wanted = new Set([...own, ...shared]);
    return rows.filter((each) => wanted.has(each));
  };
}

/** Keeps memories as they were imported, as long as corrections change them. */
export async function keepImported(run: Run, all: readonly WrittenMemory[]): Promise<void> {
  if (all.length === 0) return;
  const { rows } = await run(
    build
      .selectFrom('uncorrected')
      .selectAll()
      .where((eb) =>
        isOf(
          eb,
          all.map(({ each }) => each),
        ),
      ),
  );
  const stored = new Map(rows.map((row) => [`${row.account_id} ${row.memory_id}`, row]));
  const kept: DetailTables['uncorrected'][] = [];
  const gone: PreparedMemory[] = [];
  for (const written of all) {
    const { row } = written.each;
    const before = stored.get(`${row.account_id} ${row.id}`);
    const state = importedState(written, before && readUncorrected(before));
    if (state) kept.push(toUncorrectedRow(row.account_id, state));
    else if (before) gone.push(written.each);
  }
  if (gone.length > 0) await run(build.deleteFrom('uncorrected').where((eb) => isOf(eb, gone)));
  if (kept.length > 0) await run(upsert(kept));
}

function upsert(rows: readonly DetailTables['uncorrected'][]): Compilable {
  return build
    .insertInto('uncorrected')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'memory_id'])
        .doUpdateSet(excluded(columnsOf('uncorrected', ['account_id', 'memory_id']))),
    );
}

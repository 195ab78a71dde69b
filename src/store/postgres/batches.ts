// Batches of memories for PostgreSQL: rows, how to split them into statements, and look-ups of many ids at once.

import type { AliasableExpression } from 'kysely';

import { withoutNul } from '../details/facets.ts';
import type { StoredMemory, PreparedMemory } from '../import/memory-row.ts';
import { query, type Slot } from '../sql/query.ts';
import { wordsOfMemory } from './search/search.ts';
import { postgresQuery as build } from './statements.ts';

/** Returns the row of a memory with its search words. */
export function toPostgresRow({ row, memory }: PreparedMemory) {
  return { ...asStored(row), words: wordsOfMemory(memory) };
}

/** Returns a row as PostgreSQL stores it: text columns cannot hold U+0000. The body has it escaped. */
export function asStored(row: StoredMemory): StoredMemory {
  return {
    ...row,
    name: withoutNul(row.name),
    quick_summary: withoutNul(row.quick_summary),
    key_takeaways: withoutNul(row.key_takeaways),
  };
}

/** Rows per statement. A statement may have at most 65,535 values. */
const MAX_ROWS = 500;

/** Splits memories into statements: none has a memory twice, or too many rows. */
export function* splitStatements(
  all: readonly PreparedMemory[],
): Generator<readonly PreparedMemory[]> {
  let some = new Map<string, PreparedMemory>();
  for (const each of all) {
    if (some.size === MAX_ROWS || some.has(memoryKey(each))) {
      yield [...some.values()];
      some = new Map();
    }
    some.set(memoryKey(each), each);
  }
  if (some.size > 0) yield [...some.values()];
}

/** Splits at each change between new and known memories. Within one statement the feed lists updates first, which would break the order. */
export function* splitByExistence(
  all: readonly PreparedMemory[],
  isThere: (each: PreparedMemory) => boolean,
): Generator<readonly PreparedMemory[]> {
  let from = 0;
  for (const [i, each] of all.entries()) {
    const next = all[i + 1];
    if (next !== undefined && isThere(next) === isThere(each)) continue;
    yield all.slice(from, i + 1);
    from = i + 1;
  }
}

/** Returns a unique key of a memory. Ids have no spaces. */
export function memoryKey({ row: { account_id, id } }: PreparedMemory): string {
  return `${account_id} ${id}`;
}

/** Ids of memories as two space-separated lists. Ids have no spaces. */
export interface MemoryIds {
  readonly account_ids: string;
  readonly ids: string;
}

/** The same for memories of an import, with their hashes. */
export interface ImportedIds extends MemoryIds {
  readonly hashes: string;
}

/** Columns of the outer row for lateral joins, which the query builder cannot know. */
const ACCOUNT_ID = 'many.account_id' as 'account_id';
const ID = 'many.id' as 'id';
const MEMORY_ID = 'many.id' as 'memory_id';

/** Queries the hashes of existing memories. */
export const hashesQuery = query((slot: Slot<MemoryIds>) =>
  perId(
    slot,
    build
      .selectFrom('memories')
      .select('body_sha256')
      .whereRef('memories.account_id', '=', ACCOUNT_ID)
      .whereRef('memories.id', '=', ID)
      .limit((eb) => eb.lit(1)),
  ),
);

/** Queries which memories are in the bin. */
export const binnedQuery = query((slot: Slot<MemoryIds & { since: number }>) =>
  perId(
    slot,
    build
      .selectFrom('deleted_memories as gone')
      .select('body_sha256')
      .whereRef('gone.account_id', '=', ACCOUNT_ID)
      .whereRef('gone.memory_id', '=', MEMORY_ID)
      .where('gone.deleted_at', '>', slot('since'))
      .limit((eb) => eb.lit(1)),
  ),
);

/** Queries the hashes of memories seen earlier in the same import. */
export const importedHashes = query((slot: Slot<MemoryIds>) =>
  perId(
    slot,
    build
      .selectFrom('pg_temp.imported as before')
      .select('body_sha256')
      .whereRef('before.account_id', '=', ACCOUNT_ID)
      .whereRef('before.memory_id', '=', MEMORY_ID)
      .limit((eb) => eb.lit(1)),
  ),
);

/** Queries a hash for each id. A lateral join with LIMIT always uses the index, so a cached plan stays good as the table grows. */
function perId(slot: Slot<MemoryIds>, hash: AliasableExpression<{ body_sha256: string }>) {
  return build
    .selectFrom(idRows(slot).as('many'))
    .innerJoinLateral(hash.as('found'), (join) => join.onTrue())
    .select(['many.account_id', 'many.id', 'found.body_sha256']);
}

/** Records the first memory of each id in this import. */
export const rememberImported = query((slot: Slot<ImportedIds>) =>
  build
    .insertInto('pg_temp.imported')
    .columns(['account_id', 'memory_id', 'body_sha256'])
    .expression(
      build.selectNoFrom((eb) =>
        (['account_ids', 'ids', 'hashes'] as const).map((name) =>
          eb.fn<string>('string_to_table', [eb.val(slot(name)), eb.val(' ')]).as(name),
        ),
      ),
    ),
);

function idRows(slot: Slot<MemoryIds>) {
  return build.selectNoFrom((eb) => [
    eb.fn<string>('string_to_table', [eb.val(slot('account_ids')), eb.val(' ')]).as('account_id'),
    eb.fn<string>('string_to_table', [eb.val(slot('ids')), eb.val(' ')]).as('id'),
  ]);
}

/** Returns the ids of memories in the form that statements take. */
export function joinIds(all: readonly PreparedMemory[]): MemoryIds {
  return {
    account_ids: all.map(({ row }) => row.account_id).join(' '),
    ids: all.map(({ row }) => row.id).join(' '),
  };
}

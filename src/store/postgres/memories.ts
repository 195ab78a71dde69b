// Writes memories to PostgreSQL, many per statement. Triggers update feed, revision and search index.

import type { Compilable } from 'kysely';

import { unknownAccount } from '../accounts/accounts.ts';
import type { MemoryWrites } from '../engine.ts';
import {
  prepareMemory,
  type PreparedMemory,
  type WriteResult,
  MEMORY_COLUMNS,
} from '../import/memory-row.ts';
import type { Connection } from '../sql/query.ts';
import {
  hashesQuery,
  joinIds,
  memoryKey,
  toPostgresRow,
  splitStatements,
  splitByExistence,
} from './batches.ts';
import type { Client } from './servers/connection.ts';
import { postgresQuery as build } from './statements.ts';

/** The writes of memories on a connection. */
export interface PostgresMemoryWrites extends MemoryWrites {
  putReady(all: readonly PreparedMemory[]): Promise<WriteResult[]>;
  /** Returns what writing each would do. No two may have the same id. */
  compare(all: readonly PreparedMemory[]): Promise<WriteResult[]>;
  delete(account_id: string, id: string): Promise<boolean>;
}

/** Creates the writes of memories on a connection. */
export function memoryWrites(
  client: Client,
  { prepare, transaction }: Connection,
): PostgresMemoryWrites {
  const hashes = prepare(hashesQuery);
  const putReady = async (all: readonly PreparedMemory[]): Promise<WriteResult[]> =>
    transaction(async () => {
      await lockAccounts(all);
      const written: WriteResult[] = [];
      for (const some of splitStatements(all)) written.push(...(await putSome(some)));
      return written;
    });

  return {
    putReady,
    async compare(all) {
      const old = await hashesOf(all);
      return all.map((each) => becomes(each, old.get(memoryKey(each))));
    },
    put: async (account_id, memory) =>
      (await putReady([prepareMemory(account_id, memory)]))[0] !== 'unchanged',
    putAll: (account_id, memories) =>
      putReady(memories.map((each) => prepareMemory(account_id, each))),
    async delete(account_id, id) {
      const gone = build
        .deleteFrom('memories')
        .where('account_id', '=', account_id)
        .where('id', '=', id);
      return (await run(gone)).rowCount === 1;
    },
    async count(account_id) {
      const all = build
        .selectFrom('memories')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('account_id', '=', account_id);
      return (await run(all)).rows[0]?.n ?? 0;
    },
  };

  /** Locks accounts in id order, so that two writers cannot deadlock. */
  async function lockAccounts(all: readonly PreparedMemory[]): Promise<void> {
    const ids = [...new Set(all.map(({ row }) => row.account_id))];
    if (ids.length === 0) return;
    const accounts = build.selectFrom('accounts').select('id').where('id', 'in', ids);
    const { rows } = await run(accounts.orderBy('id').forNoKeyUpdate());
    const there = new Set(rows.map(({ id }) => id));
    const missing = ids.find((id) => !there.has(id));
    if (missing !== undefined) throw unknownAccount(missing);
  }

  /** Writes memories with distinct ids. Unchanged ones are not written, so the account's revision stays. */
  async function putSome(some: readonly PreparedMemory[]): Promise<WriteResult[]> {
    const old = await hashesOf(some);
    const changed = some.filter((each) => old.get(memoryKey(each)) !== each.row.body_sha256);
    for (const alike of splitByExistence(changed, (each) => old.has(memoryKey(each))))
      await run(upsert(alike));
    return some.map((each) => becomes(each, old.get(memoryKey(each))));
  }

  async function hashesOf(some: readonly PreparedMemory[]): Promise<ReadonlyMap<string, string>> {
    const found = await hashes.all(joinIds(some));
    return new Map(found.map((each) => [`${each.account_id} ${each.id}`, each.body_sha256]));
  }

  function run<Found>(statement: Compilable<Found>) {
    const { sql, parameters } = statement.compile();
    return client.query<Found & object>(sql, [...parameters]);
  }
}

function upsert(changed: readonly PreparedMemory[]) {
  return build
    .insertInto('memories')
    .values(changed.map(toPostgresRow))
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'id'])
        .doUpdateSet((eb) =>
          Object.fromEntries(
            [...MEMORY_COLUMNS, 'words' as const].map((column) => [
              column,
              eb.ref(`excluded.${column}`),
            ]),
          ),
        ),
    );
}

function becomes({ row }: PreparedMemory, old: string | undefined): WriteResult {
  return old === undefined ? 'added' : old === row.body_sha256 ? 'unchanged' : 'updated';
}

// Writes memories to PostgreSQL, many per statement. Triggers update feed, revision and search index.

import type { Compilable } from 'kysely';

import { countMemories, unknownAccount } from '../accounts/accounts.ts';
import { changeOf } from '../details/details-row.ts';
import type { MemoryWrites } from '../engine.ts';
import type { CorrectedMemory } from '../import/corrected.ts';
import {
  prepareMemory,
  type PreparedMemory,
  type WriteResult,
  MEMORY_COLUMNS,
} from '../import/memory-row.ts';
import type { Connection } from '../sql/query.ts';
import { excluded } from '../sql/row-queries.ts';
import {
  hashesQuery,
  joinIds,
  memoryKey,
  toPostgresRow,
  splitStatements,
  splitByExistence,
} from './batches.ts';
import { correctAll, keepImported } from './details/corrections.ts';
import { storedDetails, touch, writeDetails, type DetailsWrite } from './details/writes.ts';
import type { Client } from './servers/connection.ts';
import { postgresQuery as build } from './statements.ts';

/** The writes of memories on a connection. */
export interface PostgresMemoryWrites extends MemoryWrites {
  putReady(all: readonly PreparedMemory[]): Promise<WriteResult[]>;
  /** Returns what writing each would do. No two may have the same id. */
  compare(all: readonly PreparedMemory[]): Promise<WriteResult[]>;
  delete(account_id: string, id: string): Promise<boolean>;
  /** Keeps other writers of the accounts out until the end of the transaction. Rejects with `Refusal` if one does not exist. */
  lockAccounts(all: readonly PreparedMemory[]): Promise<void>;
}

/** What writing a memory does, and whether its nine fields stay the same. */
interface Planned extends DetailsWrite {
  readonly each: CorrectedMemory;
  readonly isSame: boolean;
  readonly result: WriteResult;
}

/** Creates the writes of memories on a connection. */
export function memoryWrites(
  client: Client,
  { prepare, transaction }: Connection,
): PostgresMemoryWrites {
  const hashes = prepare(hashesQuery);
  const counted = prepare(countMemories);
  const putAll = async (all: readonly PreparedMemory[], isStored = false): Promise<WriteResult[]> =>
    transaction(async () => {
      await lockAccounts(all);
      const written: WriteResult[] = [];
      for (const some of splitStatements(all)) written.push(...(await putSome(some, isStored)));
      return written;
    });

  const putReady = (all: readonly PreparedMemory[]) => putAll(all);

  return {
    putReady,
    putStored: (all) => putAll(all, true),
    async compare(all) {
      return (await plan(all)).map(({ result }) => result);
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
    count: async (account_id) => (await counted.get({ account_id }))?.n ?? 0,
    lockAccounts,
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
  async function putSome(
    some: readonly PreparedMemory[],
    isStored: boolean,
  ): Promise<WriteResult[]> {
    const planned = await (isStored ? planCorrected(some) : plan(some));
    const changed = planned.filter(({ isSame }) => !isSame).map(({ each }) => each);
    const added = new Set(
      planned.filter(({ result }) => result === 'added').map(({ each }) => each),
    );
    for (const alike of splitByExistence(changed, (each) => !added.has(each)))
      await run(upsert(alike));
    await writeDetails(run, planned);
    if (!isStored) await keepImported(run, planned);
    const touched = planned.filter(({ isSame, change }) => isSame && change !== undefined);
    await touch(
      run,
      touched.map(({ each }) => each),
    );
    return planned.map(({ result }) => result);
  }

  /** Applies the corrections of memories, and finds out what writing each would do. */
  async function plan(imported: readonly PreparedMemory[]): Promise<Planned[]> {
    return planCorrected(await correctAll(run, imported));
  }

  async function planCorrected(some: readonly CorrectedMemory[]): Promise<Planned[]> {
    const old = await hashesOf(some);
    const stored = await storedDetails(run, some);
    return some.map((each) => {
      const hash = old.get(memoryKey(each));
      const isSame = hash === each.row.body_sha256;
      const change = changeOf(each.details, stored.get(memoryKey(each)), isSame);
      const isUnchanged = isSame && change === undefined;
      const result = hash === undefined ? 'added' : isUnchanged ? 'unchanged' : 'updated';
      return { each, isSame, change, result };
    });
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
      conflict.columns(['account_id', 'id']).doUpdateSet(excluded([...MEMORY_COLUMNS, 'words'])),
    );
}

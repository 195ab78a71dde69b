// Writes memories to PostgreSQL: many in one statement; the feed, the revision and the index follow by themselves.

import type { Compilable } from 'kysely';

import { unknownAccount } from '../accounts.ts';
import type { Connection } from '../connection.ts';
import { ready, type Ready, type Written } from '../ready.ts';
import { COLUMNS } from '../rows.ts';
import type { MemoryWrites } from '../writer.ts';
import type { Client } from './asking.ts';
import { buildPostgres as build } from './build.ts';
import { nameOf, runs, turns } from './cuts.ts';
import * as many from './many.ts';
import { rowOf } from './rows.ts';

/** The writes of memories on a connection. */
export interface PostgresMemoryWrites extends MemoryWrites {
  /** Puts what `ready` has made, of any accounts, all or none; returns what became of each, in order. */
  putReady(all: readonly Ready[]): Promise<Written[]>;
  /** Tells what would become of each, of which no two have one id. */
  compare(all: readonly Ready[]): Promise<Written[]>;
  delete(account_id: string, id: string): Promise<boolean>;
}

/** Makes the writes of memories on a connection. */
export function memoryWrites(
  client: Client,
  { hold, transaction }: Connection,
): PostgresMemoryWrites {
  const hashes = hold(many.hashes);
  const putReady = async (all: readonly Ready[]): Promise<Written[]> =>
    transaction(async () => {
      await lockAccounts(all);
      const written: Written[] = [];
      for (const some of runs(all)) written.push(...(await putSome(some)));
      return written;
    });

  return {
    putReady,
    async compare(all) {
      const old = await hashesOf(all);
      return all.map((each) => becomes(each, old.get(nameOf(each))));
    },
    put: async (account_id, memory) =>
      (await putReady([ready(account_id, memory)]))[0] !== 'unchanged',
    putAll: (account_id, memories) => putReady(memories.map((each) => ready(account_id, each))),
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

  /** In the order of their ids, so that no two writers wait for each other. */
  async function lockAccounts(all: readonly Ready[]): Promise<void> {
    const ids = [...new Set(all.map(({ row }) => row.account_id))];
    if (ids.length === 0) return;
    const accounts = build.selectFrom('accounts').select('id').where('id', 'in', ids);
    const { rows } = await run(accounts.orderBy('id').forNoKeyUpdate());
    const there = new Set(rows.map(({ id }) => id));
    const missing = ids.find((id) => !there.has(id));
    if (missing !== undefined) throw unknownAccount(missing);
  }

  /** Writes memories of which no two have one id; an unchanged one is not written, so its account's revision stays. */
  async function putSome(some: readonly Ready[]): Promise<Written[]> {
    const old = await hashesOf(some);
    const changed = some.filter((each) => old.get(nameOf(each)) !== each.row.body_sha256);
    for (const alike of turns(changed, (each) => old.has(nameOf(each)))) await run(upsert(alike));
    return some.map((each) => becomes(each, old.get(nameOf(each))));
  }

  async function hashesOf(some: readonly Ready[]): Promise<ReadonlyMap<string, string>> {
    const found = await hashes.all(idsOf(some));
    return new Map(found.map((each) => [`${each.account_id} ${each.id}`, each.body_sha256]));
  }

  function run<Found>(query: Compilable<Found>) {
    const { sql, parameters } = query.compile();
    return client.query<Found & object>(sql, [...parameters]);
  }
}

function upsert(changed: readonly Ready[]) {
  return build
    .insertInto('memories')
    .values(changed.map(rowOf))
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'id'])
        .doUpdateSet((eb) =>
          Object.fromEntries(
            [...COLUMNS, 'words' as const].map((column) => [column, eb.ref(`excluded.${column}`)]),
          ),
        ),
    );
}

function becomes({ row }: Ready, old: string | undefined): Written {
  return old === undefined ? 'added' : old === row.body_sha256 ? 'unchanged' : 'updated';
}

/** The ids of memories, as one statement takes them. */
export function idsOf(all: readonly Ready[]): many.Many {
  return {
    account_ids: all.map(({ row }) => row.account_id).join(' '),
    ids: all.map(({ row }) => row.id).join(' '),
  };
}

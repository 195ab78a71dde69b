// Writes memories: checked by the contract and serialised once, on their way in.

import { hash } from 'node:crypto';

import type { Database } from 'better-sqlite3';
import * as v from 'valibot';

import { fromJson, toJson } from '../contract/json.ts';
import { Memory } from '../contract/memory.ts';
import { beginEpoch } from './changes.ts';
import { hold } from './held.ts';
import { build, query, type Slot } from './query.ts';
import { searchWrites } from './search.ts';
import type { MemoryTable } from './tables.ts';

/** A memory on its way in: what the contract has a default for may be left out. */
export type NewMemory = v.InferInput<typeof Memory>;

type Row = Omit<MemoryTable, 'pk' | 'slim'>;

const COLUMNS = [
  'account_id',
  'id',
  'started_at',
  'ended_at',
  'duration_seconds',
  'is_processing',
  'name',
  'quick_summary',
  'key_takeaways',
  'body_sha256',
  'body',
] as const satisfies readonly (keyof Row)[];

const find = query((slot: Slot<{ account_id: string; id: string }>) =>
  build
    .selectFrom('memories')
    .select(['pk', 'body'])
    .where('account_id', '=', slot('account_id'))
    .where('id', '=', slot('id')),
);

const put = query((slot: Slot<Row>) =>
  build
    .insertInto('memories')
    .values(Object.fromEntries(COLUMNS.map((column) => [column, slot(column)])) as unknown as Row)
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'id'])
        .doUpdateSet((eb) =>
          Object.fromEntries(COLUMNS.map((column) => [column, eb.ref(`excluded.${column}`)])),
        ),
    )
    .returning('pk'),
);

const remove = query((slot: Slot<{ pk: number }>) =>
  build.deleteFrom('memories').where('pk', '=', slot('pk')),
);

const count = query((slot: Slot<{ account_id: string }>) =>
  build
    .selectFrom('memories')
    .select((eb) => eb.fn.countAll<number>().as('memories'))
    .where('account_id', '=', slot('account_id')),
);

/** The writes of memories on a connection. */
export function memoryWrites(db: Database) {
  const held = {
    find: hold(db, find),
    put: hold(db, put),
    remove: hold(db, remove),
    count: hold(db, count),
  };
  const search = searchWrites(db);
  const begin = beginEpoch(db);

  const write = db.transaction((account_id: string, memory: Memory): boolean => {
    const row = toRow(account_id, memory);
    const old = held.find.get({ account_id, id: row.id });
    // An unchanged memory is not rewritten: its account's revision, and so every etag, stays.
    if (old && Buffer.compare(old.body, row.body) === 0) return false;
    begin(account_id);
    if (old) search.remove(account_id, old.pk, fromJson(old.body));
    search.add(account_id, (held.put.get(row) as { pk: number }).pk, memory);
    return true;
  });

  const erase = db.transaction((account_id: string, id: string): boolean => {
    const old = held.find.get({ account_id, id });
    if (old === undefined) return false;
    begin(account_id);
    search.remove(account_id, old.pk, fromJson(old.body));
    held.remove.run(old);
    return true;
  });

  return {
    /**
     * Adds a memory to an account, or replaces the one that has its id; `user_id` becomes the
     * account's. Returns whether anything changed. Fails with `ValiError` when the contract does not hold.
     */
    put: (account_id: string, memory: NewMemory): boolean =>
      write.immediate(account_id, v.parse(Memory, { ...memory, user_id: account_id })),
    /** Deletes a memory and leaves its id in the feed of changes. Returns whether it was there. */
    delete: (account_id: string, id: string): boolean => erase.immediate(account_id, id),
    count: (account_id: string): number => held.count.get({ account_id })?.memories ?? 0,
  };
}

function toRow(account_id: string, memory: Memory): Row {
  const body = toJson(memory);
  return {
    account_id,
    id: memory.id,
    started_at: Date.parse(memory.started_at),
    ended_at: Date.parse(memory.ended_at),
    duration_seconds: memory.duration_seconds,
    is_processing: Number(memory.is_processing),
    name: memory.name,
    quick_summary: memory.summary.quick_summary,
    key_takeaways: JSON.stringify(memory.summary.key_takeaways),
    body_sha256: hash('sha256', body),
    body,
  };
}

// Writes memories: checked by the contract and serialised once, on their way in.

import { hash } from 'node:crypto';

import type { Database } from 'better-sqlite3';
import * as v from 'valibot';

import { toJson } from '../contract/json.ts';
import { Memory } from '../contract/memory.ts';
import { hold } from './held.ts';
import { build, query, type Slot } from './query.ts';
import type { MemoryTable } from './tables.ts';

/** A memory on its way in: what the contract has a default for may be left out. */
export type NewMemory = v.InferInput<typeof Memory>;

type Row = Omit<MemoryTable, 'pk'>;

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

const put = query((slot: Slot<Row>) =>
  build
    .insertInto('memories')
    .values(Object.fromEntries(COLUMNS.map((column) => [column, slot(column)])) as unknown as Row)
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'id'])
        .doUpdateSet((eb) =>
          Object.fromEntries(COLUMNS.map((column) => [column, eb.ref(`excluded.${column}`)])),
        )
        // An unchanged memory is not rewritten: its account's revision, and so every etag, stays.
        .whereRef('memories.body_sha256', '!=', 'excluded.body_sha256'),
    ),
);

const count = query((slot: Slot<{ account_id: string }>) =>
  build
    .selectFrom('memories')
    .select((eb) => eb.fn.countAll<number>().as('memories'))
    .where('account_id', '=', slot('account_id')),
);

/** The writes of memories on a connection. */
export function memoryWrites(db: Database) {
  const held = { put: hold(db, put), count: hold(db, count) };
  return {
    /**
     * Adds a memory to an account, or replaces the one that has its id; `user_id` becomes the
     * account's. Returns whether anything changed. Fails with `ValiError` when the contract does not hold.
     */
    put: (account_id: string, memory: NewMemory): boolean =>
      held.put.run(toRow(account_id, memory)) > 0,
    count: (account_id: string): number => held.count.get({ account_id })?.memories ?? 0,
  };
}

function toRow(account_id: string, memory: NewMemory): Row {
  const checked = v.parse(Memory, { ...memory, user_id: account_id });
  const body = toJson(checked);
  return {
    account_id,
    id: checked.id,
    started_at: Date.parse(checked.started_at),
    ended_at: Date.parse(checked.ended_at),
    duration_seconds: checked.duration_seconds,
    is_processing: Number(checked.is_processing),
    name: checked.name,
    quick_summary: checked.summary.quick_summary,
    key_takeaways: JSON.stringify(checked.summary.key_takeaways),
    body_sha256: hash('sha256', body),
    body,
  };
}

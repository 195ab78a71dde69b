// A memory as a row of its table, validated and serialised once.

import { hash } from 'node:crypto';

import * as v from 'valibot';

import { toJson, type Json } from '../../contract/json.ts';
import { Memory } from '../../contract/schemas/memory.ts';
import { prepareDetails, type GivenDetails, type PreparedDetails } from '../details/details-row.ts';
import { toLongJson } from '../long-json.ts';
import type { MemoryTable } from '../sql/tables/tables.ts';

/** The row of a memory, without the number that SQLite adds. */
export type StoredMemory = Omit<MemoryTable, 'pk'>;

/** The columns of a row, in the order of the table. */
export const MEMORY_COLUMNS = [
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
  'slim_sha256',
  'slim',
  'body',
] as const satisfies readonly (keyof StoredMemory)[];

/** Returns the row of a valid memory. */
export function toMemoryRow(account_id: string, memory: Memory): StoredMemory {
  const { transcript: _, ...rest } = memory;
  const slim: Json<Partial<Memory>> = toJson(rest);
  const body = toLongJson(memory);
  return {
    account_id,
    id: memory.id,
    started_at: Date.parse(memory.started_at),
    ended_at: Date.parse(memory.ended_at),
    duration_seconds: memory.duration_seconds,
    is_processing: Number(memory.is_processing),
    // SQLite stores no lone surrogates. The body has them as escapes.
    name: memory.name.toWellFormed(),
    quick_summary: memory.summary.quick_summary.toWellFormed(),
    key_takeaways: JSON.stringify(memory.summary.key_takeaways),
    body_sha256: hash('sha256', body),
    slim_sha256: hash('sha256', slim),
    slim,
    body,
  };
}

/** A memory to write. Fields with a default in the contract are optional. */
export type NewMemory = v.InferInput<typeof Memory>;

/** The result of writing a memory. */
export type WriteResult = 'added' | 'updated' | 'unchanged';

/** A valid memory and its row. */
export interface PreparedMemory {
  readonly row: StoredMemory;
  readonly memory: Memory;
  /** What else is known of it. Undefined: nothing. */
  readonly details?: PreparedDetails | undefined;
}

/** Validates and serialises a memory for an account, and its details. Throws `ValiError` if one breaks the contract. */
export function prepareMemory(
  account_id: string,
  given: NewMemory,
  details?: GivenDetails,
): PreparedMemory {
  const memory = v.parse(Memory, { ...given, user_id: account_id });
  return {
    row: toMemoryRow(account_id, memory),
    memory,
    details: details && prepareDetails(details, memory),
  };
}

// Rows: a memory as its table takes it, serialised once.

import { hash } from 'node:crypto';

import { toJson, type Json } from '../contract/json.ts';
import type { Memory } from '../contract/memory.ts';
import type { MemoryTable } from './tables.ts';

/** What is written of a memory; the rest SQLite adds. */
export type Row = Omit<MemoryTable, 'pk'>;

/** The columns of a row, in the order of the table. */
export const COLUMNS = [
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
] as const satisfies readonly (keyof Row)[];

/** Makes the row of a memory that was checked. */
export function toRow(account_id: string, memory: Memory): Row {
  const { transcript: _, ...rest } = memory;
  const slim: Json<Partial<Memory>> = toJson(rest);
  const body = toJson(memory);
  return {
    account_id,
    id: memory.id,
    started_at: Date.parse(memory.started_at),
    ended_at: Date.parse(memory.ended_at),
    duration_seconds: memory.duration_seconds,
    is_processing: Number(memory.is_processing),
    // As SQLite keeps it, which has no half of a character; the body has it as an escape.
    name: memory.name.toWellFormed(),
    quick_summary: memory.summary.quick_summary.toWellFormed(),
    key_takeaways: JSON.stringify(memory.summary.key_takeaways),
    body_sha256: hash('sha256', body),
    slim_sha256: hash('sha256', slim),
    slim,
    body,
  };
}

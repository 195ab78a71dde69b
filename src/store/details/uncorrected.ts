// Memories as they were imported, kept beside those that corrections have changed.

import { fromJson, toJson, type Json } from '../../contract/json.ts';
import type { Details, ReadDetails } from '../../contract/schemas/details.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import type { DetailTables } from '../sql/tables/detail-tables.ts';
import { readOriginal } from './original.ts';
import { pack } from './pack.ts';

/** A memory as it was imported. */
export interface Uncorrected {
  readonly memory: Memory;
  /** Null: nothing was read besides its nine fields. */
  readonly read: ReadDetails | null;
  /** What had been put right before it was exported and imported here. Default: nothing. */
  readonly corrections?: Details['corrections'] | undefined;
}

/** The columns with the bytes, and what they are checked by. */
export type UncorrectedBytes = Pick<DetailTables['uncorrected'], 'sha256' | 'bytes' | 'compressed'>;

/** Returns the row of a memory as it was imported. */
export function toUncorrectedRow(
  account_id: string,
  { memory, read, corrections }: Uncorrected,
): DetailTables['uncorrected'] {
  const { length: bytes, sha256, compressed } = pack(toJson({ memory, read, corrections }));
  return { account_id, memory_id: memory.id, sha256, bytes, compressed };
}

/** Reads a row, or returns undefined if it is damaged. */
export function readUncorrected(row: UncorrectedBytes): Uncorrected | undefined {
  const bytes = readOriginal(row);
  return bytes && fromJson(bytes as Json<Uncorrected>);
}

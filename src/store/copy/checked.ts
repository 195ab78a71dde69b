// Checked: a memory is copied as it was written, or the copy ends.

import * as v from 'valibot';

import { fromJson, type Json } from '../../contract/json.ts';
import { Memory } from '../../contract/memory.ts';
import { hasHash } from '../integrity.ts';
import type { Ready } from '../ready.ts';
import { COLUMNS, toRow, type Row } from '../rows.ts';

/** What a row says of its memory beside the bytes. */
export type Facts = Omit<Row, 'slim' | 'body'>;

/** The columns that say it. */
export const FACTS = COLUMNS.filter((column): column is keyof Facts => !isBytes(column));

function isBytes(column: keyof Row): boolean {
  return column === 'slim' || column === 'body';
}

/** What a row says, alike for both engines: PostgreSQL has another sign for U+0000. */
export function factsOf(row: Facts): (string | number)[] {
  return FACTS.map((fact) => {
    const value = row[fact];
    return typeof value === 'string' ? value.replaceAll('\0', '\u2400') : value;
  });
}

/** Makes a memory ready to be written; undefined where its bytes, hashes and columns are not those of one memory. */
export function checked(row: Facts & Pick<Row, 'body'>): Ready | undefined {
  const memory = hasHash(row.body, row.body_sha256) ? memoryOf(row.body) : undefined;
  if (memory?.user_id !== row.account_id) return undefined;
  const made = toRow(row.account_id, memory);
  const isSame = JSON.stringify(factsOf(made)) === JSON.stringify(factsOf(row));
  return isSame ? { row: made, memory } : undefined;
}

function memoryOf(body: Json<Memory>): Memory | undefined {
  try {
    const { success, output } = v.safeParse(Memory, fromJson(body));
    return success ? output : undefined;
  } catch {
    return undefined; // not JSON, though of that hash
  }
}

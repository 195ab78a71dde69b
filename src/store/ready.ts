// Ready: a memory on its way in, checked by the contract and serialised once.

import * as v from 'valibot';

import { Memory } from '../contract/memory.ts';
import { toRow, type Row } from './rows.ts';

/** A memory on its way in: what the contract has a default for may be left out. */
export type NewMemory = v.InferInput<typeof Memory>;

/** What became of a memory that was put. */
export type Written = 'added' | 'updated' | 'unchanged';

/** A memory that holds the contract, and its row. */
export interface Ready {
  readonly row: Row;
  readonly memory: Memory;
}

/** Checks and serialises a memory for an account. Fails with `ValiError` when the contract does not hold. */
export function ready(account_id: string, given: NewMemory): Ready {
  const memory = v.parse(Memory, { ...given, user_id: account_id });
  return { row: toRow(account_id, memory), memory };
}

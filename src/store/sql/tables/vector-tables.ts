// The tables of vectors: what their rows are, as schemas. Times are milliseconds since 1970.

import * as v from 'valibot';

import { AccountId, MemoryId } from '../../../contract/schemas/memory.ts';
import { hex, Ordinal, SomeText, Time } from './columns.ts';

/** The longest name of a model, in characters. */
const MAX_MODEL = 200;

/** The rows of each table, by its name. */
export const vectorRows = {
  /** The vectors of memories, as one bit for each number. */
  vector_signs: v.strictObject({
    account_id: AccountId,
    memory_id: MemoryId,
    started_at: Time,
    is_processing: v.picklist([0, 1]),
    /** Of the memory that they were made of. */
    body_sha256: hex(64),
    model: v.pipe(SomeText, v.maxLength(MAX_MODEL)),
    cut: Ordinal,
    signs: v.instance(Uint8Array),
  }),
  /** The vectors of memories. */
  vector_values: v.strictObject({
    account_id: AccountId,
    memory_id: MemoryId,
    numbers: v.instance(Uint8Array),
  }),
};

// What a change is: a memory that was written or deleted, and when.

import * as v from 'valibot';

import { MemoryId, Timestamp } from './memory.ts';

/** Checks a change: the latest of its memory. */
export const Change = v.object({
  memory_id: MemoryId,
  change: v.picklist(['upsert', 'delete']),
  changed_at: Timestamp,
});

/** A change, as the feed gives it; the memory itself is read by its id. */
export type Change = v.InferOutput<typeof Change>;

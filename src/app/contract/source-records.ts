// The records of sources: the products that can be pulled from, and what each source of an account last did.

import * as v from 'valibot';

import { OptionalTime, RecordId } from './records.ts';

/** A product that can be pulled from. */
export const SourceProduct = v.object({
  name: v.string(),
  /** The product and its word for recordings. */
  title: v.string(),
  key: v.picklist(['needed', 'optional', 'none']),
  /** Where people get a key. Null: not known. */
  key_place: v.nullable(v.string()),
  /** Whether the owner has to say at which address it is. */
  needs_url: v.boolean(),
});

/** The last run of a source. */
export const SourceRun = v.object({
  started_at: OptionalTime,
  /** Null: it is at work, or was killed. */
  ended_at: OptionalTime,
  active_at: OptionalTime,
  /** When a run last ended well. */
  succeeded_at: OptionalTime,
  result: v.nullable(v.picklist(['ok', 'failed', 'interrupted'])),
  added: v.number(),
  updated: v.number(),
  unchanged: v.number(),
  deleted: v.number(),
  rejected: v.number(),
  /** What went wrong, and what to do. */
  problem: v.nullable(v.string()),
  /** How far back it has read so far, if an earlier part is left for the next runs. */
  back_to: OptionalTime,
});

/** A source of an account: a product, another gateway or a watched folder. */
export const SourceEntry = v.object({
  /** Null: an option of the server or a command runs it, so it cannot be changed here. */
  id: v.nullable(RecordId),
  kind: v.picklist(['pull', 'watch']),
  name: v.string(),
  /** How often it is pulled. Null: not known. */
  every_minutes: v.nullable(v.number()),
  /** When the next run starts. Null: not known. */
  due_at: OptionalTime,
  run: v.nullable(SourceRun),
  /** The latest files of a watched folder that were not read as a whole: a sentence for each. */
  unread: v.array(v.string()),
});

/** A source that was stored. Its key was tried, unless it stays as it was. */
export const SavedSource = v.object({
  /** Why nobody knows yet whether its key works, in a sentence. Null: it works. */
  unsure: v.nullable(v.string()),
});

/** The sources of an account, and what can be added. */
export const SourceList = v.object({
  products: v.array(SourceProduct),
  sources: v.array(SourceEntry),
});

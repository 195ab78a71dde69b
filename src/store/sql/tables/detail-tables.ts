// The tables of details: what their rows are, as schemas, and their types for Kysely.

import * as v from 'valibot';

import { AccountId, MemoryId } from '../../../contract/schemas/memory.ts';
import { Count, hex, Ordinal, SomeText, Time, Uuid } from './columns.ts';

const Bytes = v.instance(Uint8Array<ArrayBuffer>);
const Kind = v.picklist(['person', 'tag', 'source']);

const ofMemory = { account_id: AccountId, memory_id: MemoryId };

/** The rows of each table, by its name. */
export const detailRows = {
  /** What memories were made from, compressed, by the hash of their bytes. */
  originals: v.strictObject({
    account_id: AccountId,
    sha256: hex(64),
    media_type: SomeText,
    /** Their number without compression. */
    bytes: Count,
    compressed: Bytes,
  }),
  /** The document of each memory that has one. */
  details: v.strictObject({
    ...ofMemory,
    /** The hash of what an import read. */
    read_sha256: hex(64),
    original_sha256: v.nullable(hex(64)),
    /** How the original was read. */
    reading: v.nullable(v.pipe(v.string(), v.parseJson())),
    /** The id that the new name of its file gives, if the file was renamed. */
    renamed_to: v.nullable(MemoryId),
    body_sha256: hex(64),
    body: Bytes,
  }),
  /** The people, tags and sources of memories. */
  facets: v.strictObject({
    ...ofMemory,
    kind: Kind,
    /** The name as it is compared. */
    folded: SomeText,
    name: v.string(),
    /** The kinds of a tag, with commas between them. */
    labels: v.string(),
    lines: Count,
    words: Count,
    speaking_ms: v.nullable(Count),
    started_at: Time,
  }),
  /** The sums of facets. */
  facet_totals: v.strictObject({
    account_id: AccountId,
    kind: Kind,
    folded: SomeText,
    labels: v.string(),
    name: v.string(),
    memories: Ordinal,
    lines: Count,
    words: Count,
    speaking_ms: Count,
    /** In how many memories the speaking time is known. */
    timed: Count,
    first_at: Time,
    last_at: Time,
  }),
  /** What the sources found to do. */
  action_items: v.strictObject({
    ...ofMemory,
    started_at: Time,
    number: Ordinal,
    text: v.string(),
    owner: v.nullable(v.string()),
    /** The owner as it is compared. */
    folded: v.nullable(v.string()),
    due: v.nullable(v.string()),
    done: v.nullable(v.pipe(v.number(), v.values([0, 1]))),
    line: v.nullable(Ordinal),
  }),
  /** What people have put right. */
  corrections: v.strictObject({
    account_id: AccountId,
    id: Uuid,
    /** Null: all memories of the account. */
    memory_id: v.nullable(MemoryId),
    field: v.picklist(['name', 'started_at', 'speaker']),
    old: v.nullable(v.string()),
    new: v.string(),
    made_at: Time,
  }),
  /** The bin: deleted memories with their details and corrections. */
  deleted_memories: v.strictObject({
    ...ofMemory,
    deleted_at: Time,
    body_sha256: hex(64),
    slim_sha256: hex(64),
    read_sha256: v.nullable(hex(64)),
    original_sha256: v.nullable(hex(64)),
    reading: v.nullable(v.pipe(v.string(), v.parseJson())),
    renamed_to: v.nullable(MemoryId),
    details_sha256: v.nullable(hex(64)),
    details: v.nullable(Bytes),
    corrections: v.pipe(v.string(), v.parseJson()),
    slim: Bytes,
    body: Bytes,
  }),
  /** Memories as they were imported, of those that corrections have changed. */
  uncorrected: v.strictObject({
    ...ofMemory,
    sha256: hex(64),
    /** Their number without compression. */
    bytes: Count,
    compressed: Bytes,
  }),
};

/** The tables of details. */
export type DetailTables = {
  [T in keyof typeof detailRows]: v.InferInput<(typeof detailRows)[T]>;
};

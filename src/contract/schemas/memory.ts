// Schemas and types of a memory and of a change. Every entry point validates with these schemas.

import * as v from 'valibot';

/** A memory's id: 1 to 128 unreserved URL characters, case-sensitive, and not a dot segment. */
export const MemoryId = v.pipe(
  v.string(),
  // URL libraries remove "." and ".." from a path before they send the request.
  v.regex(/^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,128}$/),
  v.description('1 to 128 letters, digits, ".", "_", "~" or "-", as in the list'),
);

/** A UTC timestamp with exactly three decimals, as in `2026-11-21T09:30:00.000Z`. */
export const Timestamp = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.check(isCanonical, 'must be a date that exists, as in 2026-11-21T09:30:00.000Z'),
);

/** The schema of a count. */
export const WholeNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** The schema of a summary. */
export const Summary = v.object({
  quick_summary: v.string(),
  key_takeaways: v.array(v.string()),
});

/** The schema of a memory: every field present, none null, and the rules that span fields. */
export const Memory = v.pipe(
  v.object({
    id: MemoryId,
    name: v.string(),
    started_at: Timestamp,
    ended_at: Timestamp,
    is_processing: v.boolean(),
    user_id: v.string(),
    duration_seconds: WholeNumber,
    summary: Summary,
    transcript: v.string(),
  }),
  v.check((memory) => memory.ended_at >= memory.started_at, 'ended_at is before started_at'),
  v.check(
    ({ is_processing, summary }) => !is_processing || isEmpty(summary),
    'a memory that is still processing has no summary yet',
  ),
);

// Editors show the comments of these interfaces. Tests compare them with the schemas and with openapi/descriptions.ts.

/** A recorded session. All fields are always present and never null. */
export interface Memory {
  /** Unique within the account, and case-sensitive. */
  id: string;
  /** The title. */
  name: string;
  /** When the recording began, in UTC with three decimals. */
  started_at: string;
  /** When the recording ended, in UTC with three decimals. */
  ended_at: string;
  /** `true` while the summary is still being written. */
  is_processing: boolean;
  /** The id of the account that owns the memory. */
  user_id: string;
  /** The length in whole seconds. */
  duration_seconds: number;
  /** The summary. Its fields are empty while the memory is processing. */
  summary: Summary;
  /** Everything that was said, or the text so far while the memory is processing. */
  transcript: string;
}

/** The summary of a memory. Its fields are empty while the memory is processing. */
export interface Summary {
  /** The conversation in a few sentences. */
  quick_summary: string;
  /** The points to remember, one per item. */
  key_takeaways: string[];
}

/** The name of a field of a memory. */
export type MemoryField = keyof Memory;

/** The schema of a memory with some fields: every field except `id` is optional. */
export const MemoryFields: v.GenericSchema = v.object(
  Object.fromEntries(
    Object.entries<v.GenericSchema>(Memory.entries).map(([name, entry]) => [
      name,
      name === 'id' ? entry : v.optional(entry),
    ]),
  ),
);

/** Creates the schema of a memory with `id` and the given fields. Without `fields`, returns `MemoryFields`. */
export function memoryWithFields(fields?: readonly string[]): v.GenericSchema {
  if (fields === undefined) return MemoryFields;
  const selected = Object.entries<v.GenericSchema>(Memory.entries).filter(
    ([name]) => name === 'id' || fields.includes(name),
  );
  return v.object(Object.fromEntries(selected));
}

function isCanonical(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
}

function isEmpty(summary: Summary): boolean {
  return summary.quick_summary === '' && summary.key_takeaways.length === 0;
}

/** An account's id, in the grammar of a memory's id. */
export const AccountId = MemoryId;

/** The schema of a change. */
export const Change = v.object({
  memory_id: MemoryId,
  change: v.picklist(['upsert', 'delete']),
  changed_at: Timestamp,
});

/** The latest change of a memory. Fetch the memory itself by its id. */
export interface Change {
  /** The id of the memory. */
  memory_id: string;
  /** `upsert` if the memory was added or changed, `delete` if it was deleted. */
  change: 'upsert' | 'delete';
  /** When it changed, in UTC with three decimals. */
  changed_at: string;
}

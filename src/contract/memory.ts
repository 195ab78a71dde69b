// What a memory is: the schemas every door checks by and every type is drawn from.

import * as v from 'valibot';

/** Checks an id: 1 to 128 unreserved URL characters, case-sensitive, and not a dot segment. */
export const MemoryId = v.pipe(
  v.string(),
  // "." and ".." are left out because URL libraries fold them away before a request is sent.
  v.regex(/^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,128}$/),
  v.description('1 to 128 letters, digits, ".", "_", "~" or "-", as in the list'),
);

/** Checks a UTC timestamp with exactly three decimals, as in `2026-11-21T09:30:00.000Z`. */
export const Timestamp = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.check(isCanonical, 'must be a date that exists, as in 2026-11-21T09:30:00.000Z'),
);

/** Checks a summary: what was said in short, and what to take away. */
export const Summary = v.object({
  quick_summary: v.string(),
  key_takeaways: v.array(v.string()),
});

/** Checks a memory: all fields present, none null, and the rules that span fields. */
export const Memory = v.pipe(
  v.object({
    id: MemoryId,
    name: v.string(),
    started_at: Timestamp,
    ended_at: Timestamp,
    is_processing: v.boolean(),
    user_id: v.string(),
    duration_seconds: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    summary: Summary,
    transcript: v.string(),
  }),
  v.check((memory) => memory.ended_at >= memory.started_at, 'ended_at is before started_at'),
  v.check(
    ({ is_processing, summary }) => !is_processing || isEmpty(summary),
    'a memory that is still processing has no summary yet',
  ),
);

/** A memory, as the API gives it. */
export type Memory = v.InferOutput<typeof Memory>;
/** The name of a field of a memory. */
export type MemoryField = keyof typeof Memory.entries;
/** The summary of a memory. */
export type Summary = v.InferOutput<typeof Summary>;

/** Checks what fields leave of a memory: any but the id may be missing. */
export const MemoryFields: v.GenericSchema = v.object(
  Object.fromEntries(
    Object.entries<v.GenericSchema>(Memory.entries).map(([name, entry]) => [
      name,
      name === 'id' ? entry : v.optional(entry),
    ]),
  ),
);

/** Makes the check of a memory that is cut to its id and some fields; without them, any but the id may be missing. */
export function cutMemory(fields?: readonly string[]): v.GenericSchema {
  if (fields === undefined) return MemoryFields;
  const left = Object.entries<v.GenericSchema>(Memory.entries).filter(
    ([name]) => name === 'id' || fields.includes(name),
  );
  return v.object(Object.fromEntries(left));
}

function isCanonical(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
}

function isEmpty(summary: Summary): boolean {
  return summary.quick_summary === '' && summary.key_takeaways.length === 0;
}

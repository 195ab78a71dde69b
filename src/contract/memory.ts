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
const Timestamp = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.check(isCanonical, 'must be a date that exists, as in 2026-11-21T09:30:00.000Z'),
);

/** Checks a summary: what was said in short, and what to take away. */
export const Summary = v.pipe(
  v.object({
    quick_summary: v.pipe(v.string(), v.description('What was said, in a few sentences.')),
    key_takeaways: v.pipe(v.array(v.string()), v.description('What to keep in mind, one by one.')),
  }),
  v.description('What was said in short; empty while the memory is still processing.'),
);

/** Checks a memory: nine fields, all present, none null, and the rules that span fields. */
export const Memory = v.pipe(
  v.object({
    id: v.pipe(MemoryId, v.description('Unique within its account, and case-sensitive.')),
    name: v.pipe(v.string(), v.description('The title.')),
    started_at: v.pipe(Timestamp, v.description('When it began, in UTC with three decimals.')),
    ended_at: v.pipe(Timestamp, v.description('When it ended, in UTC with three decimals.')),
    is_processing: v.pipe(v.boolean(), v.description('Whether the summary is still to come.')),
    user_id: v.pipe(v.string(), v.description('The id of the account that owns it.')),
    duration_seconds: v.pipe(
      v.number(),
      v.safeInteger(),
      v.minValue(0),
      v.description('How long it is, in whole seconds.'),
    ),
    summary: Summary,
    transcript: v.pipe(
      v.string(),
      v.description('All that was said; what there is so far while it is still processing.'),
    ),
  }),
  v.check((memory) => memory.ended_at >= memory.started_at, 'ended_at is before started_at'),
  v.check(
    ({ is_processing, summary }) => !is_processing || isEmpty(summary),
    'a memory that is still processing has no summary yet',
  ),
  v.description('A recorded session; all nine fields are always there and never null.'),
);

/** A memory, as the API gives it. */
export type Memory = v.InferOutput<typeof Memory>;
/** The summary of a memory. */
export type Summary = v.InferOutput<typeof Summary>;

function isCanonical(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
}

function isEmpty(summary: Summary): boolean {
  return summary.quick_summary === '' && summary.key_takeaways.length === 0;
}

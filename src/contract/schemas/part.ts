// Schema and type of a part of a transcript.

import * as v from 'valibot';

import { MemoryId, WholeNumber } from './memory.ts';

/** The schema of a part of a transcript. */
export const TranscriptLines = v.object({
  memory_id: MemoryId,
  total: WholeNumber,
  first: WholeNumber,
  last: WholeNumber,
  text: v.string(),
  starts_ms: v.optional(v.nullable(v.array(v.nullable(WholeNumber)))),
});

// Editors show the comments of this interface. Tests compare it with the schema and with openapi/descriptions.ts.

/** Consecutive lines of a transcript. */
export interface TranscriptLines {
  /** The id of the memory. */
  memory_id: string;
  /** How many lines the transcript has. 0 if it is empty. */
  total: number;
  /** The number of the first line in `text`, counted from 1. 0 if the transcript is empty. */
  first: number;
  /** The number of the last line in `text`. 0 if the transcript is empty. */
  last: number;
  /** The lines, separated by `\n`. */
  text: string;
  /** When each of these lines starts, in milliseconds from `started_at`, or `null` for a line of which that is unknown. `null` instead of the list if it is unknown of the whole memory. Absent without `times`. */
  starts_ms?: (number | null)[] | null | undefined;
}

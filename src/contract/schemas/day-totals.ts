// Schema and type of the totals of a day.

import * as v from 'valibot';

import { WholeNumber } from './memory.ts';

/** The schema of the totals of a day. */
export const Day = v.object({
  // Years beyond four digits have a sign and six, as ISO 8601 writes them.
  date: v.pipe(v.string(), v.regex(/^(?:\d{4}|[+-]\d{6})-\d\d-\d\d$/)),
  memories: WholeNumber,
  duration_seconds: WholeNumber,
});

// Editors show the comments of this interface. Tests compare it with the schema and with openapi/descriptions.ts.

/** The totals of a day that has memories. */
export interface Day {
  /** The date in the time zone of the request, such as `2026-11-18`. */
  date: string;
  /** How many memories start on this day. */
  memories: number;
  /** How long they are together, in whole seconds. */
  duration_seconds: number;
}

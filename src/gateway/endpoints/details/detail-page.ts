// What the lists of people and action items share: their bounds and their pages.

import * as v from 'valibot';

import type { Json } from '../../../contract/json.ts';

/** A whole number in a cursor. */
export const Whole = v.pipe(v.number(), v.safeInteger());

/** Times in milliseconds, from and to which memories start. */
export const bounds = { started_after: v.optional(Whole), started_before: v.optional(Whole) };

/** A page, and the position after which the next one starts. */
export interface DetailsPage<T, Position> {
  readonly body: Json<T[]>;
  readonly last: Position | undefined;
  readonly revision: string | undefined;
}

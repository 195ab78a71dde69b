// Shapes that formats share: what may be missing, null, or written in more than one way.

import * as v from 'valibot';

/** A value that may be missing or null. */
export function maybe<T extends v.GenericSchema>(schema: T) {
  return v.nullish(schema);
}

/** Tells what is there, be it empty, from what is missing or null. */
export function isThere<T>(value: T): value is T & {} {
  return value !== undefined && value !== null;
}

/** A text that may be missing or null. */
export const maybeText = maybe(v.string());

/** A text, or what the schema takes; what is wrong inside that is told, as a union would not. */
export function textOr<T extends v.GenericSchema>(schema: T) {
  return v.lazy((input) => (typeof input === 'string' ? v.string() : schema));
}

/** An id as a text or a number; one that is missing is told as one that is empty. */
export const anyId = v.nullish(
  v.union([v.pipe(v.string(), v.nonEmpty('it is empty')), v.pipe(v.number(), v.safeInteger())]),
  '',
);

/** What tells speakers apart, a text or a number, which may be missing. */
export const maybeLabel = maybe(v.union([v.string(), v.number()]));

/** A time as it was found, which may be missing; it is read by `readTime`. */
export const maybeTime = maybe(v.union([v.string(), v.number()]));

/** A count of seconds that may be missing. */
export const maybeSeconds = maybe(v.pipe(v.number(), v.finite()));

/** A list that may be missing or null. */
export function maybeList<T extends v.GenericSchema>(schema: T) {
  return v.optional(v.nullable(v.array(schema), []), []);
}

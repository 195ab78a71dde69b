// Schemas for fields that can be missing, null, or written in several ways.

import * as v from 'valibot';

/** A value that can be missing or null. */
export function maybe<T extends v.GenericSchema>(schema: T) {
  return v.nullish(schema);
}

/** Whether a value is neither missing nor null. It can be empty. */
export function isPresent<T>(value: T): value is T & {} {
  return value !== undefined && value !== null;
}

/** A text that can be missing or null. */
export const maybeText = maybe(v.string());

/** A text or a value of the schema. Unlike a union, its issues say what is wrong inside the value. */
export function textOr<T extends v.GenericSchema>(schema: T) {
  return v.lazy((input) => (typeof input === 'string' ? v.string() : schema));
}

/** A value of the schema, or its JSON text. */
export function orJsonText<T extends v.GenericSchema>(schema: T) {
  const Text = v.pipe(v.string(), v.parseJson(), schema);
  return v.lazy((input) => (typeof input === 'string' ? Text : schema));
}

/** An id, as a text or a number. A missing id becomes `''`, which is reported as empty. */
export const anyId = v.nullish(
  v.union([
    v.pipe(v.string(), v.nonEmpty('it is empty')),
    v.pipe(v.number(), v.safeInteger('it is not a whole number')),
  ]),
  '',
);

/** A speaker label, as a text or a number, which can be missing. */
export const maybeLabel = maybe(v.union([v.string(), v.number()]));

/** A time in any notation, which can be missing. `readTime` parses it. */
export const maybeTime = maybe(v.union([v.string(), v.number()]));

/** A number of seconds that can be missing. */
export const maybeSeconds = maybe(v.pipe(v.number(), v.finite()));

/** A list that can be missing or null. It is then empty. */
export function maybeList<T extends v.GenericSchema>(schema: T) {
  return v.optional(v.nullable(v.array(schema), []), []);
}

/** A value that a memory can do without. If it is not of the schema, it is as if it were missing. */
export function detail<T extends v.GenericSchema>(schema: T) {
  return v.fallback(maybe(schema), undefined);
}

/** A text that a memory can do without. */
export const detailText = detail(v.string());

/** A list that a memory can do without. Values that are not of the schema are left out. */
export function detailList<T extends v.GenericSchema>(schema: T) {
  const List = maybeList(v.fallback(v.nullable(schema), null));
  return v.pipe(
    v.fallback(List, []),
    v.transform((list) => list.filter((each) => isPresent(each))),
  );
}

/** A person with a name or an address. */
export const detailPerson = v.object({ name: detailText, email: detailText });

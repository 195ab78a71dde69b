// What the columns of several tables take, as schemas.

import * as v from 'valibot';

import type { ScopeColumns } from '../../scope.ts';

/** The range of a `Date`, in milliseconds since 1970. */
export const Time = v.pipe(v.number(), v.integer(), v.minValue(-8.64e15), v.maxValue(8.64e15));

/** A whole number from 0 on. */
export const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** The number of something in an order that starts at 1. */
export const Ordinal = v.pipe(Count, v.minValue(1));

/** Any text but the empty one. */
export const SomeText = v.pipe(v.string(), v.minLength(1));

/** A UUID, as text. */
export const Uuid = v.pipe(v.string(), v.uuid());

/** Bytes as base64url. */
export const Base64Url = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]+$/));

/** The columns of a scope. */
export const scopeColumns = {
  reads: v.picklist(['all', 'summaries']),
  started_after: v.nullable(Time),
  started_before: v.nullable(Time),
  source: v.nullable(SomeText),
  tags: v.nullable(v.pipe(v.string(), v.parseJson(), v.array(v.string()), v.minLength(1))),
} satisfies Record<keyof ScopeColumns, v.GenericSchema>;

/** Creates the schema of hexadecimal digits. */
export function hex(digits: number) {
  return v.pipe(v.string(), v.hexadecimal(), v.length(digits));
}

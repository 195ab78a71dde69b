// Reads fields of items: products leave them out, and one odd item must not stop a run.

import * as v from 'valibot';

import type { JsonObject } from '../formats/format.ts';
import { toInstant } from '../formats/time/product-time.ts';
import type { SourcePosition } from './source.ts';

/** The items of a page. Their fields are validated one by one, by the importer. */
export const Items = v.array(v.record(v.string(), v.unknown()));

/** The cursor of the next page, in the forms in which products say that there is none. */
export const ProductCursor = v.pipe(
  v.nullish(v.union([v.string(), v.number()])),
  v.transform((cursor) =>
    cursor === null || cursor === undefined || cursor === '' ? undefined : String(cursor),
  ),
);

/** Neither addresses nor PostgreSQL take half of a surrogate pair or a NUL, and dots lead to another address. */
const USABLE_ID = /^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]+$/u;

/** Returns the id in a field, or `''`: such an item is rejected by the importer. */
export function idIn(item: JsonObject, name = 'id'): string {
  const id = item[name];
  const text = typeof id === 'string' || typeof id === 'number' ? String(id) : '';
  return USABLE_ID.test(text) ? text : '';
}

/** Returns the time in a field in milliseconds since 1970. A time without an offset is UTC. */
export function timeIn(item: JsonObject, name: string): number | undefined {
  const time = item[name];
  return typeof time === 'string' || typeof time === 'number' ? toInstant(time) : undefined;
}

/** Returns the text in a field, if it is one. */
export function textIn(item: JsonObject, name: string): string | undefined {
  const text = item[name];
  return typeof text === 'string' ? text : undefined;
}

/** Returns a time for a parameter: `2026-11-18T09:00:00.000Z`. */
export function isoTime(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

/**
 * Returns the offset of the next page, after a page of `count` items. The page repeats one item, because
 * a deletion in between would hide an item otherwise. A page of fewer items than `least` ends the list:
 * of fewer than two if the product may send fewer than it was asked for.
 */
export function nextOffset(
  { cursor }: SourcePosition,
  { count, least = 2 }: { readonly count: number; readonly least?: number },
): string | undefined {
  return count < least ? undefined : String(Number(cursor ?? 0) + count - 1);
}

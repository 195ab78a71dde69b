// Recognises the format of each item, and groups consecutive items that make one memory.

import type { Exclusion, JsonObject, ItemFormat } from '../format.ts';
import type { FoundItem, ItemPosition } from './read-items.ts';
import { isJsonObject } from './unwrap.ts';

/** A recognised item, a group of items that make one memory, or the reason to exclude an item. */
export type Recognised = { readonly place: ItemPosition } & (
  | { readonly format: ItemFormat; readonly value: JsonObject | readonly JsonObject[] }
  | Exclusion
);

/** The largest group. A group is held in memory. */
const MAX_GROUP_ITEMS = 100_000;

/** The reason to reject an item of an unknown format. */
export const UNKNOWN =
  'it is of no format that is known here; take an export as VTT or SRT instead, or name its format with --format';

/** The reason to reject a group before a broken end: a part must not replace a whole memory. */
const CUT = 'it may go on in what cannot be read at the end';

/** Recognises items by their properties, and yields groups when they are complete. Exclusions are yielded at once. */
export async function* recognise(
  items: AsyncIterable<FoundItem>,
  formats: readonly ItemFormat[],
): AsyncGenerator<Recognised> {
  let last: ItemFormat | undefined;
  let group: Group | undefined;
  let isCut = false;
  for await (const { value, reason, ...place } of items as AsyncIterable<AnyFound>) {
    isCut = reason !== undefined;
    const format = isJsonObject(value) ? choose(value, formats, last) : undefined;
    if (format === undefined || !isJsonObject(value)) {
      yield { place, reason: reason ?? UNKNOWN };
      continue;
    }
    last = format;
    const exclusion = format.exclude?.(value);
    if (exclusion) {
      yield { place, ...exclusion };
      continue;
    }
    if (group?.format === format && continuesGroup(group, value)) {
      group.value.push(value);
      continue;
    }
    if (group) yield group;
    group = format.continues && { place, format, value: [value] };
    if (!group) yield { place, format, value };
  }
  if (group) yield isCut ? { place: group.place, reason: CUT } : group;
}

interface Group {
  readonly place: ItemPosition;
  readonly format: ItemFormat;
  readonly value: JsonObject[];
}

function continuesGroup({ format, value }: Group, item: JsonObject): boolean {
  const before = value.at(-1);
  return (
    before !== undefined &&
    value.length < MAX_GROUP_ITEMS &&
    format.continues?.(before, item) === true
  );
}

type AnyFound = ItemPosition & { readonly value?: unknown; readonly reason?: string };

/** Returns the format of an item. If none matches, the format of the item before can best say what is wrong. */
function choose(
  item: JsonObject,
  formats: readonly ItemFormat[],
  last: ItemFormat | undefined,
): ItemFormat | undefined {
  if (last?.matches(item)) return last;
  const only = formats.length === 1 ? formats[0] : undefined;
  const format = formats.find(({ matches }) => matches(item)) ?? last ?? only;
  return format ?? formats.find(({ resembles }) => resembles?.(item));
}

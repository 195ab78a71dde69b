// Groups: items that follow one another and make one memory together, where a format says so.

import type { Aside, Item, ItemFormat } from './format.ts';
import type { Found, Place } from './json.ts';
import { isItem } from './unwrap.ts';

/** An item that is recognised, or several that make one memory; or why there is none. */
export type Recognised = { readonly place: Place } & (
  | { readonly format: ItemFormat; readonly value: Item | readonly Item[] }
  | Aside
);

/** The most items that make one memory: they are held together. */
const MOST = 100_000;

const UNKNOWN =
  'it is of no format that is known here; name its format with --format, or see "help import"';

/** A part of a memory must not take the place of the whole. */
const CUT = 'it may go on in what cannot be read at the end';

/** Recognises items by their shapes, and puts those together that are one memory; all else is told at once. */
export async function* recognise(
  items: AsyncIterable<Found>,
  formats: readonly ItemFormat[],
): AsyncGenerator<Recognised> {
  let last: ItemFormat | undefined;
  let group: Group | undefined;
  let isCut = false;
  for await (const { value, reason, ...place } of items as AsyncIterable<AnyFound>) {
    isCut = reason !== undefined;
    const format = isItem(value) ? choose(value, formats, last) : undefined;
    if (format === undefined || !isItem(value)) {
      yield { place, reason: reason ?? UNKNOWN };
      continue;
    }
    last = format;
    const aside = format.aside?.(value);
    if (aside) {
      yield { place, ...aside };
      continue;
    }
    if (group?.format === format && goesOn(group, value)) {
      group.value.push(value);
      continue;
    }
    if (group) yield group;
    group = format.joins && { place, format, value: [value] };
    if (!group) yield { place, format, value };
  }
  if (group) yield isCut ? { place: group.place, reason: CUT } : group;
}

interface Group {
  readonly place: Place;
  readonly format: ItemFormat;
  readonly value: Item[];
}

function goesOn({ format, value }: Group, item: Item): boolean {
  const before = value.at(-1);
  return before !== undefined && value.length < MOST && format.joins?.(before, item) === true;
}

type AnyFound = Place & { readonly value?: unknown; readonly reason?: string };

/** An item of no known shape is judged by the format of the one before, which says best what is wrong with it. */
function choose(
  item: Item,
  formats: readonly ItemFormat[],
  last: ItemFormat | undefined,
): ItemFormat | undefined {
  if (last?.fits(item)) return last;
  const only = formats.length === 1 ? formats[0] : undefined;
  return formats.find(({ fits }) => fits(item)) ?? last ?? only;
}

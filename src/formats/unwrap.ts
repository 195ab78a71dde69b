// Unwraps the envelopes in which items come: pages, arrays, and one thing by its name.

import type { Item, ItemFormat } from './format.ts';

/** Tells an object from all else that JSON has. */
export function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Finds the items in a value of JSON: those of an array or a page of its formats, else the value itself. */
export function itemsIn(value: unknown, formats: readonly ItemFormat[]): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => pageOf(each, formats) ?? [each]);
  return pageOf(value, formats) ?? [value];
}

/** The paths at which a format may have its items, each with those formats. */
export function pathsOf(formats: readonly ItemFormat[]): string[] {
  return [...new Set(formats.flatMap(({ inside }) => inside))];
}

/** Tells whether an array at a path is one of items, by the first thing in it. */
export function isPage(path: string, first: unknown, formats: readonly ItemFormat[]): boolean {
  const own = formats.filter(({ inside }) => inside.includes(path));
  return isItem(first) && own.some(({ fits }) => fits(first));
}

function pageOf(value: unknown, formats: readonly ItemFormat[]): readonly unknown[] | undefined {
  if (!isItem(value) || formats.some(({ fits }) => fits(value))) return undefined;
  let empty: readonly unknown[] | undefined;
  for (const path of pathsOf(formats)) {
    const found = at(value, path);
    const list = Array.isArray(found) ? found : isItem(found) ? [found] : undefined;
    if (list?.length === 0) empty = list;
    // The first may be the one that is broken.
    if (list?.slice(0, 100).some((each) => isPage(path, each, formats))) return list;
  }
  return empty;
}

function at(value: Item, path: string): unknown {
  let found: unknown = value;
  for (const name of path.split('.')) {
    if (!isItem(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
}

// Finds items in their envelopes: pages, arrays, and single items under a name.

import type { JsonObject, ItemFormat } from '../format.ts';

/** Whether a value is a JSON object, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Renames the properties of a value, at any depth down to `most`. */
export function renameProperties(
  value: unknown,
  rename: (name: string) => string,
  most = Infinity,
): unknown {
  if (most < 0) return value;
  if (Array.isArray(value)) return value.map((each) => renameProperties(each, rename, most - 1));
  if (!isJsonObject(value)) return value;
  const named = Object.entries(value).map(([name, each]) => [
    rename(name),
    renameProperties(each, rename, most - 1),
  ]);
  return Object.fromEntries(named);
}

/** Returns the items of an array or of a page of one of the formats. Other values are returned as one item. */
export function findItems(value: unknown, formats: readonly ItemFormat[]): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => itemsOfPage(each, formats) ?? [each]);
  return itemsOfPage(value, formats) ?? [value];
}

/** The paths under which the formats have items, without duplicates. */
export function pagePaths(formats: readonly ItemFormat[]): string[] {
  return [...new Set(formats.flatMap(({ paths }) => paths))];
}

/** Whether an array at a path contains items, judged by its first value. */
export function isPage(path: string, first: unknown, formats: readonly ItemFormat[]): boolean {
  const own = formats.filter(({ paths }) => paths.includes(path));
  return isJsonObject(first) && own.some(({ matches }) => matches(first));
}

function itemsOfPage(
  value: unknown,
  formats: readonly ItemFormat[],
): readonly unknown[] | undefined {
  if (!isJsonObject(value) || formats.some(({ matches }) => matches(value))) return undefined;
  let empty: readonly unknown[] | undefined;
  for (const path of pagePaths(formats)) {
    const found = valueAt(value, path);
    const list = Array.isArray(found) ? found : isJsonObject(found) ? [found] : undefined;
    if (list?.length === 0) empty = list;
    // The first item can be broken.
    if (list?.slice(0, 100).some((each) => isPage(path, each, formats))) return list;
  }
  return empty;
}

function valueAt(value: JsonObject, path: string): unknown {
  let found: unknown = value;
  for (const name of path.split('.')) {
    if (!isJsonObject(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
}

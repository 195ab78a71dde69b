// Finds what an item has and its format does not read, by the names in the format's schema.

import type * as v from 'valibot';

import { isJsonObject } from './unwrap.ts';

/** The properties of schemas of valibot that lead to other schemas. */
interface Schema {
  readonly kind: string;
  readonly type: string;
  readonly pipe?: readonly Schema[];
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly wrapped?: Schema;
  readonly item?: Schema;
  readonly items?: readonly Schema[];
  readonly options?: readonly Schema[];
  readonly getter?: (input: unknown) => Schema;
}

/** How much of an item is looked at. Lists repeat the same names, and an export can have a million items. */
const LOOKED_AT = { elements: 3, names: 50, depth: 8 };

/**
 * Returns the names of properties that have a value and are not in the schema, as paths:
 * `structured.emoji`. Names are compared without case and underscores, because some products write them in two ways.
 */
export function unreadNames(schema: v.GenericSchema, item: unknown): string[] {
  const names = new Set<string>();
  collect(item, { schemas: [schema], path: '', names });
  return [...names];
}

interface Place {
  readonly schemas: readonly Schema[];
  readonly path: string;
  readonly names: Set<string>;
}

function collect(value: unknown, { schemas, path, names }: Place, depth = 0): void {
  if (depth > LOOKED_AT.depth) return;
  const known = schemas.flatMap((schema) => [...simpleSchemas(schema, value)]);
  if (Array.isArray(value)) {
    const below = known.flatMap(({ item, items }) => item ?? items ?? []);
    for (const each of value.slice(0, LOOKED_AT.elements) as unknown[])
      collect(each, { schemas: below, path, names }, depth + 1);
    return;
  }
  const objects = known.flatMap(({ entries }) => (entries ? [entries] : []));
  // Names that the schema does not choose are chosen by the format.
  const isOpen = objects.length === 0 || known.some(({ type }) => type === 'record');
  if (!isJsonObject(value) || isOpen) return;
  for (const [name, each] of Object.entries(value)) {
    const below = objects.flatMap((entries) => entryOf(entries, name) ?? []);
    const place = path === '' ? name : `${path}.${name}`;
    if (below.length > 0) collect(each, { schemas: below, path: place, names }, depth + 1);
    else if (hasValue(each) && names.size < LOOKED_AT.names) names.add(place);
  }
}

/** Yields the schemas that a value is checked with, without those that only choose or wrap others. */
function* simpleSchemas(schema: Schema, value: unknown): Generator<Schema> {
  const { pipe, wrapped, options, getter } = schema;
  if (wrapped) yield* simpleSchemas(wrapped, value);
  for (const option of options ?? []) if (isSchema(option)) yield* simpleSchemas(option, value);
  if (getter) yield* simpleSchemas(getter(value), value);
  for (const next of pipe?.slice(1) ?? []) if (isSchema(next)) yield* simpleSchemas(next, value);
  if (schema.type === 'record' || (schema.entries ?? schema.item ?? schema.items)) yield schema;
}

function isSchema({ kind }: Schema): boolean {
  return kind === 'schema';
}

function entryOf(entries: Readonly<Record<string, Schema>>, name: string): Schema | undefined {
  if (Object.hasOwn(entries, name)) return entries[name];
  const plain = withoutStyle(name);
  const found = Object.keys(entries).find((each) => withoutStyle(each) === plain);
  return found === undefined ? undefined : entries[found];
}

function withoutStyle(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

function hasValue(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

// Extents: whether an answer has memories whole or cut to fields, as the target tells that asked for it.

import assert from 'node:assert/strict';

import { Memory } from '../../src/contract/memory.ts';

/** What there is of memories: all of them, or less; which fields, only a cursor knows where it brings them. */
export interface Extent {
  readonly kind: 'whole' | 'cut';
  /** The fields, in order, where they are known. */
  readonly fields?: readonly string[];
}

const FIELDS = Object.keys(Memory.entries);

/** Reads what a target asks for. */
export function extentOf(target: string): Extent {
  const query = new URLSearchParams(target.split('?')[1]);
  const asked = query.get('fields')?.split(',');
  if (asked === undefined) return query.has('cursor') ? { kind: 'cut' } : { kind: 'whole' };
  return { kind: 'cut', fields: FIELDS.filter((name) => name === 'id' || asked.includes(name)) };
}

/** Asserts that memories have the fields asked for and no others, and all the same where these are not known. */
export function assertFields({ kind, fields }: Extent, value: unknown, what: string): void {
  const memories = (Array.isArray(value) ? value : [value]) as object[];
  const expected = kind === 'whole' ? FIELDS : (fields ?? Object.keys(memories[0] ?? {}));
  for (const memory of memories)
    assert.deepEqual(Object.keys(memory), expected, `${what}: not the fields asked for`);
}

/** A copy of a document in which one schema is left of two, of what is whole and what is cut. */
export function narrow<T extends object>(document: T, kind: Extent['kind']): T {
  return JSON.parse(JSON.stringify(document), (_, node: unknown) => {
    const { anyOf } = Object(node) as { anyOf?: [whole: unknown, cut: unknown] };
    assert.ok(anyOf === undefined || anyOf.length === 2);
    return anyOf === undefined ? node : anyOf[kind === 'whole' ? 0 : 1];
  }) as T;
}

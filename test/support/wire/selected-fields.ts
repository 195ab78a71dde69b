// Whether a response has whole memories or selected fields, by its request target.

import assert from 'node:assert/strict';

import { Memory } from '../../../src/contract/schemas/memory.ts';

/**
 * The fields of memories in a response: all, or fewer. If a cursor selects them, they are unknown.
 */
export interface Extent {
  readonly kind: 'whole' | 'cut';
  /** The fields in order, if known. */
  readonly fields?: readonly string[];
}

const FIELDS = Object.keys(Memory.entries);
const READABLE = FIELDS.filter((name) => name !== 'transcript');

/** Reads which fields a target selects, and which a key may read that has a scope. */
export function extentOf(target: string, isScoped = false): Extent {
  const query = new URLSearchParams(target.split('?')[1]);
  const asked = query.has('fields') ? query.getAll('fields').join().split(',') : undefined;
  if (asked === undefined && isScoped)
    return { kind: 'cut', ...(!query.has('cursor') && { fields: READABLE }) };
  if (asked === undefined) return query.has('cursor') ? { kind: 'cut' } : { kind: 'whole' };
  return { kind: 'cut', fields: FIELDS.filter((name) => name === 'id' || asked.includes(name)) };
}

/**
 * Asserts that memories have the selected fields and no others. If the fields are unknown, all
 * memories must have the same ones.
 */
export function assertFields({ kind, fields }: Extent, value: unknown, what: string): void {
  const memories = (Array.isArray(value) ? value : [value]) as object[];
  const expected = kind === 'whole' ? FIELDS : (fields ?? Object.keys(memories[0] ?? {}));
  for (const memory of memories)
    assert.deepEqual(Object.keys(memory), expected, `${what}: exactly the selected fields`);
}

/**
 * Copies a document and keeps one of two schemas: that of whole memories or that of selected
 * fields.
 */
export function narrow<T extends object>(document: T, kind: Extent['kind']): T {
  return JSON.parse(JSON.stringify(document), (_, node: unknown) => {
    const { anyOf } = Object(node) as { anyOf?: [whole: unknown, cut: unknown] };
    assert.ok(anyOf === undefined || anyOf.length === 2);
    const isNullable = (anyOf?.[1] as { type?: string } | undefined)?.type === 'null';
    return anyOf === undefined || isNullable ? node : anyOf[kind === 'whole' ? 0 : 1];
  }) as T;
}

// Ids: those of the source, spelt in the characters that ours may have.

import * as v from 'valibot';

import { MemoryId } from '../contract/memory.ts';

const encoder = new TextEncoder();

/**
 * Gives the source's id as it is, where it is one of ours; else each byte of a character that ours
 * cannot have as `~2F`, so that the same id always comes out the same. Undefined where it is too long.
 */
export function toMemoryId(source: string | number): string | undefined {
  const text: string = String(source).trim();
  if (v.safeParse(MemoryId, text).success) return text;
  const spelt = text.replaceAll(/[^A-Za-z0-9._-]/gu, (character) =>
    Array.from(encoder.encode(character), (byte) => `~${byte.toString(16).padStart(2, '0')}`)
      .join('')
      .toUpperCase(),
  );
  return v.is(MemoryId, spelt) ? spelt : undefined;
}

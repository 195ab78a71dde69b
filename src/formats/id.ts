// Ids: those of the source, spelt in the characters that ours may have.

import { v5 } from 'uuid';
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

/**
 * Makes an id of a file's name, which is all that tells it: as it is, or where that is too long, as it
 * soon is in a script of other letters than ours, its name-based UUID (RFC 9562, section 5.5).
 */
export function toFileId(name: string): string {
  // The same name is spelt in other code points on macOS.
  const one = name.toWellFormed().normalize('NFC');
  return toMemoryId(one) ?? v5(`file:${one}`, v5.URL);
}

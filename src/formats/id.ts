// Ids: those of the source, spelt in the characters that ours may have.

import { v5 } from 'uuid';
import * as v from 'valibot';

import { MemoryId } from '../contract/memory.ts';

const encoder = new TextEncoder();

/**
 * Gives the source's id as it is, where it is one of ours; else each byte of a character that ours
 * cannot have as `~2F`; else, as that is soon too long in a script of other letters than ours, its
 * name-based UUID (RFC 9562, section 5.5): the same id always comes out the same. Undefined where it
 * is empty.
 *
 * What is spelt has its own `~` spelt, too, so that no two that are spelt come out alike. One that is
 * fine as it is must stay, as it may be ours, back from an export; it is taken for another only if a
 * source has both `a/` and, letter by letter, `a~2F`.
 */
export function toMemoryId(source: string | number): string | undefined {
  const text: string = String(source).trim();
  if (text === '') return undefined;
  return spell(text) ?? v5(`id:${text}`, v5.URL);
}

/** Makes an id of a file's name, which is all that tells it. */
export function toFileId(name: string): string {
  // The same name is spelt in other code points on macOS.
  const one = name.toWellFormed().normalize('NFC');
  return spell(one.trim()) ?? v5(`file:${one}`, v5.URL);
}

function spell(text: string): string | undefined {
  if (v.safeParse(MemoryId, text).success) return text;
  const spelt = text.replaceAll(/[^A-Za-z0-9._-]/gu, (character) =>
    Array.from(encoder.encode(character), (byte) => `~${byte.toString(16).padStart(2, '0')}`)
      .join('')
      .toUpperCase(),
  );
  return v.is(MemoryId, spelt) ? spelt : undefined;
}

// Converts a source's id or a file's name to a memory id.

import { v5 } from 'uuid';
import * as v from 'valibot';

import { MemoryId } from '../contract/schemas/memory.ts';
import { shortened } from '../text/surrogates.ts';

const encoder = new TextEncoder();

/**
 * Returns the source's id unchanged if it is a valid memory id. Otherwise encodes each byte of other
 * characters, as in `~2F` for `/`. If the result is too long, as in most other scripts, returns a
 * name-based UUID (RFC 9562, section 5.5). The same id always gives the same result. Returns
 * `undefined` for an empty id.
 *
 * Encoding also encodes `~`, so two encoded ids never collide. A valid id is not encoded, because it
 * can be ours, from an export. It collides only if a source has both `a/` and a literal `a~2F`.
 */
export function toMemoryId(source: string | number): string | undefined {
  const text: string = String(source).trim();
  if (text === '') return undefined;
  return encodeId(text) ?? v5(`id:${text}`, v5.URL);
}

/** Makes an id from a file's name, for files without an id. */
export function toFileId(name: string): string {
  // macOS writes the same name with other code points.
  const normalized = name.toWellFormed().normalize('NFC');
  return encodeId(normalized.trim()) ?? v5(`file:${normalized}`, v5.URL);
}

/** Shortens an id of a file for a reason: it can have any length. */
export function shortId(id: string): string {
  return shortened(id, 60);
}

function encodeId(text: string): string | undefined {
  if (v.safeParse(MemoryId, text).success) return text;
  const encoded = text.replaceAll(/[^A-Za-z0-9._-]/gu, (character) =>
    Array.from(encoder.encode(character), (byte) => `~${byte.toString(16).padStart(2, '0')}`)
      .join('')
      .toUpperCase(),
  );
  return v.is(MemoryId, encoded) ? encoded : undefined;
}

// Removes tags and entities from the text of captions.

import { decodeHTMLStrict } from 'entities';

/** The time of the words after it: `<00:00:01.500>`. */
export const INLINE_TIME = /<(?:\d{2,6}:)?\d\d:\d\d\.\d{3}>/;

// Only known tags are removed: "<inaudible>", "<i am here>" and "I <3 it" are words.
const TAG = new RegExp(
  String.raw`</?(?:[bcisu]|ruby|rt)(?:\.[^\s<>]{0,200})?\s?/?>|` +
    String.raw`</?(?:v|lang|font)(?:\.[^\s<>]{0,200})?(?:\s[^<>]{0,200})?>|` +
    String.raw`${INLINE_TIME.source}|\{\\[^{}]{0,200}\}`,
  'gi',
);
const ENTITY = /&(?:#(?<code>\d{1,7})|#x(?<hex>[\da-f]{1,6})|(?<name>[a-z][a-z\d]{1,31}));/gi;

const MAY_HAVE_MARKUP = /[<{&]/;

/** Removes the tags of a text, then replaces its entities. */
export function stripMarkup(text: string): string {
  if (!MAY_HAVE_MARKUP.test(text)) return text; // most lines have none, and to replace nothing takes memory
  return text.replaceAll(TAG, '').replaceAll(ENTITY, (entity, code, hex, name) => {
    if (name !== undefined) return namedCharacter(entity);
    const point = code === undefined ? Number.parseInt(hex, 16) : Number(code);
    const isCharacter = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000);
    return isCharacter ? String.fromCodePoint(point) : entity;
  });
}

/** Returns the characters of an entity of HTML, also in capitals, as some programs write it. Others stay as they are. */
function namedCharacter(entity: string): string {
  const exact = decodeHTMLStrict(entity);
  if (exact !== entity) return exact;
  const small = entity.toLowerCase();
  const decoded = decodeHTMLStrict(small);
  return decoded === small ? entity : decoded;
}

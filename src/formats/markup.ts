// Removes tags and entities from the text of captions.

import { decodeHTMLStrict } from 'entities';

/** The time of the words after it: `<00:00:01.500>`. */
export const INLINE_TIME = /<(?:\d{2,6}:)?\d\d:\d\d\.\d{3}>/;

/** Elements of HTML that programs put into captions. */
const HTML =
  'a|abbr|big|blockquote|center|cite|code|del|div|em|font|h[1-6]|hr|ins|kbd|li|mark|nobr|ol|p|pre|q|s|samp|small|span|strike|strong|sub|sup|tt|ul|var|wbr';
// "<inaudible>", "<i am here>" and "I <3 it" are words. So only known tags are removed, and pairs of tags.
const TAG = new RegExp(
  [
    String.raw`</?(?:[bcisu]|ruby|rt)(?:\.[^\s<>]{0,200})?\s?/?>`,
    String.raw`</?(?:v|lang)(?:\.[^\s<>]{0,200})?(?:\s[^<>]{0,200})?>`,
    String.raw`</?(?:${HTML})(?:\s+[\w-]+\s*=[^<>]{0,200})?\s?/?>`,
    INLINE_TIME.source,
    String.raw`\{\\[^{}]{0,200}\}`,
  ].join('|'),
  'gi',
);
// Converters leave the breaks and spaces of Sub Station Alpha in other captions. A path has a colon before them.
const BREAK = /<[Bb][Rr]\s?\/?>|(?<![:\\])\\[Nh]/g;
/** An element that is closed in the same text. */
const PAIR = /<([a-z][\w.:-]{0,40})(?:\s+[\w:-]+\s*=[^<>]{0,200})?>([^<>]{0,2000})<\/\1>/gi;
const ENTITY = /&(?:#(?<code>\d{1,7})|#x(?<hex>[\da-f]{1,6})|(?<name>[a-z][a-z\d]{1,31}));/gi;

const MAY_HAVE_MARKUP = /[<{&\\]/;

/** Removes the tags of a text, then replaces its entities. */
export function stripMarkup(text: string): string {
  if (!MAY_HAVE_MARKUP.test(text)) return text; // most lines have none, and to replace nothing takes memory
  return withoutTags(text).replaceAll(ENTITY, (entity, code, hex, name) => {
    if (name !== undefined) return namedCharacter(entity);
    const point = code === undefined ? Number.parseInt(hex, 16) : Number(code);
    const isCharacter = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000);
    return isCharacter ? String.fromCodePoint(point) : entity;
  });
}

function withoutTags(text: string): string {
  return text.replaceAll(TAG, '').replaceAll(BREAK, ' ').replaceAll(PAIR, '$2');
}

/** Returns where the tags of a text are, as offsets in the text without them. */
export function tagOffsets(text: string): number[] {
  let removed = 0;
  return Array.from(text.matchAll(TAG), ({ 0: tag, index }) => {
    removed += tag.length;
    return index + tag.length - removed;
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

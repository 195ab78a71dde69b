// Markup: the tags and entities in the text of captions, taken off.

/** The time of the words behind it: `<00:00:01.500>`. */
export const INLINE_TIME = /<(?:\d{2,6}:)?\d\d:\d\d\.\d{3}>/;

// Only what is known to be a tag is one: "<inaudible>", "<i am here>" and "I <3 it" are words.
const TAG = new RegExp(
  String.raw`</?(?:[bcisu]|ruby|rt)(?:\.[^\s<>]{0,200})?\s?/?>|` +
    String.raw`</?(?:v|lang|font)(?:\.[^\s<>]{0,200})?(?:\s[^<>]{0,200})?>|` +
    String.raw`${INLINE_TIME.source}|\{\\[^{}]{0,200}\}`,
  'gi',
);
const ENTITY = /&(?:#(?<code>\d{1,7})|#x(?<hex>[\da-f]{1,6})|(?<name>[a-z]{2,5}));/gi;

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u{A0}'],
  ['lrm', '\u{200E}'],
  ['rlm', '\u{200F}'],
]);

/** Takes tags off a text, and then puts characters where it has entities. */
export function plainText(text: string): string {
  return text.replaceAll(TAG, '').replaceAll(ENTITY, (entity, code, hex, name) => {
    if (name !== undefined) return CHARACTERS.get(name.toLowerCase()) ?? entity;
    const point = code === undefined ? Number.parseInt(hex, 16) : Number(code);
    const isCharacter = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000);
    return isCharacter ? String.fromCodePoint(point) : entity;
  });
}

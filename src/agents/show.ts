// Shows text that other people wrote to a model: numbered lines, and escapes for everything that is invisible.

/**
 * The invisible characters that stay: a variation selector behind an emoji, a digit, `#` or `*`, and a joiner behind
 * an emoji or a letter of a script that needs it, such as Persian and Hindi. Only one stays behind each visible
 * character, because a row of them can have a message.
 */
const EMOJI = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}]`;
const JOINED = String.raw`[[\p{L}\p{M}]--[\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{Default_Ignorable_Code_Point}]]`;
const NEEDED = String.raw`(?<=${EMOJI}|[0-9#*])[\ufe0e\ufe0f]|(?<=${EMOJI}\ufe0f?|${JOINED})[\u200c\u200d]`;

/**
 * Characters that nobody sees, or that change the order of others: controls, format characters, tags, blanks and
 * other variation selectors. Line feeds and tabs stay.
 */
const HIDDEN = new RegExp(
  String.raw`(?!${NEEDED})(?:[[\p{Cc}]--[\n\t]]|[\u2028\u2029\u2800\u{1D159}\u{E0000}-\u{E0FFF}]|[\p{Cf}\p{Default_Ignorable_Code_Point}])`,
  'gv',
);

const LAST_CODE_POINT = 0x10ffff;

/** The longest title, in characters. */
const MAX_TITLE = 120;

/** Returns a text whose hidden characters are written as `<U+202E>`. It may have several lines. */
export function showText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(HIDDEN, (char) => `<U+${hexOf(char)}>`);
}

/** Returns a text in which such characters are written as themselves again. */
export function readShown(text: string): string {
  return text.replaceAll(/<U\+(\p{AHex}{4,6})>/gu, (shown, hex: string) => {
    const code = Number.parseInt(hex, 16);
    return code > LAST_CODE_POINT ? shown : String.fromCodePoint(code);
  });
}

function hexOf(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

/** Returns the same on one line of at most `max` characters. */
export function showTitle(text: string, max = MAX_TITLE): string {
  // Cut before it is read: a name has no limit. A character becomes `<U+10FFFF>` at most.
  const line = showText(text.slice(0, 2 * max + 2))
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length <= max && text.length <= 2 * max + 2
    ? line
    : `${characters.slice(0, max - 1).join('')}…`;
}

/** Returns a line of a transcript on one line, whatever is in it. */
function showLine(line: string): string {
  return showText(line.endsWith('\r') ? line.slice(0, -1) : line).replaceAll('\n', '<U+000D>');
}

/** Returns a text on one line, however long it is. */
export function showOnOneLine(text: string): string {
  return showText(text).replaceAll(/\s*\n\s*/g, ' ');
}

/**
 * Numbers the lines of a part of a transcript, as in `L12: Mira: Cold.` Every line of the result begins with
 * a number of ours, so no text can pass for another line.
 */
export function numberLines(text: string, first: number): string {
  return beginLines(text, (i) => `L${first + i}`);
}

/** Begins each line of a text that is no transcript with a label, so that none can pass for a numbered line. */
export function labelLines(text: string, label: string): string {
  return beginLines(text, () => label);
}

function beginLines(text: string, beginningOf: (i: number) => string): string {
  return text
    .split('\n')
    .map((line, i) => `${beginningOf(i)}: ${showLine(line)}`)
    .join('\n');
}

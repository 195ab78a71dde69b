// Escapes text for Markdown, so that CommonMark, GitHub and Obsidian show it unchanged.

/** The line ends of all systems. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/**
 * Characters with a meaning inside a line, each only where it has this meaning. A sum such as 2 * 3,
 * snake_case, C#, $5 and ~5 are not escaped.
 */
const INLINE = new RegExp(
  [
    String.raw`\\(?=[!-/:-@[-\x60{-~]|$)`, // escapes what follows; at the end it breaks the line
    '[`[]', // code; links, images, notes, tasks, [[links]]
    String.raw`\*(?!(?<=\s\*)\s)`, // emphasis, except with spaces on both sides
    String.raw`(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])`,
    String.raw`<(?=\S)`, // HTML, an <address>
    String.raw`&(?=#?\w+;)`,
    String.raw`(?<![\p{L}\p{N}/])#`, // a #tag, but not a URL's fragment
    String.raw`(?<=\S)~|~(?=~)`, // the end of a ~~deletion~~, which needs one
    String.raw`(?<==)=|=(?==)`, // a ==highlight==
    String.raw`(?<=%)%|%(?=%)`, // a %%comment%%
    String.raw`(?<=\S)\$(?!\d)|\$(?=\$)`, // the end of a $formula$
    String.raw`\^(?=[\w-]+$)`, // a ^block-name
  ].join('|'),
  'giu',
);

/** The start of a block: a quote, a list, or the underline of a heading or a table. */
const BLOCK = /^(?:>|[-+](?=\s|$)|[-=:|][-=:|\s]*$)/;
const NUMBER = /^(\d{1,9})([.)])(?=\s|$)/;

/** Returns the lines of a text, trimmed and without control characters. */
export function cleanLines(text: string): string[] {
  return text
    .toWellFormed()
    .split(LINE_END)
    .map((line) => line.replaceAll(/[\p{Cc}\p{Noncharacter_Code_Point}]+/gu, ' ').trim());
}

/** Escapes text that follows other text on its line. */
export function escapeInline(line: string): string {
  return line.replaceAll(INLINE, String.raw`\$&`);
}

/** Escapes a whole line. */
export function escapeMarkdownLine(line: string): string {
  return escapeBlock(line, escapeInline(line));
}

/** Escapes the beginning of a line whose other markup is escaped already. */
export function escapeBlock(line: string, escaped: string): string {
  if (BLOCK.test(line)) return escaped.startsWith('\\') ? escaped : `\\${escaped}`;
  return escaped.replace(NUMBER, String.raw`$1\$2`);
}

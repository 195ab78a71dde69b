// Escape: text that Markdown shows as it is, for CommonMark, GitHub and Obsidian.

/** What a line of a text ends with, whoever wrote it. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/**
 * What means something within a line, each with the case in which it does: a sum such as 2 * 3, a
 * snake_case, C#, $5 or ~5 stays as it is typed.
 */
const INLINE = new RegExp(
  [
    String.raw`\\(?=[!-/:-@[-\x60{-~]|$)`, // escapes what follows; at the end it breaks the line
    '[`[]', // code; links, images, notes, tasks, [[links]]
    String.raw`\*(?!(?<=\s\*)\s)`, // emphasis, but where spaces are on both sides
    String.raw`(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])`,
    String.raw`<(?=\S)`, // HTML, an <address>
    String.raw`&(?=#?\w+;)`,
    String.raw`(?<![\p{L}\p{N}/])#`, // a #tag; in an address it is but a place
    String.raw`(?<=\S)~|~(?=~)`, // what may end a ~~deletion~~; without an end it is none
    String.raw`(?<==)=|=(?==)`, // a ==highlight==
    String.raw`(?<=%)%|%(?=%)`, // a %%comment%%
    String.raw`(?<=\S)\$(?!\d)|\$(?=\$)`, // what may end a $formula$
    String.raw`\^(?=[\w-]+$)`, // the ^name of a block
  ].join('|'),
  'giu',
);

/** What begins a block at the start of a line: a quote, a list, a heading's underline or a table's. */
const BLOCK = /^(?:>|[-+](?=\s|$)|[-=:|][-=:|\s]*$)/;
const NUMBER = /^(\d{1,9})([.)])(?=\s|$)/;

/** The lines of a text, trimmed, without what no text is made of. */
export function linesOf(text: string): string[] {
  return text
    .toWellFormed()
    .split(LINE_END)
    .map((line) => line.replaceAll(/[\p{Cc}\p{Noncharacter_Code_Point}]+/gu, ' ').trim());
}

/** Escapes a line that stands behind other text. */
export function escapeInline(line: string): string {
  return line.replaceAll(INLINE, String.raw`\$&`);
}

/** Escapes a line that stands alone. */
export function escapeLine(line: string): string {
  const escaped = escapeInline(line);
  if (BLOCK.test(line)) return escaped.startsWith('\\') ? escaped : `\\${escaped}`;
  return escaped.replace(NUMBER, String.raw`$1\$2`);
}

// Reads the Markdown of other products: its headings, bullets and plain text.

import { linesOf } from './turns/lines.ts';

// The text after the spaces starts with a non-space, so that a line of spaces is matched in linear time.
const BULLET = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(\S[^]*|)$/;
const HEADING = /^\s{0,3}(#{1,6})\s+(\S[^]*|)$/;

/** Returns the bullets of a Markdown text, in order, without their marks. */
export function bulletsIn(markdown: MaybeText): string[] {
  return linesOf(markdown).flatMap((line) => stripInlineMarks(BULLET.exec(line)?.[1]));
}

/** Returns the headings of one level, in order. Level 2 is `## …`. */
export function headingsIn(markdown: MaybeText, level: number): string[] {
  return linesOf(markdown).flatMap((line) => {
    const [, marks, text] = HEADING.exec(line) ?? [];
    return marks?.length === level ? stripInlineMarks(stripClosingMarks(text)) : [];
  });
}

/** Returns the items of a list: an array, or a text with one item per line, with or without bullets. */
export function listItems(list: string | readonly MaybeText[] | MaybeText): string[] {
  const lines = typeof list === 'string' ? linesOf(list) : (list ?? []);
  return lines.flatMap((line) => stripInlineMarks(BULLET.exec(line ?? '')?.[1] ?? line));
}

/** Returns the first text that is not blank, trimmed, or `''`. */
export function firstText(...texts: readonly MaybeText[]): string {
  for (const text of texts) if (text?.trim()) return text.trim();
  return '';
}

/** Whether a Markdown text has more than headings and bullets. */
export function hasProse(markdown: MaybeText): boolean {
  return linesOf(markdown).some(
    (line) => line.trim() !== '' && !BULLET.test(line) && !HEADING.test(line),
  );
}

/** Joins texts as paragraphs. Leaves out blank and repeated ones. */
export function joinParagraphs(...texts: readonly MaybeText[]): string {
  return [...new Set(texts.map((text) => text?.trim()).filter(Boolean))].join('\n\n');
}

type MaybeText = string | null | undefined;

/** Removes closing marks, as in `## Next ##`. They follow a space, unlike the mark in `C#`. */
function stripClosingMarks(heading = ''): string {
  const text = heading.trimEnd();
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return end === 0 || text[end - 1]?.trim() === '' ? text.slice(0, end) : text;
}

/** Removes emphasis marks and link targets. Returns no item if no text is left. */
function stripInlineMarks(text: MaybeText): string[] {
  const bare = text
    ?.replaceAll(/(\*\*|__)(.+?)\1/g, '$2')
    .replaceAll(/\[([^[\]]*)\]\((?:[^()\s]|\([^()]*\))*\)/g, '$1')
    .trim();
  return bare ? [bare] : [];
}

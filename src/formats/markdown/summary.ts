// Converts a product's summary to Markdown below a title: headings, nested lists and bold text stay, all else is text.

import { cleanLines, escapeBlock, escapeInline } from './escape.ts';

const HEADING = /^(?<marks>#{1,6})\s+(?<words>\S.*)$/;
const BULLET = /^(?<space> *)[-*+]\s+(?<words>\S.*)$/;

/** Bold text that begins and ends with a letter or a digit, because CommonMark reads that as bold everywhere. */
const BOLD = /(?<!\*)\*\*([\p{L}\p{N}](?:[^*\\\n]*[\p{L}\p{N}])?)\*\*(?!\*)/u;

/** How many levels a heading is lowered, so that it is below the note's own title and headings. */
const LOWERED = 2;

/** Converts a summary. Markup that it does not keep is escaped, as in transcripts. */
export function summaryToMarkdown(summary: string): string {
  const indents: number[] = [];
  return rawLines(summary)
    .map((line) => {
      const { space = '', words } = BULLET.exec(line)?.groups ?? {};
      if (words !== undefined) return `${indentOf(space.length, indents)}- ${lineOf(words)}`;
      const text = line.trim();
      if (text !== '') indents.length = 0;
      const heading = HEADING.exec(text)?.groups;
      if (heading === undefined) return lineOf(text);
      const level = Math.min(6, (heading['marks'] ?? '').length + LOWERED);
      return `${'#'.repeat(level)} ${inlineOf(heading['words'] ?? '')}`;
    })
    .join('\n')
    .trim();
}

/** The lines of a text without control characters, with the spaces before them. */
function rawLines(text: string): string[] {
  const spaces = text.replaceAll('\t', '    ').split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/);
  return cleanLines(text).map((line, i) => (/^ */.exec(spaces[i] ?? '')?.[0] ?? '') + line);
}

/** Nests a bullet below the bullets before it that are less indented, as CommonMark reads it. */
function indentOf(width: number, indents: number[]): string {
  while ((indents.at(-1) ?? -1) >= width) indents.pop();
  indents.push(width);
  return '  '.repeat(indents.length - 1);
}

function lineOf(line: string): string {
  return escapeBlock(line, inlineOf(line));
}

function inlineOf(text: string): string {
  return text
    .split(BOLD)
    .map((part, i) => (i % 2 === 1 ? `**${escapeInline(part)}**` : escapeInline(part)))
    .join('');
}

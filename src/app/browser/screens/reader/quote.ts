// Quotes: lines of a transcript, or a part of them, always with who said it.

import type { ShownLines, TranscriptLine } from './lines.ts';

/** Lines that are quoted, which may begin and end within a line. Positions are in UTF-16 code units. */
export interface QuotedLines extends ShownLines {
  /** Where the quote begins in the first line. Default: at its beginning. */
  readonly start?: number;
  /** Where the quote ends in the last line. Default: at its end. */
  readonly end?: number;
}

/** Returns the text of a quote. It begins with the speaker, also if only words of a turn are quoted. */
export function quoteOf(
  lines: readonly TranscriptLine[],
  { first, last, start = 0, end }: QuotedLines,
): string {
  const speaker = lines[first - 1]?.speaker;
  const texts = lines.slice(first - 1, last).map(({ text }) => text);
  texts.push((texts.pop() ?? '').slice(0, end));
  // A part of a name is the name.
  if (speaker !== undefined && start <= speaker.length) return texts.join('\n').trim();
  // A line without a speaker belongs to the turn before it.
  const name = lines.slice(0, first).findLast((line) => line.speaker !== undefined)?.speaker;
  const said = texts.join('\n').slice(start).trim();
  return name === undefined ? said : `${name}: ${said}`;
}

// Prepares the lines of texts: plain spaces, lines that are not blank, and the first that matches a pattern.

import { linesOf } from '../../turns/lines.ts';

/** How many characters show the form of a text. Somebody can speak for minutes before the second turn. */
export const SAMPLE = 32 * 1024;

/**
 * Replaces other spaces, as browsers and word processors write them, by plain ones. Drops spaces without a width, and
 * marks of direction where a line begins.
 */
export function plainText(text: string): string {
  return text
    .replaceAll(/[\u{A0}\u{2000}-\u{200A}\u{202F}]/gu, ' ')
    .replaceAll(
      /[\u{200B}\u{2060}\u{FEFF}]|^[\u{200E}\u{200F}\u{202A}-\u{202E}\u{2066}-\u{2069}]+/gmu,
      '',
    );
}

/** Returns the lines of a beginning that are not blank, without spaces around them. */
export function filledLines(head: string): string[] {
  return linesOf(head).flatMap((line) => line.trim() || []);
}

/** Returns the named groups of the first line that matches a pattern. */
export function firstMatch(lines: readonly string[], pattern: RegExp): NamedGroups | undefined {
  for (const line of lines) {
    const groups = pattern.exec(line)?.groups;
    if (groups) return groups;
  }
  return undefined;
}

/** The named groups of a match. A group can be missing. */
export type NamedGroups = Readonly<Record<string, string | undefined>>;

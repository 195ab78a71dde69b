// Prepares the lines of texts: plain spaces, lines that are not blank, and the first that matches a pattern.

import { linesOf } from '../../turns/lines.ts';

/** Replaces other spaces, as browsers and word processors write them, by plain ones, and drops spaces without a width. */
export function plainText(text: string): string {
  return text
    .replaceAll(/[\u{A0}\u{2000}-\u{200A}\u{202F}]/gu, ' ')
    .replaceAll(/[\u{200B}\u{2060}\u{FEFF}]/gu, '');
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

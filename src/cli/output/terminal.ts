// Escapes what could control a terminal in texts that other people wrote.

/** Control characters except line feed and tab, characters that change the direction of text, and the byte order mark. */
const CONTROLS = /[^\P{Cc}\n\t]|[\u061c\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** Makes control characters visible, as `\u001b`. Lines end with a line feed. */
export function escapeControls(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(CONTROLS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The most characters of a line, unless it has less space. */
const MAX_LINE = 2000;

/** Does the same on one line of at most `max` characters. */
export function escapeLine(text: string, max = MAX_LINE): string {
  const line = escapeControls(text.slice(0, 10 * max))
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`;
}

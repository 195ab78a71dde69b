// Plain: texts that others wrote, as a terminal may show them.

/** What steers a terminal: controls but line feed and tab, and what turns the direction of writing, or is no character but a mark of bytes. */
const STEERS = /[^\P{Cc}\n\t]|[\u061c\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** Makes what would steer a terminal visible, as `\u001b`; a line ends with a line feed. */
export function plain(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(STEERS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same on one line, of at most so many characters. */
export function plainLine(text: string, most: number): string {
  const line = plain(text.slice(0, 10 * most))
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`;
}

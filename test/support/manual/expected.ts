// Compares what a block printed with what the page shows, where `…` stands for text that varies.

import { stripVTControlCharacters } from 'node:util';

/** Returns both texts if they differ. A line of `…` alone stands for any lines. The width of gaps does not count. */
export function difference(shown: string, printed: string): string | undefined {
  const lines = plain(shown).split('\n');
  const pattern = lines.map((line) =>
    line === '…'
      ? String.raw`(?:[^\n]*\n)*?`
      : `${line
          .split(/ ?… ?/)
          .map((part) => RegExp.escape(part))
          .join('[^\\n]*?')}\n`,
  );
  const actual = plain(printed);
  const isSame = new RegExp(`^${pattern.join('')}$`).test(`${actual}\n`);
  return isSame ? undefined : `the page shows\n\n${shown}\nand it printed\n\n${actual}\n`;
}

/** Leaves out what a reader does not see: the width of gaps, and space at the end. */
function plain(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ +$/gm, '')
    .trim();
}

// Shell: words and commands as they are typed.

import { showDatabase } from './address.ts';

/** Writes a text as one word of a shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Writes a command of the program on a database: `memory-gateway migrate --database FILE`. */
export function commandOn(path: string, words: string): string {
  return `memory-gateway ${words} --database ${shellWord(showDatabase(path))}`;
}

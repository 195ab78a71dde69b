// Passwords that are long but easy to guess: repetitions, sequences, rows of keys, names and well-known words.

import type { AppAccount } from '../../../store/app/app-store.ts';

/** The message for a password that is easy to guess. */
export const WEAK_PASSWORD =
  'This password is easy to guess: most of it is repeated, a row of keys, a name or a well-known word; use other words.';

/** How many characters must be left when everything that is easy to guess counts as one character. */
const FEWEST = 10;

/** Words and phrases of which people make long passwords. They are no list of leaked passwords. */
const KNOWN = [
  'correcthorsebatterystaple',
  'thequickbrownfox',
  'jumpsoverthelazydog',
  'tobeornottobe',
  'thatisthequestion',
  'maytheforcebewithyou',
  'onceuponatime',
  'iloveyou',
  'letmein',
  'trustno1',
  'changeme',
  'password',
  'passwort',
  'passphrase',
  'motdepasse',
  'contrasena',
  'administrator',
  'admin',
  'welcome',
  'default',
  'secret',
  'login',
  'football',
  'baseball',
  'superman',
  'princess',
  'sunshine',
  'dragon',
  'monkey',
  'master',
  'shadow',
  'memorygateway',
  'memories',
  'memory',
  'gateway',
];

/** Rows that people type or count along, in both directions. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop[]',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl;',
  'zxcvbnm,./',
  'yxcvbnm',
  '!@#$%^&*()_+',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
].flatMap((row) => [row, Array.from(row).toReversed().join('')]);
const SHORTEST_ROW = 3;

/** What people write for a letter. */
const LIKE: Readonly<Record<string, string>> = {
  a: '[a4@]',
  e: '[e3]',
  i: '[i1!]',
  l: '[l1]',
  o: '[o0]',
  s: '[s5$]',
  t: '[t7]',
};

/** Stands for a part that is easy to guess. */
const PART = '\0';

/**
 * Returns whether a password is easy to guess for somebody who knows the account. It cannot know which passwords
 * have leaked.
 */
export function isWeakPassword(password: string, { id, name }: AppAccount): boolean {
  const names = `${name} ${id}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const words = [...KNOWN, ...names.filter((word) => word.length > 2)];
  const pattern = words
    .toSorted((one, other) => other.length - one.length)
    .map((word) => Array.from(word, (char) => LIKE[char] ?? char).join(''))
    .join('|');
  const text = password
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s/g, '')
    .replaceAll(new RegExp(pattern, 'gu'), PART)
    .replaceAll(/(?:19|20)\d\d/g, PART);
  // A longer part that is repeated has enough characters by itself.
  const once = shortenRows(text).replaceAll(/(.{1,14}?)\1+/gsu, '$1');
  return Array.from(once).length < FEWEST;
}

/** Replaces each part of a row. */
function shortenRows(text: string): string {
  let shortened = '';
  for (let start = 0; start < text.length;) {
    const length = rowAt(text, start);
    shortened += length === 0 ? text[start] : PART;
    start += length || 1;
  }
  return shortened;
}

/** Returns how many characters from a place on are in a row, or 0 if they are too few. */
function rowAt(text: string, start: number): number {
  let length = SHORTEST_ROW;
  const isInRow = () => {
    const part = text.slice(start, start + length);
    return part.length === length && ROWS.some((row) => row.includes(part));
  };
  while (isInRow()) length++;
  return length === SHORTEST_ROW ? 0 : length - 1;
}

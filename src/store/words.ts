// Words: what a text is found by, and what a query asks for, in any script.

import { lazy } from './lazy.ts';

/** What a query asks for: words in sequence, the last of which may be a beginning only. */
export interface Term {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

/**
 * Marks that follow 30 others: noise, as Unicode has it (UAX #15, Stream-Safe Text Format). To
 * normalise them takes the square of their number: measured, 5 s for 200 kB of two in turns. In
 * here are half-width sound marks, too, which become marks.
 */
const PILED = /[\p{M}\uFF9E\uFF9F](?<=[\p{M}\uFF9E\uFF9F]{31})/gu;

/**
 * What makes no other word: invisible characters, the Arabic tatweel, enclosing marks, and marks
 * that are accents. Those of kana (か is not が), of Indic scripts, Thai and their like are sounds
 * of their own, so they stay.
 */
const SILENT =
  '[[\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Me}\u0640[\\p{Mn}&&[\\p{sc=Inherited}\\p{sc=Hebrew}\\p{sc=Arabic}\\p{sc=Syriac}\\p{sc=Cyrillic}]]]--[\u3099\u309A]]';

/** The silent, and marks that would pile up where they go. */
const dropped = lazy(() => new RegExp(`${SILENT}|\\p{M}(?<=[\\p{M}${SILENT}]{31})`, 'gv'));

/** Letters that no decomposition makes plain, as Unicode's root collation has them; ß is what is left of ẞ. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  ð: 'd',
  đ: 'd',
  ħ: 'h',
  ł: 'l',
  ø: 'o',
  œ: 'oe',
  ς: 'σ',
};
const NOT_PLAIN = /[ßæðđħłøœς]/g;

/** Letters to Unicode, yet people type apostrophes in their place (пʼять, ʿAlī), and those separate. */
const APOSTROPHES = '[\u02B9-\u02BF]';

const WITHOUT_SPACES =
  'Han Hiragana Katakana Bopomofo Yi Tangut Nushu Khitan_Small_Script Thai Lao Khmer Myanmar Javanese Balinese Tai_Tham Tai_Le New_Tai_Lue Tai_Viet Ahom'
    .split(' ')
    .map((script) => `\\p{scx=${script}}`) // its extensions, so that ー and 々 belong
    .join('');

/** What is a word by itself: not decimal digits, which make runs in every script. */
const ALONE = `[[[\\p{L}\\p{Nl}\\p{No}]&&[${WITHOUT_SPACES}]]--${APOSTROPHES}]`;

const NOT_IN_RUNS = `[${ALONE}${APOSTROPHES}]`;

/** A run has an end, as V8 fails with `RangeError` on a match of millions: what is longer is cut. */
export const LONGEST = 1024; // no shorter than a query

/** Sets of letters take V8 some 5 ms to work out, which only a search pays, and the first text beyond ASCII. */
const word = lazy(
  () =>
    new RegExp(
      [
        `[[\\p{L}\\p{N}]--${NOT_IN_RUNS}][[\\p{L}\\p{N}\\p{M}]--${NOT_IN_RUNS}]{0,${LONGEST - 1}}`,
        `${ALONE}\\p{M}*`,
        '[\\p{Extended_Pictographic}--[©®]]',
        '\\p{Regional_Indicator}{2}', // a flag
      ].join('|'),
      'gv',
    ),
);

/** Not `\s`, which takes the invisible U+FEFF for a space. */
const SPACE = /\p{White_Space}/u;

/**
 * Reads the words of a text, folded, in order: those by which it is found. A word is letters,
 * digits and marks, or one emoji, or one flag; never a space, a quote, `_` or other punctuation.
 * Takes any text in linear time, never throws, and reads words from themselves unchanged.
 */
export function wordsOf(text: string): string[] {
  return split(fold(text));
}

/**
 * Reads a query, all terms of which must be found: words, `"a phrase"`, `prefix*`. No text is a
 * mistake; one without any word asks for nothing ([]).
 */
export function readQuery(q: string): Term[] {
  const terms = new Map<string, Term>();
  const parts = q.split('"');
  for (const [i, part] of parts.entries()) {
    const isPhrase = i % 2 === 1 && i < parts.length - 1; // or else its quote is not closed
    for (const piece of isPhrase ? [part] : part.split(SPACE)) {
      const term = readTerm(piece, !isPhrase && piece.endsWith('*'));
      if (term) terms.set(term.words.join(' ') + (term.isPrefix ? '*' : ''), term);
    }
  }
  return [...terms.values()];
}

function readTerm(piece: string, isOpen: boolean): Term | undefined {
  const folded = fold(piece);
  const words = split(folded);
  const last = words.at(-1);
  if (last === undefined) return undefined;
  return { words, isPrefix: isOpen && folded.endsWith(`${last}*`) };
}

function split(folded: string): string[] {
  return folded.match(word()) ?? [];
}

/**
 * Takes accents off before the case is folded, as upper case makes a letter of the iota below ᾳ;
 * composes last, for Hangul; and mends surrogates first, lest two meet where something goes.
 */
function fold(text: string): string {
  return text
    .toWellFormed()
    .replace(PILED, '')
    .normalize('NFKD')
    .replace(dropped(), '')
    .toUpperCase() // before lower case, for ß, ı and ſ
    .toLowerCase()
    .replace(NOT_PLAIN, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFC');
}

// The tokenizer: the words by which a text is found, folded, in any script.

import { once } from '../lib/once.ts';
import { isTrailSurrogate } from './surrogates.ts';

/**
 * Marks that follow 30 others. They are noise (UAX #15, Stream-Safe Text Format), and normalising takes
 * the square of their number: measured, 5 s for 200 kB of two alternating marks. Includes half-width
 * sound marks, which become marks.
 */
const PILED = /[\p{M}\uFF9E\uFF9F](?<=[\p{M}\uFF9E\uFF9F]{31})/gu;

/**
 * Characters that make no other word: invisible ones, the Arabic tatweel, enclosing marks, and marks
 * that are accents. Marks of kana, Indic scripts, Thai and the like are sounds of their own (か is not
 * が), so they stay.
 */
const SILENT =
  '[[\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Me}\u0640[\\p{Mn}&&[\\p{sc=Inherited}\\p{sc=Hebrew}\\p{sc=Arabic}\\p{sc=Syriac}\\p{sc=Cyrillic}]]]--[\u3099\u309A]]';

/** Silent characters, and marks that would pile up once these are removed. */
const dropped = once(() => new RegExp(`${SILENT}|\\p{M}(?<=[\\p{M}${SILENT}]{31})`, 'gv'));

/** Letters that no decomposition makes plain, as in Unicode's root collation. ß is what remains of ẞ. */
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

/** Unicode calls these letters, but people type apostrophes instead (пʼять, ʿAlī), and those separate words. */
const APOSTROPHES = '[\u02B9-\u02BF]';

const WITHOUT_SPACES =
  'Han Hiragana Katakana Bopomofo Yi Tangut Nushu Khitan_Small_Script Thai Lao Khmer Myanmar Javanese Balinese Tai_Tham Tai_Le New_Tai_Lue Tai_Viet Ahom'
    .split(' ')
    .map((script) => `\\p{scx=${script}}`) // with script extensions, so that ー and 々 belong
    .join('');

/** Letters that are words by themselves. Decimal digits are not: they make runs in every script. */
const ALONE = `[[[\\p{L}\\p{Nl}\\p{No}]&&[${WITHOUT_SPACES}]]--${APOSTROPHES}]`;

const NOT_IN_RUNS = `[${ALONE}${APOSTROPHES}]`;

/** The length at which a word is cut: V8 throws `RangeError` on a match of millions. No query is longer. */
export const MAX_WORD_LENGTH = 1024;

/** Returns the pattern of a word in folded text. V8 needs about 5 ms to compile these sets of letters. Only a search or text beyond ASCII pays that. */
export const wordPattern = once(
  () =>
    new RegExp(
      [
        `[[\\p{L}\\p{N}]--${NOT_IN_RUNS}][[\\p{L}\\p{N}\\p{M}]--${NOT_IN_RUNS}]{0,${MAX_WORD_LENGTH - 1}}`,
        `${ALONE}\\p{M}*`,
        '[\\p{Extended_Pictographic}--[©®]]',
        '\\p{Regional_Indicator}{2}', // a flag
      ].join('|'),
      'gv',
    ),
);

/** Returns the pattern of a character that is a word by itself, such as a Chinese one, with its marks. */
export const unspacedWord = once(() => new RegExp(`^${ALONE}\\p{M}*$`, 'v'));

/**
 * Returns the words of a text, folded, in order. A word is a run of letters, digits and marks, or one
 * emoji, or one flag. It never contains a space, a quote, `_` or other punctuation. Takes any text in
 * linear time and never throws. Words are read from themselves unchanged.
 */
export function wordsOf(text: string): string[] {
  if (text.length <= SLICE) return splitFolded(foldText(text));
  const words: string[] = [];
  eachWord(text, (each) => words.push(each));
  return words;
}

/** How much of a text is folded at a time, unless the caller pauses more often. A character can become 18, and V8 keeps several copies. */
const SLICE = 64 * 1024;

/**
 * A character that begins a slice: composition joins it to nothing before it. Others are marks, invisible
 * characters, halves of flags, and the vowels and final consonants of Hangul.
 */
const BEGINS_SLICE =
  /[^\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Regional_Indicator}\u1160-\u11FF\u3131-\u318E\uD7B0-\uD7FF\uFF9E-\uFFDC]/gu;

/** Calls back with the words of `wordsOf`, one by one, so that a long text takes little memory. */
export function eachWord(text: string, onWord: (word: string) => void): void {
  for (const words of wordSlices(text)) for (const word of words) onWord(word);
}

/** Yields the words of `wordsOf` in slices, for callers that pause between them. `size` is in characters. */
export function* wordSlices(text: string, size: number = SLICE): Generator<readonly string[]> {
  let unfinished = ''; // the last word of a slice may go on in the next one
  for (let from = 0; from < text.length;) {
    const to = endOfSlice(text, from, from + size);
    const folded = unfinished + foldText(text.slice(from, to));
    const words = splitFolded(folded);
    const last = words.at(-1);
    const goesOn = to < text.length && last !== undefined && folded.endsWith(last);
    unfinished = goesOn ? last : '';
    if (goesOn) words.pop();
    yield words;
    from = to;
  }
}

/** Ends a slice behind a space, which folds with nothing, or where a character begins a slice. */
function endOfSlice(text: string, from: number, most: number): number {
  if (most >= text.length) return text.length;
  const space = text.slice(from, most).lastIndexOf(' ');
  if (space !== -1) return from + space + 1;
  BEGINS_SLICE.lastIndex = isTrailSurrogate(text.charCodeAt(most)) ? most + 1 : most;
  return BEGINS_SLICE.exec(text)?.index ?? text.length;
}

/** Returns the words of a text that was folded already. */
export function splitFolded(folded: string): string[] {
  return folded.match(wordPattern()) ?? [];
}

/**
 * Folds case, accents and compatibility forms. Accents go before case, because upper case turns the
 * iota below ᾳ into a letter. Composition comes last, for Hangul. Surrogates are repaired first, as two
 * halves could meet where a character is removed.
 */
export function foldText(text: string): string {
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

// Tokens: the words of a text with their positions in it, for highlighting and ranking.

import { foldText, wordPattern, wordsOf } from '../tokenizer.ts';

/** A word of a text as `wordsOf` returns it, and where it stands: `[start, end)` in UTF-16 code units. */
export interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const IS_ASCII = /^[\0-\x7F]*$/;

/** Nothing folds across a space or a control character of ASCII, so the parts between are read one by one. */
const PARTS = /[^\0-\x20]+/g;

/** Gets each token of a text, in order. Arguments cost less than an object for each of millions. */
export type OnToken = (word: string, start: number, end: number) => void;

/**
 * Which words of plain letters are wanted, by their first letter and their length. To cut a word out and
 * compare it takes longer than to find its end, and most words of a text are not in a query.
 */
export type WantedWords = Uint8Array;

/** The lengths that are told apart. Longer words count as this long. */
const LENGTHS = 32;

/** Creates a set of wanted words without any. */
export function wantNothing(): WantedWords {
  return new Uint8Array(0x80 * LENGTHS);
}

/** Adds a word, or all words that begin with it. */
export function addWanted(wanted: WantedWords, word: string, isPrefix: boolean): void {
  const first = (word.charCodeAt(0) & 0x7f) * LENGTHS;
  const length = Math.min(word.length, LENGTHS - 1);
  wanted.fill(1, first + length, first + (isPrefix ? LENGTHS : length + 1));
}

/**
 * Reads the tokens of a text. Words that are not wanted may be ''. Undefined: all are. Takes any text in linear time and
 * never throws.
 */
export function readTokens(text: string, wanted: WantedWords | undefined, onToken: OnToken): void {
  if (IS_ASCII.test(text)) {
    readPlain(text, 0, wanted, onToken);
    return;
  }
  for (const { 0: part, index } of text.matchAll(PARTS)) {
    if (IS_ASCII.test(part)) readPlain(part, index, wanted, onToken);
    else
      for (const { word, start, end } of foldedTokens(part))
        onToken(word, start + index, end + index);
  }
}

const isWordCode = Uint8Array.from({ length: 0x80 }, (_, code) =>
  Number(/[A-Za-z0-9]/.test(String.fromCharCode(code))),
);

function readPlain(
  text: string,
  offset: number,
  wanted: WantedWords | undefined,
  onToken: OnToken,
): void {
  const lower = text.toLowerCase();
  const { length } = lower;
  let start = -1;
  for (let i = 0; i < length; i++) {
    if (isWordCode[lower.charCodeAt(i)] === 1) {
      if (start < 0) start = i;
    } else if (start >= 0) {
      onToken(wordAt(start, i), start + offset, i + offset);
      start = -1;
    }
  }
  if (start >= 0) onToken(wordAt(start, length), start + offset, length + offset);

  function wordAt(from: number, to: number): string {
    const size = Math.min(to - from, LENGTHS - 1);
    const isWanted = wanted?.[lower.charCodeAt(from) * LENGTHS + size] !== 0;
    return isWanted ? lower.slice(from, to) : '';
  }
}

/** Tokens of short parts: the same words come again and again, and to fold one takes microseconds. */
const cache = new Map<string, readonly Token[]>();
const MAX_CACHED = 10_000;
const MAX_CACHED_LENGTH = 32;

function foldedTokens(part: string): readonly Token[] {
  if (part.length > MAX_CACHED_LENGTH) return locate(part);
  const cached = cache.get(part);
  if (cached !== undefined) return cached;
  if (cache.size >= MAX_CACHED) cache.clear();
  const tokens = locate(part);
  cache.set(part, tokens);
  return tokens;
}

/**
 * Finds where folded words stand. Folding changes lengths, so each letter is folded alone, with its marks.
 * If these do not add up to the folded whole, as with Hangul in parts, each word gets the whole part.
 */
function locate(part: string): Token[] {
  const letters = Array.from(part.matchAll(/\P{M}\p{M}*|\p{M}+/gu), ({ 0: text, index }) => ({
    folded: foldText(text),
    start: index,
    end: index + text.length,
  }));
  const whole = foldText(part);
  if (letters.map(({ folded }) => folded).join('') !== whole)
    return wordsOf(part).map((word) => ({ word, start: 0, end: part.length }));
  /** The letter of each code unit of the folded text. */
  const origins = letters.flatMap((letter) => Array.from(letter.folded.split(''), () => letter));
  return Array.from(whole.matchAll(wordPattern()), ({ 0: word, index }) => ({
    word,
    start: origins[index]?.start ?? 0,
    end: origins[index + word.length - 1]?.end ?? part.length,
  }));
}

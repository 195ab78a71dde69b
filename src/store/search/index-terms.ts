// The terms of the search index: the words of a text, each with a prefix that names its shard.

import type { Memory } from '../../contract/schemas/memory.ts';
import type { QueryTerm } from '../../text/search-query.ts';
import { eachWord, MAX_WORD_LENGTH, wordsOf } from '../../text/tokenizer.ts';
import { releaseBytes } from '../bytes.ts';
import { TEXT_END } from './postings.ts';

/**
 * Text that must be folded: everything beyond ASCII except common dashes, quotes and dots, along with
 * short text in between. The count is limited, because V8 throws `RangeError` on a match of millions.
 */
const BEYOND_PLAIN =
  /[^\0-\x7F\u2010-\u2027](?:[\0-\x7F\u2010-\u2027]{0,15}[^\0-\x7F\u2010-\u2027]){0,500}/g;

/** Nothing folds across an ASCII space or a control character. */
const SPACE = 0x20;

/** The lower-case code of every ASCII letter and digit by its code; 0 for characters that separate words. */
const LOWER = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(code))
    ? String.fromCharCode(code).toLowerCase().charCodeAt(0)
    : 0,
);

/** Puts a prefix before each word and joins them: `7_milk 7_and`. */
export function prefixTerms(prefix: string, words: readonly string[]): string {
  return words.length === 0 ? '' : prefix + words.join(` ${prefix}`);
}

/**
 * Returns the terms of texts as UTF-8: the words of `wordsOf`, each with a prefix before it and a space
 * around it, and a separator between texts. Only words beyond ASCII are folded; the rest is read in one
 * pass. Measured on 3.3 kB of text: 36 µs instead of 58 in plain ASCII, 46 instead of 175 with twelve
 * accents. Bytes are outside V8's heap, and text of 60 MB has terms of up to 240 MB.
 */
export function indexTerms(
  prefix: string,
  texts: readonly string[],
  separator = prefix,
): Buffer<ArrayBuffer> {
  const expected = texts.reduce((sum, { length }) => sum + length * (1 + prefix.length / 5), 64);
  const terms = createTermBytes(prefix, expected);
  for (const [i, text] of texts.entries()) {
    if (i > 0) terms.addToken(separator);
    addText(terms, text);
  }
  return terms.end();
}

/** The texts of a memory that are searched, in the order of the index. */
export function searchedTexts(memory: Memory): readonly string[] {
  return [...summaryTexts(memory), memory.transcript];
}

/** The texts of a memory that are searched without its transcript, in the order of the index. */
export function summaryTexts({
  name,
  summary,
}: Pick<Memory, 'name' | 'summary'>): readonly string[] {
  return [name, summary.quick_summary, ...summary.key_takeaways];
}

/** Returns the text that the words of a memory contain if it has a term. The words have a space around each. */
export function phraseOf({ words, isPrefix }: QueryTerm): string {
  return ` ${words.map((word) => (word === TEXT_END ? '_' : word)).join(' ')}${isPrefix ? '' : ' '}`;
}

/** The most bytes of words per memory. SQLite and PostgreSQL take 1 GB per value, with all prefixes. */
export const MAX_WORD_BYTES = 128 * 1024 * 1024;

/** More bytes than the words of one character take. The worst is U+FDFA, which stands for four words. */
const BYTES_PER_CHARACTER = 40;

/** Returns whether the words of texts have at most `max` bytes. Compatibility forms can make them many times longer than the texts. */
export function fitsIndex(texts: readonly string[], max = MAX_WORD_BYTES): boolean {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length * BYTES_PER_CHARACTER <= max) return true;
  let counted = 0;
  const terms = createTermBytes('', COUNTED_BYTES, (bytes) => {
    counted += bytes;
    if (counted > max) throw TOO_LONG;
  });
  try {
    for (const text of texts) addText(terms, text);
  } catch (error) {
    if (error !== TOO_LONG) throw error;
    return false;
  }
  return counted + terms.end().length <= max;
}

/** How many bytes of words are counted at a time. */
const COUNTED_BYTES = 256 * 1024;

const TOO_LONG = new RangeError('too many words');

function addText(terms: TermBytes, text: string): void {
  let done = 0;
  BEYOND_PLAIN.lastIndex = 0;
  for (let found; (found = BEYOND_PLAIN.exec(text)) !== null; BEYOND_PLAIN.lastIndex = done) {
    const from = spaceBefore(text, found.index, done);
    terms.addPlain(text, done, from);
    done = spaceAfter(text, BEYOND_PLAIN.lastIndex);
    const part = text.slice(from, done);
    if (part.length > MAX_PART_LENGTH) eachWord(part, terms.addWord);
    else for (const word of foldedWords(part)) terms.addWord(word);
  }
  terms.addPlain(text, done, text.length);
}

/**
 * The words of short parts, because the same accented words come again and again and folding one takes
 * 3 µs. Measured on German text of 3.3 kB: 102 µs instead of 215. The cache is of pure results, so
 * gateways in one process can share it.
 */
const wordsByPart = new Map<string, readonly string[]>();
const MAX_PARTS = 10_000; // then the cache is emptied
const MAX_PART_LENGTH = 32;

function foldedWords(part: string): readonly string[] {
  const found = wordsByPart.get(part);
  if (found !== undefined) return found;
  if (wordsByPart.size >= MAX_PARTS) wordsByPart.clear();
  const words = wordsOf(part);
  wordsByPart.set(part, words);
  return words;
}

function spaceBefore(text: string, at: number, least: number): number {
  let from = at;
  while (from > least && text.charCodeAt(from - 1) > SPACE) from--;
  return from;
}

function spaceAfter(text: string, at: number): number {
  let to = at;
  while (to < text.length && text.charCodeAt(to) > SPACE) to++;
  return to;
}

type TermBytes = ReturnType<typeof createTermBytes>;

/** How much plain text is read before the bytes may grow. */
const PLAIN_SLICE = 64 * 1024;

/**
 * Collects terms in bytes that grow as needed. If `onFull` is given, they are counted instead: full bytes
 * are reported and emptied. Prefixes are ASCII.
 */
function createTermBytes(prefix: string, expected: number, onFull?: (bytes: number) => void) {
  let bytes = Buffer.allocUnsafe(Math.ceil(expected));
  let end = bytes.write(' ');

  function reserve(length: number): void {
    if (end + length <= bytes.length) return;
    onFull?.(end);
    if (onFull) end = 0;
    if (end + length <= bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.ceil(bytes.length * 1.5) + length);
    bytes.copy(grown, 0, 0, end);
    releaseBytes(bytes);
    bytes = grown;
  }

  function addToken(token: string): void {
    reserve(3 * token.length + 1);
    end += bytes.write(token, end);
    bytes[end++] = SPACE;
  }

  /** Adds the words of a part of a text in which nothing needs folding. */
  function addPlain(text: string, from: number, to: number): void {
    let length = 0; // of the present word
    for (let i = from; i < to;) {
      const until = Math.min(i + PLAIN_SLICE, to);
      reserve(Math.ceil((until - i) / 2 + 1) * (prefix.length + 1) + (until - i) + 1);
      for (; i < until; i++) {
        const letter = LOWER[text.charCodeAt(i)] ?? 0; // dashes and the like are beyond the table
        if (letter === 0 || length === MAX_WORD_LENGTH) {
          if (length > 0) bytes[end++] = SPACE;
          length = 0;
        }
        if (letter === 0) continue;
        if (length === 0)
          for (let j = 0; j < prefix.length; j++) bytes[end++] = prefix.charCodeAt(j);
        bytes[end++] = letter;
        length++;
      }
    }
    if (length === 0) return;
    reserve(1);
    bytes[end++] = SPACE;
  }

  return {
    addToken,
    addWord: (word: string): void => addToken(prefix + word),
    addPlain,
    end: () => bytes.subarray(0, end),
  };
}

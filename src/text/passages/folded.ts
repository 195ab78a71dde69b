// Folded texts: the lines and words of a long memory, so that later searches need not read its texts.

import { firstThat } from '../../lib/first-that.ts';
import { compareText } from '../../lib/order.ts';
import { readTokens } from './tokens.ts';
import { readUnits, type SearchedTexts, type Unit } from './units.ts';

/** The units of some texts, and where each word is in them. */
export interface FoldedTexts {
  readonly units: readonly Unit[];
  /** How many tokens precede each unit, and how many there are. */
  readonly wordsBefore: Uint32Array;
  /** Each different word once, sorted. */
  readonly words: readonly string[];
  /** The tokens of each word in order: those of word `i` are from `firsts[i]` to before `firsts[i + 1]`. */
  readonly tokens: Uint16Array | Uint32Array;
  readonly firsts: Uint32Array;
  /** Where each token starts and ends in its unit, which has at most `MAX_PASSAGE` characters. */
  readonly starts: Uint16Array;
  readonly ends: Uint16Array;
}

/** Folds the texts of a memory. Yields now and then. */
export function* foldTexts(texts: SearchedTexts): Generator<undefined, FoldedTexts, unknown> {
  const tokensOfWord = new Map<string, number[]>();
  const starts: number[] = [];
  const ends: number[] = [];
  const wordsBefore = [0];
  const units = yield* readUnits(texts, (unit) => {
    readTokens(unit.text.slice(unit.start, unit.end), undefined, (word, start, end) => {
      const token = starts.push(start) - 1;
      ends.push(end);
      const known = tokensOfWord.get(word);
      if (known === undefined) tokensOfWord.set(word, [token]);
      else known.push(token);
    });
    wordsBefore.push(starts.length);
  });
  const sorted = [...tokensOfWord].toSorted(([a], [b]) => compareText(a, b));
  const firsts = [0];
  for (const [, { length }] of sorted) firsts.push((firsts.at(-1) ?? 0) + length);
  const tokens = sorted.flatMap(([, each]) => each);
  return {
    units,
    wordsBefore: Uint32Array.from(wordsBefore),
    // A slice of a string would keep the whole string in memory.
    words: JSON.parse(JSON.stringify(sorted.map(([word]) => word))) as string[],
    tokens: tokens.length <= 0x1_0000 ? Uint16Array.from(tokens) : Uint32Array.from(tokens),
    firsts: Uint32Array.from(firsts),
    starts: Uint16Array.from(starts),
    ends: Uint16Array.from(ends),
  };
}

/** What a string takes in V8 besides its characters, with its place in a list. */
const STRING_BYTES = 32;
/** What a unit takes, with its place in a list. */
const UNIT_BYTES = 100;
/** What the lists take besides their items. */
const LISTS_BYTES = 1000;

/** Returns how many bytes folded texts take in memory, with the texts, rather too many than too few. */
export function foldedBytes({ units, words, ...lists }: FoldedTexts): number {
  const texts = new Set(units.map(({ text }) => text));
  let bytes = LISTS_BYTES + units.length * UNIT_BYTES;
  for (const { byteLength } of Object.values(lists)) bytes += byteLength;
  for (const each of [...texts, ...words]) bytes += STRING_BYTES + 2 * each.length;
  return bytes;
}

/** A token of folded texts. */
export interface FoldedToken {
  readonly word: string;
  /** The number of the token. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

/** Yields the tokens that are some words, or begin with some prefixes, in order. */
export function* tokensOf(
  { words, tokens, firsts, starts, ends }: FoldedTexts,
  wanted: { readonly words: Iterable<string>; readonly prefixes: readonly string[] },
): Generator<FoldedToken> {
  const found = new Set<number>();
  for (const word of wanted.words) {
    const i = placeOf(words, word);
    if (words[i] === word) found.add(i);
  }
  for (const prefix of wanted.prefixes)
    for (let i = placeOf(words, prefix); words[i]?.startsWith(prefix) === true; i++) found.add(i);
  // The token and the word as one number: to sort numbers takes a tenth of the time of sorting objects.
  const keys: number[] = [];
  for (const i of found)
    for (let first = firsts[i] ?? 0; first < (firsts[i + 1] ?? 0); first++)
      keys.push((tokens[first] ?? 0) * words.length + i);
  for (const key of Float64Array.from(keys).toSorted()) {
    const at = Math.floor(key / words.length);
    yield {
      word: words[key % words.length] ?? '',
      at,
      start: starts[at] ?? 0,
      end: ends[at] ?? 0,
    };
  }
}

/** Returns the place of a word among sorted ones, or where it would be. */
function placeOf(sorted: readonly string[], word: string): number {
  return firstThat(sorted.length, (at) => compareText(sorted[at] ?? '', word) >= 0);
}

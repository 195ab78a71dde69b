// Folded words: the words of a long memory as numbers, so that later searches need not fold its texts again.

import { readTokens, type OnToken } from './tokens.ts';
import { SLICE, unitsOf, type SearchedTexts } from './units.ts';

/** The words of a memory, in the order and with the units of `unitsOf`. */
export interface FoldedWords {
  /** Each different word once. */
  readonly words: readonly string[];
  /** The word of each token, as its place in `words`. */
  readonly numbers: Uint16Array | Uint32Array;
  /** Where each token starts and ends in its unit, which has at most `MAX_PASSAGE` characters. */
  readonly starts: Uint16Array;
  readonly ends: Uint16Array;
  /** How many tokens precede each unit, and how many there are. */
  readonly before: Uint32Array;
}

/** Folds the texts of a memory. */
export function* foldWords(texts: SearchedTexts): Generator<undefined, FoldedWords, unknown> {
  const known = new Map<string, number>();
  const numbers: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const before = [0];
  const onToken: OnToken = (word, start, end) => {
    let number = known.get(word);
    if (number === undefined) known.set(word, (number = known.size));
    numbers.push(number);
    starts.push(start);
    ends.push(end);
  };
  let slice = 0;
  for (const { text, start, end } of unitsOf(texts)) {
    readTokens(text.slice(start, end), undefined, onToken);
    before.push(numbers.length);
    slice += end - start + 1;
    if (slice < SLICE) continue;
    slice = 0;
    yield;
  }
  return {
    // A slice of a string would keep the whole string in memory.
    words: JSON.parse(JSON.stringify([...known.keys()])) as string[],
    numbers: known.size <= 0x1_0000 ? Uint16Array.from(numbers) : Uint32Array.from(numbers),
    starts: Uint16Array.from(starts),
    ends: Uint16Array.from(ends),
    before: Uint32Array.from(before),
  };
}

/** What a string takes in V8 besides its characters, with its place in a list. */
const STRING_BYTES = 32;
/** What five lists take besides their items. */
const LISTS_BYTES = 1000;

/** Returns how many bytes folded words take in memory, rather too many than too few. */
export function foldedBytes({ words, numbers, starts, ends, before }: FoldedWords): number {
  const ofWords = words.reduce((sum, { length }) => sum + STRING_BYTES + 2 * length, 0);
  const ofLists = [numbers, starts, ends, before].reduce((sum, list) => sum + list.byteLength, 0);
  return LISTS_BYTES + ofWords + ofLists;
}

/** Creates the function that reads the tokens of a unit. A word that is not wanted is ''. */
export function foldedReader(
  { words, numbers, starts, ends, before }: FoldedWords,
  isWanted: (word: string) => boolean,
): (unit: number, onToken: OnToken) => void {
  const wanted = words.map((word) => (isWanted(word) ? word : ''));
  return (unit, onToken) => {
    const end = before[unit + 1] ?? 0;
    for (let i = before[unit] ?? 0; i < end; i++)
      onToken(wanted[numbers[i] ?? 0] ?? '', starts[i] ?? 0, ends[i] ?? 0);
  };
}

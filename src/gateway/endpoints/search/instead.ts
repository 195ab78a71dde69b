// What is searched instead of a word that no memory has: words of the account that are spelled alike.

import { editDistance, sharedLetters } from '../../../text/edit-distance.ts';
import type { RankedQuery } from '../../../text/ranked-query.ts';
import { formsOf } from '../../../text/stems.ts';
import { wordsOf } from '../../../text/tokenizer.ts';
import type { Steps } from '../../fair-share/time.ts';
import type { Searched } from './cached-postings.ts';
import { isInAccount, type Hints } from './hints.ts';

/** Shorter words differ from too many others by one letter. */
const MIN_LENGTH = 5;

/** Words that are shorter differ by two letters from words of another meaning: quartz from Quartal. */
const LONG = 8;

/** Words up to this length are mostly articles and the like: del is one letter from dem, and means nothing of it. */
const SHORT = 3;

/** How much of the shorter word two forms of a word share at their beginning, at least. */
const SHARED = 0.6;
const MIN_SHARED = 4;

/**
 * Returns the words that are searched instead of absent ones: the nearest that begin alike. A query that finds nothing
 * else gets the nearest words that a slip of the hand explains. A short word gets them only if it is the whole query.
 */
export function insteadOf(
  { terms }: RankedQuery,
  { nearest_words }: Hints,
  found: number,
): Record<string, string[]> {
  const asked = new Set(terms.map(({ word }) => word));
  const absent = Object.entries(nearest_words).filter(([word]) => asked.has(word));
  const chosen = absent.map(([word, near]) => {
    const distanceOf = (other: string) => editDistance(word, other, Infinity);
    const isAny = found === 0 && (word.length > SHORT || terms.length === 1);
    const meant = near.filter((other) =>
      isAny ? isSlip(word, other, distanceOf(other)) : isMeant(word, other, distanceOf(other)),
    );
    const least = Math.min(...meant.map(distanceOf));
    return [word, meant.filter((other) => distanceOf(other) === least)] as const;
  });
  return Object.fromEntries(chosen.filter(([, words]) => words.length > 0));
}

/** Returns whether somebody may have slipped: the first letter is mostly right, so a kettle is nothing little. */
function isSlip(word: string, other: string, distance: number): boolean {
  return distance === 1 || (word.length >= LONG && word[0] === other[0]);
}

/** Returns whether a word differs by a slip of one letter, or by its ending. */
function isMeant(word: string, other: string, distance: number): boolean {
  if (word.length < MIN_LENGTH || word[0] !== other[0]) return false;
  if (distance === 1) return true;
  if (word.length < LONG) return false;
  return (
    sharedLetters(word, other) >= Math.max(MIN_SHARED, SHARED * Math.min(word.length, other.length))
  );
}

/** How many letters the parts of a compound have at least, and for how many words they are looked up. */
const MIN_FIRST_PART = 3;
const MIN_LAST_PART = 5;
const MAX_COMPOUNDS = 2;

/**
 * Finds the last part of compounds that no memory has, which says what they are: Miete for Kaltmiete. Words that
 * are near in spelling come before.
 */
export function* lastPartsOf(
  searched: Searched,
  { absent_words, nearest_words }: Hints,
): Steps<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  const words = absent_words.filter((word) => !Object.hasOwn(nearest_words, word));
  for (const word of words.slice(0, MAX_COMPOUNDS)) {
    const part = yield* lastPartOf(searched, word);
    if (part !== undefined) found[word] = [part];
  }
  return found;
}

/** Finds the longest last part of a word that some memory has. */
function* lastPartOf(searched: Searched, word: string): Steps<string | undefined> {
  const parts: string[][] = [];
  for (let i = MIN_FIRST_PART; i <= word.length - MIN_LAST_PART; i++) parts.push([word.slice(i)]);
  // One look-up for all parts, because most words are no compounds.
  if (parts.length === 0 || !(yield* isInAccount(searched, { any: parts }))) return undefined;
  for (const part of parts) if (yield* isInAccount(searched, { any: [part] })) return part[0];
  return undefined;
}

/** The words that are searched instead of absent ones. */
type Instead = Readonly<Record<string, readonly string[]>>;

/** Returns a query that searches other words, in all their forms, instead of absent ones. They count half, as parts of compounds do. */
export function withInstead(query: RankedQuery, instead: Instead): RankedQuery {
  const terms = query.terms.map((term) => {
    const words = Object.hasOwn(instead, term.word) ? instead[term.word] : undefined;
    if (words === undefined) return term;
    const forms = words.flatMap(formsOf).map((word) => [word]);
    return { ...term, exact: [], forms, splits: [], begins: undefined, isWord: false };
  });
  return { ...query, terms, row: query.row.map(meantBy(instead)) };
}

/** Returns the folded words of a query as they were meant. */
export function wordsInstead(q: string, instead: Instead): readonly string[] {
  return wordsOf(q).map(meantBy(instead));
}

/** Returns what tells which word is meant by one: the first of those that are searched instead, or itself. */
function meantBy(instead: Instead): (word: string) => string {
  return (word) => (Object.hasOwn(instead, word) && instead[word]?.[0]) || word;
}

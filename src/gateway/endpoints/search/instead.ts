// What is searched instead of a word that no memory has: words of the account that are spelled alike.

import { editDistance } from '../../../text/edit-distance.ts';
import type { RankedQuery } from '../../../text/ranked-query.ts';
import type { Hints } from './hints.ts';

/** Shorter words differ from too many others by one letter. */
const MIN_LENGTH = 5;

/** How much of the shorter word two forms of a word share at their beginning, at least. */
const SHARED = 0.6;
const MIN_SHARED = 4;

/**
 * Returns the words that are searched instead of absent ones: the nearest that begin alike. If nothing else
 * was found, the nearest in any case.
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
    const meant =
      found === 0 ? near : near.filter((other) => isMeant(word, other, distanceOf(other)));
    const least = Math.min(...meant.map(distanceOf));
    return [word, meant.filter((other) => distanceOf(other) === least)] as const;
  });
  return Object.fromEntries(chosen.filter(([, words]) => words.length > 0));
}

/** Returns whether a word differs by a slip of one letter, or by its ending. */
function isMeant(word: string, other: string, distance: number): boolean {
  if (word.length < MIN_LENGTH || word[0] !== other[0]) return false;
  if (distance === 1) return true;
  let shared = 0;
  while (shared < word.length && word[shared] === other[shared]) shared++;
  return shared >= Math.max(MIN_SHARED, SHARED * Math.min(word.length, other.length));
}

/** Returns a query that searches other words instead of absent ones. They count half, as parts of compounds do. */
export function withInstead(
  query: RankedQuery,
  instead: Readonly<Record<string, readonly string[]>>,
): RankedQuery {
  const terms = query.terms.map((term) => {
    const words = Object.hasOwn(instead, term.word) ? instead[term.word] : undefined;
    if (words === undefined) return term;
    const forms = words.map((word) => [word]);
    return { ...term, exact: [], forms, splits: [], isWord: false };
  });
  return { ...query, terms };
}

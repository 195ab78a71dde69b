// Search on PostgreSQL: the stored words of a memory, and the full-text query of a search.

import type { Memory } from '../../../contract/schemas/memory.ts';
import { readQuery, type QueryTerm } from '../../../text/search-query.ts';
import { indexTerms, phraseOf, searchedTexts } from '../../search/index-terms.ts';
import { TEXT_END } from '../../search/postings.ts';

/** The index has this many characters of a word. Longer words are compared in the stored text. */
const INDEXED_LENGTH = 400;

/** Returns all words of a memory in order as UTF-8, a space around each, and `_` between texts. No word contains `_`. */
export function wordsOfMemory(memory: Memory): Buffer<ArrayBuffer> {
  return indexTerms('', searchedTexts(memory), '_');
}

/** A search: lexemes with `_` in place of the shard prefix, and texts that the words must contain. */
export interface SoughtLexemes {
  readonly match: string;
  readonly phrases: readonly string[];
  /** The texts that need a comparison with the stored words: phrases and very long words. */
  readonly unsure: readonly string[];
}

/** The values of a list without a search. */
export const NOTHING: SoughtLexemes = { match: '', phrases: [], unsure: [] };

/** Parses a query. Returns undefined if it has no words. */
export function readSought(q: string): SoughtLexemes | undefined {
  const terms = readQuery(q);
  return terms.length === 0 ? undefined : soughtOf(terms);
}

/** Creates the search for terms that must all be found. */
export function soughtOf(terms: readonly QueryTerm[]): SoughtLexemes {
  return {
    match: terms.flatMap(lexemesOf).join(' & '),
    phrases: terms.map(phraseOf),
    unsure: terms.filter((term) => !isSure(term)).map(phraseOf),
  };
}

/** Returns whether the index alone decides a term. */
function isSure({ words: [first = '', ...others] }: QueryTerm): boolean {
  return others.length === 0 && Array.from(first).length < INDEXED_LENGTH;
}

/** Returns the lexemes of a term. Words contain no quotes or backslashes. */
export function lexemesOf({ words, isPrefix }: QueryTerm): string[] {
  return words.flatMap((word, i) => {
    if (word === TEXT_END) return [];
    const lexeme = Array.from(word).slice(0, INDEXED_LENGTH).join('');
    return `'_${lexeme}'${isPrefix && i === words.length - 1 ? ':*' : ''}`;
  });
}

// Search on PostgreSQL: the words of a memory as they are kept, and what a query looks up among them.

import type { Memory } from '../../contract/memory.ts';
import { labelled } from '../labels.ts';
import { readQuery, type Term } from '../words.ts';

/** How many characters of a word are in the index; longer ones are told apart by all words of their memory. */
const LONGEST = 400;

/** All words of a memory in order, with spaces around each, and `_`, which no word has, between its texts. */
export function wordsOfMemory({ name, summary, transcript }: Memory): string {
  const texts = [name, summary.quick_summary, ...summary.key_takeaways, transcript];
  return ` ${texts.map((text) => labelled('', text)).join(' _ ')} `.replaceAll(/ {2,}/g, ' ');
}

/** What is looked up: lexemes with `_` where the label of a week goes, and what must stand in the words. */
export interface Sought {
  readonly match: string;
  readonly phrases: readonly string[];
  /** Those of which the index does not tell where they stand, or not how they end. */
  readonly unsure: readonly string[];
}

/** What is looked up where nothing is searched. */
export const NOTHING: Sought = { match: '', phrases: [], unsure: [] };

/** Reads what a query looks up; undefined where it asks for nothing. */
export function readSought(q: string): Sought | undefined {
  const terms = readQuery(q);
  if (terms.length === 0) return undefined;
  return {
    match: terms.flatMap(lexemesOf).join(' & '),
    phrases: terms.map(phraseOf),
    unsure: terms.filter((term) => !isSure(term)).map(phraseOf),
  };
}

/** Whether a memory has a term where it has its lexeme. */
function isSure({ words: [first = '', ...others] }: Term): boolean {
  return others.length === 0 && Array.from(first).length < LONGEST;
}

/** The lexemes of a term; words have no quotes and no backslash. */
function lexemesOf({ words, isPrefix }: Term): string[] {
  return words.map((word, i) => {
    const lexeme = Array.from(word).slice(0, LONGEST).join('');
    return `'_${lexeme}'${isPrefix && i === words.length - 1 ? ':*' : ''}`;
  });
}

function phraseOf({ words, isPrefix }: Term): string {
  return ` ${words.join(' ')}${isPrefix ? '' : ' '}`;
}

// Hints of a search as lines: words that occur nowhere, words that are spelled alike, and words that a speaker never says.

import type { SearchResult } from '../../contract/schemas/passages.ts';
import { cutText } from '../../text/surrogates.ts';
import { sentBytes } from '../budget.ts';
import { writeLines } from '../response.ts';
import { showText } from '../show.ts';

/** The part of a budget that hints may take. A query can have hundreds of words. */
const SHARE = 0.25;

/** Writes the hints, within a part of a budget in bytes. */
export function writeHints(
  {
    absent_words,
    nearest_words,
    searched_instead,
  }: Pick<SearchResult, 'absent_words' | 'nearest_words' | 'searched_instead'>,
  budget: number,
  unsaid: readonly string[] = [],
): string {
  const hints = writeLines([
    writeList('absent_words', absent_words, ', '),
    writeList('nearest_words', writeWords(nearest_words), '; '),
    writeList('searched_instead', writeWords(searched_instead), '; '),
    writeList('never_said_by_speaker', unsaid, ', '),
  ]);
  return cutText(showText(hints), (text) => sentBytes(text) <= budget * SHARE);
}

function writeWords(words: SearchResult['nearest_words']): string[] {
  return Object.entries(words).map(([word, others]) => `${word} → ${others.join(', ')}`);
}

function writeList(name: string, words: readonly string[], between: string): string {
  return words.length === 0 ? '' : `${name}: ${words.join(between)}`;
}

// Phrases of a query that say when, or with whom: they can become limits of the search instead of words of it. Pure functions.

import { MONTHS } from '../../../../text/question/calendar-words.ts';
import { readTime } from '../../../../text/question/when.ts';
import { wordsOf } from '../../../../text/tokenizer.ts';
import { addDays } from '../../dates.ts';

/** A phrase of a query, and the query without it. */
interface Phrase {
  readonly phrase: string;
  readonly rest: string;
}

/** A phrase that names days, from the first to the last, such as `2026-11-18`. */
export interface TimePhrase extends Phrase {
  readonly from: string;
  readonly to: string;
}

/** A phrase that may name somebody. */
export interface NamePhrase extends Phrase {
  readonly name: string;
}

/** What can be before a date, in the languages that dates are understood in. */
const BEFORE_DATES = new Set('in on during the am im den en el le il nel op de em no'.split(' '));

/** Prepositions before a name. */
const BEFORE_NAMES = new Set('with mit avec con met com'.split(' '));

/** The most words of a date: on the 12th of November 2026. */
const MOST_WORDS = 6;

/** Returns the longest phrase that names days up to today. Undefined: there is none. */
export function timePhrase(q: string, today: string): TimePhrase | undefined {
  for (const { phrase, rest } of phrasesOf(q)) {
    const days = daysOf(phrase, today);
    if (days !== undefined) return { phrase, rest, ...days };
  }
  return undefined;
}

/** Returns the phrases such as "with Henrik" that may name somebody, the longest first. */
export function namePhrases(q: string): NamePhrase[] {
  return phrasesOf(q).flatMap(({ phrase, rest }) => {
    const [, first = '', name = ''] = /^(\S+) (.+)$/.exec(phrase) ?? [];
    return BEFORE_NAMES.has(first.toLowerCase()) ? [{ phrase, rest, name }] : [];
  });
}

/** Returns all runs of words outside of quotes, the longest first. */
function phrasesOf(q: string): Phrase[] {
  const pieces = q.split(/\s+/).filter((piece) => piece !== '');
  let quotes = 0;
  const isWord = pieces.map((piece) => {
    const own = piece.split('"').length - 1;
    const isOutside = own === 0 && quotes % 2 === 0;
    quotes += own;
    return isOutside;
  });
  const found: Phrase[] = [];
  for (let length = Math.min(MOST_WORDS, pieces.length); length > 0; length--)
    for (let at = 0; at + length <= pieces.length; at++)
      if (isWord.slice(at, at + length).every(Boolean))
        found.push({
          phrase: pieces.slice(at, at + length).join(' '),
          rest: [...pieces.slice(0, at), ...pieces.slice(at + length)].join(' '),
        });
  return found;
}

/** Returns the days of a phrase if it says nothing else. */
function daysOf(phrase: string, today: string): Pick<TimePhrase, 'from' | 'to'> | undefined {
  const words = wordsOf(phrase);
  const first = words.findIndex((word) => !BEFORE_DATES.has(word));
  if (first === -1) return undefined;
  const date = words.slice(first).join(' ');
  // June is a name as well, but not after "in".
  const year = Number(today.slice(0, 4));
  const texts = first > 0 && MONTHS.has(date) ? [`${date} ${year}`, `${date} ${year - 1}`] : [date];
  for (const text of texts) {
    const { spans, words: named } = readTime(text, today);
    const span = spans.find(({ from }) => from <= today);
    if (span !== undefined && wordsOf(text).every((word) => named.has(word)))
      return { from: span.from, to: addDays(span.before, -1) };
  }
  return undefined;
}

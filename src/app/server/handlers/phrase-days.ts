// Phrases of a query that name days, such as "last week", "in June" or 19.11.2026.

import { MONTHS } from '../../../text/question/calendar-words.ts';
import { daysAgo } from '../../../text/question/days.ts';
import { readTime } from '../../../text/question/when.ts';
import { wordsOf } from '../../../text/tokenizer.ts';
import { phrasesOf, type Phrase } from './phrase-runs.ts';

/** A phrase, the query without it, and its days from the first to the last, such as `2026-11-18`. */
export interface DaysPhrase extends Pick<Phrase, 'phrase'> {
  readonly q: string;
  readonly from: string;
  readonly to: string;
  /** Whether it may be a name as well. */
  readonly isName: boolean;
  /** Whether it is another word as well, so that it can only be offered. */
  readonly isWord: boolean;
}

/** What can be before a date, in the languages that dates are understood in. */
const BEFORE_DATES = new Set('in on during the am im den en el le il nel op de em no'.split(' '));

/** Months that are names as well, and rarely anything else. */
const NAMES_AND_MONTHS = new Set('april june july juli julio augustus agosto'.split(' '));

/** Months that are other words as well. */
const WORDS_AND_MONTHS = new Set(['march', 'may']);

const MONTHS_OF_YEAR = 12;

/** How somebody reads dates. */
interface Calendar {
  readonly today: string;
  /** From 1 for Monday to 7. Default: 1. */
  readonly weekStart?: number | undefined;
  /** A tag such as `en-US`, by which 1/2/2026 is the second of January. Undefined: it is no date. */
  readonly language?: string | undefined;
}

/** Returns the longest phrase that names days up to today. Undefined: there is none. */
export function daysPhrase(q: string, calendar: Calendar): DaysPhrase | undefined {
  for (const { phrase, rest } of phrasesOf(q)) {
    const days = daysOf(phrase, { ...calendar, isAlone: rest === '' });
    if (days !== undefined) return { ...days, phrase, q: rest };
  }
  return undefined;
}

/** Returns whether a language has the month before the day. Undefined: no such language is known. */
function isMonthFirst(language: string | undefined): boolean | undefined {
  if (language === undefined) return undefined;
  try {
    const parts = new Intl.DateTimeFormat(language).formatToParts();
    return parts.find(({ type }) => type === 'month' || type === 'day')?.type === 'month';
  } catch (error) {
    if (error instanceof RangeError) return undefined; // no tag of a language
    throw error;
  }
}

/** Returns a phrase whose date is one of numbers, such as 19.11.2026 or 11/19/2026, with 2026-11-19 instead. */
function withPlainDate(phrase: string, language: string | undefined): string {
  return phrase.replace(
    /(?<!\S)(\d\d?)([./])(\d\d?)\2(\d{4})$/,
    (text, first: string, sign: string, second: string, year: string) => {
      const isDay = sign === '.' || Number(first) > MONTHS_OF_YEAR;
      const isMonth = Number(second) > MONTHS_OF_YEAR;
      // If both numbers can be the month, the language tells.
      const monthFirst = !isDay && (isMonth || first === second || isMonthFirst(language));
      if (monthFirst === undefined) return text;
      const [month, day] = monthFirst ? [first, second] : [second, first];
      return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    },
  );
}

/** Returns the days of a phrase if it says nothing else. */
function daysOf(
  phrase: string,
  { today, weekStart, language, isAlone }: Calendar & { readonly isAlone: boolean },
): Omit<DaysPhrase, 'phrase' | 'q'> | undefined {
  const words = wordsOf(withPlainDate(phrase, language));
  const first = words.findIndex((word) => !BEFORE_DATES.has(word));
  if (first === -1) return undefined;
  const date = words.slice(first).join(' ');
  // June is a name as well, but not after "in", and rarely alone.
  const isBare = first === 0 && isAlone;
  const isName = isBare && NAMES_AND_MONTHS.has(date);
  const isWord = isBare && WORDS_AND_MONTHS.has(date);
  const year = Number(today.slice(0, 4));
  const texts =
    isName || isWord || (first > 0 && MONTHS.has(date))
      ? [`${date} ${year}`, `${date} ${year - 1}`]
      : [date];
  for (const text of texts) {
    const { spans, words: named } = readTime(text, today, weekStart);
    const span = spans.find(({ from }) => from <= today);
    if (span !== undefined && wordsOf(text).every((word) => named.has(word)))
      return { from: span.from, to: daysAgo(span.before, 1), isName, isWord };
  }
  return undefined;
}

// Dates in a question: the days that it names, and whether it asks when something was.

import { isStopWord } from '../stop-words.ts';
import { wordsOf } from '../tokenizer.ts';
import {
  ASKS_WHEN,
  AUXILIARIES,
  BEFORE_MONTHS,
  DAYS,
  FRENCH_YESTERDAY,
  MONTHS,
  THIS_AND_LAST,
  UNITS,
  WEEKDAYS,
} from './calendar-words.ts';
import { aDay, daysAgo, isYear, monthOf, unitAgo, weekdayOf, yearOf, type Days } from './days.ts';
import { languageOf } from './languages.ts';

/** What a question says about time. */
export interface AskedTime {
  /** The spans that it names. Without a year, a date is a span in each of the last years. */
  readonly spans: readonly Days[];
  /** The words that name them, folded. */
  readonly words: ReadonlySet<string>;
  /** Those of them that mean another day tomorrow: yesterday, last week. */
  readonly relative: ReadonlySet<string>;
}

/** How many years back a date without a year is looked for. */
const YEARS = 10;

/** A span with the number of words that name it. */
interface Found {
  readonly spans: readonly Days[];
  readonly length: number;
  readonly isRelative?: boolean;
}

/** Words within a date: the 12th of November, 12 de noviembre de 2026. */
const WITHIN = new Set(['of', 'the', 'de', 'do', 'del', 'den', 'le', 'il', 'el']);

/** Finds the dates in a question, given the present day as `YYYY-MM-DD`. Weeks begin on Monday, or on another day from 1 to 7. */
export function readTime(q: string, today: string, weekStart?: number): AskedTime {
  const words = wordsOf(q);
  const spans: Days[] = [];
  const named = new Set<string>();
  const relative = new Set<string>();
  for (let i = 0; i < words.length; i++) {
    const found = readers
      .map((read) => read(words, i, today, weekStart))
      .find((each) => each !== undefined);
    if (found === undefined) continue;
    spans.push(...found.spans);
    for (const word of words.slice(i, i + found.length)) {
      named.add(word);
      if (found.isRelative === true) relative.add(word);
    }
    i += found.length - 1;
  }
  return { spans, words: named, relative };
}

type Reader = (
  words: readonly string[],
  at: number,
  today: string,
  weekStart: number | undefined,
) => Found | undefined;

const readers: readonly Reader[] = [readNumeric, readMonth, readPast, readWeekday, readYear];

/** 2026-11-12 or 2026-11, whose words are its numbers. */
function readNumeric(words: readonly string[], at: number): Found | undefined {
  const [year = '', month = '', day = ''] = words.slice(at, at + 3);
  if (!isYear(year) || !/^\d\d$/.test(month)) return undefined;
  const isDay = /^\d\d$/.test(day);
  const span = monthOf(Number(year), Number(month), isDay ? Number(day) : undefined);
  return span && { spans: [span], length: isDay ? 3 : 2 };
}

/** November, in March, November 2026, 12 November, November 12th 2026, 12 de noviembre de 2026. */
function readMonth(words: readonly string[], at: number, today: string): Found | undefined {
  const isLed = BEFORE_MONTHS.has(words[at] ?? '');
  const first = at + Number(isLed);
  const before = dayOf(words[first]);
  const atMonth = before === undefined ? first : skipWithin(words, first + 1);
  const month = MONTHS.get(words[atMonth] ?? '');
  if (month === undefined) return undefined;
  let end = atMonth + 1;
  const after = skipWithin(words, end);
  const day = before ?? dayOf(words[after]);
  if (before === undefined && day !== undefined) end = after + 1;
  const atYear = skipWithin(words, end);
  const year = isYear(words[atYear]) ? Number(words[atYear]) : undefined;
  if (year !== undefined) end = atYear + 1;
  if (month.isDoubtful && !isLed && day === undefined && year === undefined) return undefined;
  const present = Number(today.slice(0, 4));
  const years = year === undefined ? Array.from({ length: YEARS }, (_, i) => present - i) : [year];
  const spans = years.flatMap((each) => monthOf(each, month.number, day) ?? []);
  return spans.length === 0 ? undefined : { spans, length: end - at };
}

/** Yesterday, last week, 2 months ago. */
function readPast(
  words: readonly string[],
  at: number,
  today: string,
  weekStart?: number,
): Found | undefined {
  const [word = '', next = '', third] = words.slice(at, at + 3);
  const days = DAYS.get(word) ?? (isFrenchYesterday(word, words) ? 1 : undefined);
  if (days !== undefined)
    return { spans: [aDay(daysAgo(today, days))], length: 1, isRelative: true };
  const named = THIS_AND_LAST.get(`${word} ${next}`);
  if (named !== undefined)
    return { spans: [unitAgo(today, ...named, weekStart)], length: 2, isRelative: true };
  const unit = third === 'ago' && /^\d{1,3}$/.test(word) ? UNITS.get(next) : undefined;
  return (
    unit && { spans: [unitAgo(today, unit, Number(word), weekStart)], length: 3, isRelative: true }
  );
}

function isFrenchYesterday(word: string, words: readonly string[]): boolean {
  return word === FRENCH_YESTERDAY && languageOf(words, isStopWord).language === 'fr';
}

/** Monday, last Monday: the latest one before today. */
function readWeekday(words: readonly string[], at: number, today: string): Found | undefined {
  const isLast = words[at] === 'last';
  const [word = '', next] = words.slice(at + Number(isLast));
  const isOne = WEEKDAYS.has(word);
  const weekday = WEEKDAYS.get(isOne ? word : `${word}-${next}`);
  if (weekday === undefined) return undefined;
  const ago = (weekdayOf(today) - weekday + 7) % 7 || 7;
  const length = Number(isLast) + (isOne ? 1 : 2);
  return { spans: [aDay(daysAgo(today, ago))], length, isRelative: true };
}

/** 2023. */
function readYear(words: readonly string[], at: number): Found | undefined {
  const [year] = words.slice(at, at + 1);
  return isYear(year) ? { spans: [yearOf(Number(year))], length: 1 } : undefined;
}

/** The day of a month: 12, 12th, 1er. */
function dayOf(word: string | undefined): number | undefined {
  const [, digits] = /^(\d{1,2})(?:st|nd|rd|th|er|e|o)?$/.exec(word ?? '') ?? [];
  const day = Number(digits ?? '0');
  return day >= 1 && day <= 31 ? day : undefined;
}

function skipWithin(words: readonly string[], at: number): number {
  let next = at;
  while (WITHIN.has(words[next] ?? '')) next++;
  return next;
}

/** A day for callers that only want the words of dates, which are the same on each day. */
const ANY_DAY = '2000-01-01';

/** Returns the words of a question that name dates, folded. */
export function timeWords(q: string): Omit<AskedTime, 'spans'> {
  return readTime(q, ANY_DAY);
}

/**
 * Returns whether words ask when something was: "When was the cake?" or "Since when do they meet?". Elsewhere "when"
 * is a conjunction, as in "What did she say when they met?".
 */
export function asksWhen(words: readonly string[]): boolean {
  return words.some(
    (word, i) =>
      word === 'wann' || (ASKS_WHEN.has(word) && (i === 0 || AUXILIARIES.has(words[i + 1] ?? ''))),
  );
}

// Days: spans of the calendar as dates without a time zone, YYYY-MM-DD.

import { DAY_MS } from '../../lib/time.ts';
import type { CalendarUnit } from './calendar-words.ts';

/** Days from `from` to before `before`. */
export interface Days {
  readonly from: string;
  readonly before: string;
}

/** Returns whether a word is a year of our time. */
export function isYear(word: string | undefined): boolean {
  return /^(19[5-9]\d|20\d\d)$/.test(word ?? '');
}

/** Returns a single day. */
export function aDay(from: string): Days {
  return { from, before: daysAgo(from, -1) };
}

/** Returns the day that is some days before another. */
export function daysAgo(day: string, days: number): string {
  return dateOf(Date.parse(day) - days * DAY_MS);
}

/** Returns the weekday. Sunday is 0. */
export function weekdayOf(day: string): number {
  return new Date(Date.parse(day)).getUTCDay();
}

/** Returns a month, or one of its days. Undefined: the calendar has none. */
export function monthOf(year: number, month: number, day?: number): Days | undefined {
  const from = dateOf(Date.UTC(year, month - 1, day ?? 1));
  if (Number(from.slice(5, 7)) !== month) return undefined;
  return day === undefined ? { from, before: dateOf(Date.UTC(year, month, 1)) } : aDay(from);
}

/** Returns a year. */
export function yearOf(year: number): Days {
  return { from: `${year}-01-01`, before: `${year + 1}-01-01` };
}

/** Returns the day, week, month or year that is some before the present one. Weeks begin on Monday, or on another day up to 7, Sunday. */
export function unitAgo(today: string, unit: CalendarUnit, ago: number, weekStart = 1): Days {
  const [year = 0, month = 0] = today.split('-').map(Number);
  if (unit === 'day') return aDay(daysAgo(today, ago));
  if (unit === 'year') return yearOf(year - ago);
  if (unit === 'week') {
    const from = daysAgo(today, ((weekdayOf(today) - weekStart + 7) % 7) + 7 * ago);
    return { from, before: daysAgo(from, -7) };
  }
  return {
    from: dateOf(Date.UTC(year, month - 1 - ago, 1)),
    before: dateOf(Date.UTC(year, month - ago, 1)),
  };
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

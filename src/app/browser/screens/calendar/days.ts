// The days of a week, month or year: totals, steps of colour, and neighbours, as pure functions of the totals per day, and the hours of a day.

import { addDays, addMonths, instantsAround, type DayOf } from '../../dates.ts';
import type { DayCount } from '../../state/list/layout.ts';

/** The days of a week, month or year. */
export interface Days {
  readonly dates: readonly string[];
  readonly today: string;
  /** The days that have memories, by their dates. */
  readonly days: ReadonlyMap<string, DayCount>;
  /** Returns 1 to 4 for a day with memories: its place in `STEPS`. Otherwise 0. */
  readonly stepOf: (date: string) => number;
}

/** The steps of colour: the most memories of a day, and how many that are as a text. A day with more is as the last. */
export const STEPS = [
  { most: 1, text: '1' },
  { most: 3, text: '2–3' },
  { most: 6, text: '4–6' },
  { most: Infinity, text: '7+' },
] as const;

/** Creates the days from one to another, at most a year, from the totals of all days, oldest first. */
export function createDays(
  { from, to }: { readonly from: string; readonly to: string },
  all: readonly DayCount[],
  today: string,
): Days {
  const own = all.filter(({ date }) => date >= from && date <= to);
  const days = new Map(own.map((day) => [day.date, day]));
  const year = Array.from({ length: 366 }, (_, day) => addDays(from, day));
  return {
    dates: year.filter((date) => date <= to),
    today,
    days,
    stepOf: (date) => {
      const { memories = 0 } = days.get(date) ?? {};
      return memories === 0 ? 0 : 1 + STEPS.filter(({ most }) => memories > most).length;
    },
  };
}

/** The nearest days with memories before and after a date. */
export interface NearDays {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Returns the nearest days with memories around some days, which may have none. */
export function neighboursOf(from: string, to: string, all: readonly DayCount[]): NearDays {
  return {
    before: all.findLast(({ date }) => date < from)?.date,
    after: all.find(({ date }) => date > to)?.date,
  };
}

/** Returns the first and the last date of a month, such as `2026-11`. */
export function datesOfMonth(month: string): readonly [from: string, to: string] {
  const from = `${month}-01`;
  return [from, addDays(addMonths(from, 1), -1)];
}

/** Returns how many hours a date has in a time zone: 25 or 23 if the clocks change, 0 if the zone skips it. */
export function hoursOf(date: string, dayOf: DayOf): number {
  return instantsAround(date).filter((iso) => dayOf(iso) === date).length / 4;
}

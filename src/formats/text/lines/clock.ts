// Parses times of day in text transcripts, such as `1:02:03 PM`, and writes their dates.

import { isPresent } from '../../field-schemas.ts';
import { toSeconds } from '../../time/timestamp.ts';

/** A time of day, in 24 or 12 hours. */
export const CLOCK = String.raw`\d{1,2}:\d\d:\d\d(?:\s?[AaPp]\.?[Mm]\.?)?`;

/** Seconds of a day. */
export const DAY = 24 * 60 * 60;

/** Converts a time of day to seconds since midnight: 12:00:01 AM is 1. */
export function toSecondsOfDay(clock: string): number {
  const [, time = '', half] = /^(\S*?)\s?([ap])?(?:\.?m\.?)?$/i.exec(clock.trim()) ?? [];
  const seconds = toSeconds(time);
  if (!isPresent(half)) return seconds;
  return (seconds % (DAY / 2)) + (/p/i.test(half) ? DAY / 2 : 0);
}

/** Adds a day to the times after each midnight. Small steps back are words that came late. */
export function addMidnights(clocks: readonly number[]): number[] {
  const addDays = createClock();
  return clocks.map((clock) => addDays(clock));
}

/** Creates a function that adds a day to the times after each midnight, as they come. */
export function createClock(): (clock: number) => number {
  let before: number | undefined;
  let days = 0;
  return (clock) => {
    const step = clock - (before ?? clock);
    if (step < -DAY / 2) days += DAY;
    else if (step > DAY / 2 && days > 0) days -= DAY;
    before = clock;
    return clock + days;
  };
}

/** Returns the local time that is some seconds after the start of a day, without an offset. */
export function localTime(day: string, seconds: number): string {
  const time = new Date(Date.parse(`${day}T00:00:00Z`) + seconds * 1000);
  return time.toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
}

/** Writes a date as `2026-09-14`. Returns `undefined` if there is no such day. */
export function toDate(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.toISOString().slice(0, 'YYYY-MM-DD'.length) : undefined;
}

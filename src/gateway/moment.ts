// A moment of the contract → milliseconds since 1970: an instant by its own offset, a date by a zone.

import type { Temporal } from 'temporal-polyfill';

import { andThen, type Awaitable } from '../contract/awaitable.ts';

/** As much of Temporal as a date needs. */
export type Calendar = Pick<typeof Temporal, 'PlainDate' | 'PlainDateTime'>;

/**
 * Tells the milliseconds since 1970 of a checked `Moment`: a date is the start of that day in the
 * zone, an IANA name; an instant has no use for it, and what is finer than a millisecond is cut.
 * Waits for a date in a named zone only, and only where the runtime has no Temporal.
 */
export function toMilliseconds(moment: string, timezone = 'UTC'): Awaitable<number> {
  if (moment.length > 'YYYY-MM-DD'.length) return instant(moment);
  if (timezone.toUpperCase() === 'UTC') return Date.parse(moment);
  return andThen(calendar(), (found) => startOfDay(found, moment, timezone));
}

/**
 * Makes a reader of times without an offset, by the clocks of a zone: of one that comes twice the
 * first, and of one that does not exist what it would be by the clocks before.
 */
export function localReader(timezone: string): Awaitable<(local: string) => number> {
  if (timezone.toUpperCase() === 'UTC') return (local) => Date.parse(`${local}Z`);
  return andThen(
    calendar(),
    ({ PlainDateTime }) =>
      (local) =>
        PlainDateTime.from(local).toZonedDateTime(timezone).epochMilliseconds,
  );
}

/** Node 26 has Temporal; before it a library has, loaded here so that nobody else waits for it. */
function calendar(): Awaitable<Calendar> {
  const { Temporal: own } = globalThis as { readonly Temporal?: Calendar };
  return own ?? import('temporal-polyfill').then((library) => library.Temporal);
}

/**
 * Tells when a day starts in a zone: at its first midnight where it has two, and at the first
 * instant after it where it has none, even where that is of the next day as the whole day is skipped.
 */
export function startOfDay({ PlainDate }: Calendar, date: string, timezone: string): number {
  return PlainDate.from(date).toZonedDateTime(timezone).epochMilliseconds;
}

/** Brings an instant into the one format that ECMA-262 says how to read: upper case, three decimals. */
function instant(moment: string): number {
  const [, seconds, fraction = '', offset] =
    /^(.{19})(?:\.(\d+))?(.+)$/.exec(moment.toUpperCase()) ?? [];
  return Date.parse(`${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`);
}

// A moment of the contract → milliseconds since 1970: an instant by its own offset, a date by a zone.

import type { Temporal } from 'temporal-polyfill';

import type { Awaitable } from '../contract/awaitable.ts';

/** As much of Temporal as a date needs. */
export type Calendar = Pick<typeof Temporal, 'PlainDate'>;

/**
 * Tells the milliseconds since 1970 of a checked `Moment`: a date is the start of that day in the
 * zone, an IANA name; an instant has no use for it, and what is finer than a millisecond is cut.
 * Waits for a date in a named zone only, and only where the runtime has no Temporal.
 */
export function toMilliseconds(moment: string, timezone = 'UTC'): Awaitable<number> {
  if (moment.length > 'YYYY-MM-DD'.length) return instant(moment);
  if (timezone.toUpperCase() === 'UTC') return Date.parse(moment);
  const { Temporal: own } = globalThis as { readonly Temporal?: Calendar };
  if (own) return startOfDay(own, moment, timezone);
  // Node 26 has Temporal; before it a library has, loaded here so that nobody else waits for it.
  return import('temporal-polyfill').then((library) =>
    startOfDay(library.Temporal, moment, timezone),
  );
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

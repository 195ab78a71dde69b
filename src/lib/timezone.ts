// Time zones: converts an instant, a date or a local time to milliseconds since 1970.

import type { Temporal } from 'temporal-polyfill';

import { andThen, type Awaitable } from './async.ts';

/** The part of Temporal that is used. */
export type Calendar = Pick<typeof Temporal, 'Instant' | 'PlainDate' | 'PlainDateTime'>;

/**
 * Converts a valid `Moment` to milliseconds since 1970. A date is the start of that day in the time zone,
 * an IANA name. An instant ignores the time zone, and finer fractions than milliseconds are cut. Returns a
 * promise only for a date in another zone than UTC, and only if the runtime has no Temporal.
 */
export function toMilliseconds(moment: string, timezone = 'UTC'): Awaitable<number> {
  if (moment.length > 'YYYY-MM-DD'.length) return instantOf(moment);
  if (timezone.toUpperCase() === 'UTC') return Date.parse(moment);
  return andThen(calendar(), (found) => startOfDay(found, moment, timezone));
}

/** The bounds of a part of time: the first is in it, the second is not. */
export interface TimeBounds<T> {
  readonly started_after?: T | undefined;
  readonly started_before?: T | undefined;
}

/** Converts the bounds that are given to milliseconds, as `toMilliseconds` does. */
export function toMillisecondBounds(
  { started_after, started_before }: TimeBounds<string>,
  timezone?: string,
): Awaitable<Required<TimeBounds<number>>> {
  const convert = (moment: string | undefined) =>
    moment === undefined ? undefined : toMilliseconds(moment, timezone);
  return andThen(convert(started_after), (after) =>
    andThen(convert(started_before), (before) => ({
      started_after: after,
      started_before: before,
    })),
  );
}

/**
 * Creates a reader of local times in a time zone. Ambiguous times resolve to the earlier instant. Skipped
 * times are read with the offset before the gap.
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

/** A part of time, in milliseconds since 1970: from `from` to before `before`. */
export interface TimeSpan {
  readonly from: number;
  readonly before: number;
}

/** A part of time in which a zone has one offset from UTC, in milliseconds. */
export interface OffsetSpan extends TimeSpan {
  readonly offset: number;
}

/** Creates a function that returns the day of an instant in a time zone, such as `2026-11-18`. */
export function dayReader(timezone: string): Awaitable<(instant: string) => string> {
  if (timezone.toUpperCase() === 'UTC')
    return (instant) => new Date(instant).toISOString().slice(0, -'T00:00:00.000Z'.length);
  return andThen(
    calendar(),
    ({ Instant }) =>
      (instant) =>
        Instant.from(instant).toZonedDateTimeISO(timezone).toPlainDate().toString(),
  );
}

/** Divides a part of time where the clocks of a time zone change. Returns a promise only if the runtime has no Temporal. */
export function offsetSpans(timezone: string, part: TimeSpan): Awaitable<OffsetSpan[]> {
  if (timezone.toUpperCase() === 'UTC') return [{ ...part, offset: 0 }];
  return andThen(calendar(), ({ Instant }) => {
    const spans: OffsetSpan[] = [];
    let from = Instant.fromEpochMilliseconds(part.from).toZonedDateTimeISO(timezone);
    for (;;) {
      const next = from.getTimeZoneTransition('next');
      const before = Math.min(next?.epochMilliseconds ?? Infinity, part.before);
      const offset = from.offsetNanoseconds / 1e6;
      spans.push({ from: from.epochMilliseconds, before, offset });
      if (next === null || before === part.before) return spans;
      from = next;
    }
  });
}

/** Returns Node 26's own Temporal, or else imports a library, which only these callers wait for. */
function calendar(): Awaitable<Calendar> {
  const { Temporal: own } = globalThis as { readonly Temporal?: Calendar };
  return own ?? import('temporal-polyfill').then((library) => library.Temporal);
}

/**
 * Returns when a day starts in a time zone. If it has two midnights, that is the first. If it has none,
 * that is the first instant after the gap, even if the zone skips the whole day.
 */
export function startOfDay({ PlainDate }: Calendar, date: string, timezone: string): number {
  return PlainDate.from(date).toZonedDateTime(timezone).epochMilliseconds;
}

/** Parses an instant by way of the one format that ECMA-262 defines: upper case, three decimals. */
function instantOf(moment: string): number {
  const [, seconds, fraction = '', offset] =
    /^(.{19})(?:\.(\d+))?(.+)$/.exec(moment.toUpperCase()) ?? [];
  return Date.parse(`${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`);
}

// Lengths of time in milliseconds, the last moment that a Date can have, and the system's clock.

/** A minute, in milliseconds. */
export const MINUTE_MS = 60_000;

/** A day of 24 hours, in milliseconds. */
export const DAY_MS = 86_400_000;

/** A week, in milliseconds. */
export const WEEK_MS = 7 * DAY_MS;

/** The last moment of a Date, in milliseconds since 1970. */
export const LAST_MOMENT = 8.64e15;

/** Returns the system's time, in milliseconds since 1970. People and programs can set it. */
export function systemTime(): number {
  return Date.now();
}

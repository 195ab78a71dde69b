// Lengths of time in milliseconds, the last moment that a Date can have, the system's clock, and times as the API formats them.

/** A minute, in milliseconds. */
export const MINUTE_MS = 60_000;

/** A day of 24 hours, in milliseconds. */
export const DAY_MS = 86_400_000;

/** A week, in milliseconds. */
export const WEEK_MS = 7 * DAY_MS;

/** The start of the last day that four digits of a year can name. A key that expires lives no longer. */
export const LAST_DAY = Date.UTC(9999, 11, 31);

/** The last moment of a Date, in milliseconds since 1970. */
export const LAST_MOMENT = 8.64e15;

/** Returns the system's time, in milliseconds since 1970. People and programs can set it. */
export function systemTime(): number {
  return Date.now();
}

/** Formats milliseconds since 1970 as the API does. Returns null for null, or for a time that no calendar has. */
export function toIsoTime(time: number | null): string | null {
  const date = new Date(time ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** A stored record as JSON has it. */
export type JsonRecord<R> = {
  [N in keyof R]: N extends `${string}_${'at' | 'after' | 'before'}`
    ? string | Extract<R[N], null>
    : R[N];
};

/** Returns a record for JSON, with its times as the API formats them: those are called `…_at`, `started_after` or `started_before`. */
export function toJsonRecord<R extends object>(record: R): JsonRecord<R> {
  const entries = Object.entries(record).map(([name, value]) => [
    name,
    /_(?:at|after|before)$/.test(name) ? toIsoTime(value as number | null) : value,
  ]);
  return Object.fromEntries(entries) as JsonRecord<R>;
}

// Plain dates such as `2026-11-18`: arithmetic in UTC, where no clock changes, and when a date begins in a zone.

const HOUR = 3_600_000;

const toDate = (at: Date) => at.toISOString().slice(0, -'T00:00:00.000Z'.length);

/** Whether a text is a date that exists, such as `2026-11-18`. */
export function isDate(text: string): boolean {
  // Some browsers read 30 February as 2 March.
  return /^\d{4}-/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text;
}

/** Returns the date some days later, or earlier if `days` is negative. Years beyond 9999 have a sign. */
export function addDays(date: string, days: number): string {
  const at = new Date(date);
  at.setUTCDate(at.getUTCDate() + days);
  return toDate(at);
}

/** Returns the same day some months later, or the last day of that month if it is shorter. */
export function addMonths(date: string, months: number): string {
  const at = new Date(date);
  const day = at.getUTCDate();
  at.setUTCMonth(at.getUTCMonth() + months);
  // 31 April is 1 May. The day before the first one of May is the last one of April.
  if (at.getUTCDate() !== day) at.setUTCDate(0);
  return toDate(at);
}

/** Returns the month of a date, such as `2026-11`. */
export function monthOf(date: string): string {
  return date.slice(0, -3);
}

/** Returns the year of a date, such as `2026`. */
export function yearOf(date: string): string {
  return date.slice(0, -6);
}

/** Returns the bounds of the days from the first to the last, as dates for the API. If one is empty, there is no such bound. */
export function dayBounds(first: string, last: string) {
  // No memory starts after the year 9999.
  const end = last === '' ? '' : addDays(last, 1);
  return {
    ...(first !== '' && { started_after: first }),
    ...(isDate(end) && { started_before: end }),
  };
}

/** A day of the week: 1 is Monday, 7 is Sunday. */
type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** Returns on which day weeks start where a language is spoken. */
export function weekStartOf(language: string): Weekday {
  // Firefox does not have it.
  const locale = new Intl.Locale(language) as {
    readonly getWeekInfo?: () => { readonly firstDay: Weekday };
  };
  return locale.getWeekInfo?.().firstDay ?? 1;
}

/** Returns the place of a date in its week, from 0 to 6. */
export function columnOf(date: string, weekStart: number): number {
  return (new Date(date).getUTCDay() - weekStart + 7) % 7;
}

/** Returns the day of an instant in a time zone. */
export type DayOf = (iso: string) => string;

/** Offsets and their changes are multiples of a quarter of an hour, at least since 1972. */
const STEP = HOUR / 4;

/** Returns instants from before a date begins anywhere until after it has ended everywhere, each a quarter of an hour after the one before. */
export function instantsAround(date: string): string[] {
  const start = Date.parse(date) - 15 * HOUR;
  return Array.from({ length: (54 * HOUR) / STEP }, (_, count) =>
    new Date(start + count * STEP).toISOString(),
  );
}

/** Returns the instant at which a date begins in a time zone, or the next one if the zone skips it. */
export function startOfDate(date: string, dayOf: DayOf): string {
  return instantsAround(date).find((iso) => dayOf(iso) >= date) ?? `${date}T00:00:00.000Z`;
}

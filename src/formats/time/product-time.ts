// Parses times as products write them: ISO 8601, JavaScript dates, seconds or milliseconds since 1970.

/** A time in a product's notation: text with or without an offset, a number, or missing. */
export type MaybeTime = string | number | null | undefined;

/** Returns whether a time is there. It can still be unreadable. */
export function hasTime(time: MaybeTime): time is string | number {
  return time !== undefined && time !== null && time !== '';
}

/** Converts a time without an offset, as in `2026-11-18T09:30:00.000`, to milliseconds since 1970. */
export type ReadLocal = (local: string) => number;

const ISO =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?)? ?(Z|UTC|[+-]\d\d:?\d\d|[+-]\d\d)?$/i;

/** `Wed Nov 18 2026 10:30:00 GMT+0100 (…)` or `Wed, 18 Nov 2026 09:30:00 GMT`. */
const JAVASCRIPT_DATE =
  /^(?:[A-Z][a-z]{2},? )?(?:(\d\d?) ([A-Z][a-z]{2})|([A-Z][a-z]{2}) (\d\d?)) (\d{4}) (\d\d:\d\d:\d\d) GMT([+-]\d\d:?\d\d)?(?: \(.*\))?$/;
/** The first letters of the English months. */
export const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** The limit between seconds and milliseconds: the year 5138 in seconds, March 1973 in milliseconds. */
const SECONDS_END = 1e11;

/** Parses a time to milliseconds since 1970. Returns `undefined` if it is not a time. */
export function readProductTime(time: MaybeTime, local: ReadLocal): number | undefined {
  if (typeof time === 'string' && /^\d{9,14}(?:\.\d+)?$/.test(time.trim()))
    return readCount(Number(time));
  if (typeof time === 'number') return readCount(time);
  return typeof time === 'string' ? readIso(toIso(time.trim()), local) : undefined;
}

/** Reads times without an offset as UTC. */
export const readAsUtc: ReadLocal = (plain) => Date.parse(`${plain}Z`);

/** Reads a time as UTC, for products that document this. Returns a time that it cannot parse unchanged. */
export function asUtc(time: MaybeTime): MaybeTime {
  return readProductTime(time, readAsUtc) ?? time;
}

/** Converts the results of `String(date)` and `date.toUTCString()` to ISO 8601. Returns other texts unchanged. */
function toIso(text: string): string {
  const [, day, month, monthFirst, dayAfter, year, time, offset = 'Z'] =
    JAVASCRIPT_DATE.exec(text) ?? [];
  const number = MONTHS.indexOf((month ?? monthFirst ?? '').toLowerCase()) + 1;
  if (number === 0) return text;
  return `${year}-${pad(number)}-${pad(day ?? dayAfter)}T${time}${offset}`;
}

function pad(number: number | string | undefined): string {
  return String(number).padStart(2, '0');
}

/** Returns the earliest and the latest time, in their own notation. Ignores times that it cannot parse. */
export function timeSpan(times: Iterable<MaybeTime>): { first: MaybeTime; last: MaybeTime } {
  let first: Instant | undefined;
  let last: Instant | undefined;
  for (const time of times) {
    const at = toInstant(time);
    if (at === undefined) continue;
    if (first === undefined || at < first.at) first = { time, at };
    if (last === undefined || at > last.at) last = { time, at };
  }
  return { first: first?.time, last: last?.time };
}

interface Instant {
  readonly time: MaybeTime;
  readonly at: number;
}

/** Parses a time to milliseconds, to compare it with others of the same recording. */
export function toInstant(time: MaybeTime): number | undefined {
  return readProductTime(time, readAsUtc);
}

/** Returns the seconds from one time to another. Both are of one recording and in one notation. */
export function secondsBetween(from: MaybeTime, to: MaybeTime): number | undefined {
  const [start, end] = [toInstant(from), toInstant(to)];
  return start === undefined || end === undefined ? undefined : (end - start) / 1000;
}

/** Sorts items by time if each of them has one. Otherwise leaves them in their order. */
export function sortByTime<T>(items: readonly T[], timeOf: (item: T) => MaybeTime): T[] {
  const timed = items.map((item) => ({ item, at: toInstant(timeOf(item)) ?? NaN }));
  if (timed.some(({ at }) => Number.isNaN(at))) return [...items];
  return timed.toSorted((a, b) => a.at - b.at).map(({ item }) => item);
}

function readCount(count: number): number | undefined {
  const ms = Math.round(Math.abs(count) < SECONDS_END ? count * 1000 : count);
  return inRange(ms);
}

function readIso(text: string, local: ReadLocal): number | undefined {
  const [, date, minutes = '00:00', seconds = '00', fraction = '', offset] = ISO.exec(text) ?? [];
  if (date === undefined || !isReal(date)) return undefined;
  const plain = `${date}T${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  if (Number.isNaN(readAsUtc(plain))) return undefined;
  return inRange(offset === undefined ? local(plain) : Date.parse(plain + readOffset(offset)));
}

function readOffset(offset: string): string {
  if (/^(Z|UTC)$/i.test(offset)) return 'Z';
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
  return `${offset.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** Whether a date exists. Date.parse reads 30 February as 2 March. */
function isReal(date: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

function inRange(ms: number): number | undefined {
  return Number.isFinite(ms) && ms >= FIRST && ms <= LAST ? ms : undefined;
}

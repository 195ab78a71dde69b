// Times as products write them: ISO 8601, JavaScript's text, or a count since 1970.

/** A time as it was found: with an offset, without one, as a number, or missing. */
export type MaybeTime = string | number | null | undefined;

/** Reads a time that has no offset, `2026-11-18T09:30:00.000`, as milliseconds since 1970. */
export type ReadLocal = (local: string) => number;

const ISO =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?)? ?(Z|UTC|[+-]\d\d:?\d\d|[+-]\d\d)?$/i;

/** `Wed Nov 18 2026 10:30:00 GMT+0100 (…)` or `Wed, 18 Nov 2026 09:30:00 GMT`. */
const SPOKEN =
  /^(?:[A-Z][a-z]{2},? )?(?:(\d\d?) ([A-Z][a-z]{2})|([A-Z][a-z]{2}) (\d\d?)) (\d{4}) (\d\d:\d\d:\d\d) GMT([+-]\d\d:?\d\d)?(?: \(.*\))?$/;
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Seconds of the year 5138, or milliseconds of March 1973: no recording is as old, nor as young. */
const SECONDS_END = 1e11;

/** Reads a time as milliseconds since 1970; undefined where it is none. */
export function readTime(time: MaybeTime, local: ReadLocal): number | undefined {
  if (typeof time === 'string' && /^\d{9,14}(?:\.\d+)?$/.test(time.trim()))
    return readCount(Number(time));
  if (typeof time === 'number') return readCount(time);
  return typeof time === 'string' ? readIso(toIso(time.trim()), local) : undefined;
}

/** Reads a time without an offset as UTC. */
export const utc: ReadLocal = (plain) => Date.parse(`${plain}Z`);

/** Takes a time without an offset for UTC, as of a product that says so; one that cannot be read stays. */
export function inUtc(time: MaybeTime): MaybeTime {
  return readTime(time, utc) ?? time;
}

/** Puts what `String(date)` and `date.toUTCString()` give into ISO 8601; all else stays. */
function toIso(text: string): string {
  const [, day, month, monthFirst, dayAfter, year, time, offset = 'Z'] = SPOKEN.exec(text) ?? [];
  const number = MONTHS.indexOf(month ?? monthFirst ?? '') + 1;
  if (number === 0) return text;
  return `${year}-${pad(number)}-${pad(day ?? dayAfter)}T${time}${offset}`;
}

function pad(number: number | string | undefined): string {
  return String(number).padStart(2, '0');
}

/** Finds the first and the last of times, as they were found; those that cannot be read are left out. */
export function spanOf(times: Iterable<MaybeTime>): { first: MaybeTime; last: MaybeTime } {
  let first: Instant | undefined;
  let last: Instant | undefined;
  for (const time of times) {
    const at = instantOf(time);
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

/** Reads a time of a recording as milliseconds, to tell which of its times is the earlier one. */
export function instantOf(time: MaybeTime): number | undefined {
  return readTime(time, utc);
}

function readCount(count: number): number | undefined {
  const ms = Math.round(Math.abs(count) < SECONDS_END ? count * 1000 : count);
  return inRange(ms);
}

function readIso(text: string, local: ReadLocal): number | undefined {
  const [, date, minutes = '00:00', seconds = '00', fraction = '', offset] = ISO.exec(text) ?? [];
  if (date === undefined || !isReal(date)) return undefined;
  const plain = `${date}T${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  if (Number.isNaN(utc(plain))) return undefined;
  return inRange(offset === undefined ? local(plain) : Date.parse(plain + readOffset(offset)));
}

function readOffset(offset: string): string {
  if (/^(Z|UTC)$/i.test(offset)) return 'Z';
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
  return `${offset.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** Date.parse takes 30 February for 2 March. */
function isReal(date: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

function inRange(ms: number): number | undefined {
  return Number.isFinite(ms) && ms >= FIRST && ms <= LAST ? ms : undefined;
}

// Reads the values of options: ports, origins, base addresses, spans and times.

import { Mistake } from './args.ts';
import type { OptionName } from './options.ts';

/** Reads origins with commas between. */
export function readOrigins(text: string | undefined): string[] {
  const origins = text?.split(',') ?? [];
  const wrong = origins.find((origin) => URL.parse(origin)?.origin !== origin);
  if (wrong === undefined) return origins;
  throw new Mistake(`--allow-origin takes origins such as https://a.example, not "${wrong}".`);
}

// RFC 3986 §3.3, without dot segments and empty ones, which libraries fold away.
const SEGMENT = String.raw`\/(?!(?:\.|%2e){1,2}(?:\/|$))(?:[\w.~!$&'()*+,;=:@-]|%[\da-f]{2})+`;
const ADDRESS = String.raw`https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?`;
const BASE_URL = new RegExp(`^(${ADDRESS})?(?:${SEGMENT})*$`, 'i');

/** Reads what stands in front of /v1: nothing, a path or an address; gives it without a slash at the end. */
export function readBaseUrl(text = ''): string {
  const base = text.endsWith('/') ? text.slice(0, -1) : text;
  const [, address] = BASE_URL.exec(base) ?? ['', ''];
  if (address === undefined || URL.canParse(address)) return base;
  // What was given is not said again: there may be a password in it.
  throw new Mistake(
    '--base-url takes a path such as /memories or an address such as https://a.example/memories, and nothing behind it.',
  );
}

/** Reads a port number. */
export function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Mistake(`--port takes a number from 0 to 65535, not "${text}".`);
}

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Reads a span such as `24h` as milliseconds. */
export function readSpan(option: OptionName, text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const factor = UNITS[unit];
  if (factor !== undefined) return Number(amount) * factor;
  throw new Mistake(`--${option} takes a number with s, m, h, d or w, such as 24h, not "${text}".`);
}

const YEAR_9999 = Date.UTC(9999, 11, 31);

/** Reads a span from `now`, or a date, as milliseconds since 1970. */
export function readTime(option: OptionName, text: string, now: number): number {
  const time = /^\d{4}-/.test(text) ? readDate(option, text) : now + readSpan(option, text);
  if (time > now && time <= YEAR_9999) return time;
  throw new Mistake(`--${option} takes a time to come, before the year 10000, not "${text}".`);
}

function readDate(option: OptionName, text: string): number {
  const time = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse takes 2027-02-30 for a day in March.
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 10));
  if (isReal) return time;
  throw new Mistake(`--${option} takes a date that exists, such as 2027-01-31, not "${text}".`);
}

// Reads the values of options: origins, addresses, ports, sizes, workers, throttling and its proxies, spans and times.

import { isIPv6 } from 'node:net';

import { isProxy, PROXY } from '../gateway/address.ts';
import { BASE_URL, readBase } from '../gateway/base.ts';
import type { ThrottleOptions } from '../gateway/throttle.ts';
import { Mistake } from './args.ts';
import type { Bind } from './bind.ts';
import type { OptionName } from './options.ts';

/** Reads origins with commas between. */
export function readOrigins(text: string | undefined): string[] {
  const origins = text?.split(',') ?? [];
  const wrong = origins.find((origin) => URL.parse(origin)?.origin !== origin);
  if (wrong === undefined) return origins;
  throw new Mistake(`--allow-origin takes origins such as https://a.example, not "${wrong}".`);
}

/** Reads what stands in front of /v1: nothing, a path or an address. */
export function readBaseUrl(text = ''): string {
  const found = readBase(text);
  // What was given is not said again: there may be a password in it.
  if (found === undefined) throw new Mistake(`--base-url takes ${BASE_URL}.`);
  return found.base;
}

/** Reads a port number. */
export function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Mistake(`--port takes a number from 0 to 65535, not "${text}".`);
}

/** Reads where to listen: `host:port`, `[::1]:port`, or a port alone on this machine itself. */
export function readBind(option: OptionName, text: string): Bind {
  const [, ipv6, name, port = ''] =
    /^(?:(?:\[([\da-f:.]+)\]|([\w.-]*)):)?(\d{1,5})$/i.exec(text) ?? [];
  const host = ipv6 ?? (name || '127.0.0.1');
  if (port !== '' && Number(port) <= 65_535 && (ipv6 === undefined || isIPv6(ipv6)))
    return { host, port: Number(port) };
  throw new Mistake(
    `--${option} takes a host and a port, such as 127.0.0.1:9464, [::1]:9464 or 9464, not "${text}".`,
  );
}

const SIZES: Readonly<Record<string, number>> = { kB: 1e3, MB: 1e6, GB: 1e9 };

/** Reads a size such as `64MB` as bytes. */
export function readSize(option: OptionName, text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,6})(kB|MB|GB)$/.exec(text) ?? [];
  const factor = SIZES[unit];
  if (factor !== undefined) return Number(amount) * factor;
  if (text === '0') return 0;
  throw new Mistake(
    `--${option} takes 0 or a number with kB, MB or GB, such as 64MB, not "${text}".`,
  );
}

/** Reads how many processes serve. */
export function readWorkers(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= 128) return Number(text);
  throw new Mistake(`--workers takes a number from 1 to 128, not "${text}".`);
}

/** Reads how many wrong keys an address may try in a minute, and the proxies that tell whose it is. */
export function readThrottle(text: string, named: string | undefined): ThrottleOptions {
  if (!/^\d{1,6}$/.test(text))
    throw new Mistake(`--throttle takes a number from 0 to 999999, not "${text}".`);
  const proxies = named?.split(',') ?? [];
  const wrong = proxies.find((proxy) => !isProxy(proxy));
  if (wrong !== undefined) throw new Mistake(`--proxy takes ${PROXY}, not "${wrong}".`);
  return { perMinute: Number(text), proxies };
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

/** Reads how long running answers may take to end. */
export function readGrace(text = '10s'): number {
  const ms = readSpan('grace', text);
  if (ms <= 86_400_000) return ms;
  throw new Mistake(`--grace takes a span of up to 24h for serve, not "${text}".`);
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

// Reads the values of options: origins, addresses, ports, sizes, counts, durations and times.

import { isIPv6 } from 'node:net';
import { totalmem } from 'node:os';
import { isAbsolute } from 'node:path';

import * as v from 'valibot';

import { TimeZone } from '../../contract/schemas/moment.ts';
import { BASE_URL, readBase } from '../../gateway/request/base-url.ts';
import { isProxy, PROXY } from '../../gateway/request/client-ip.ts';
import type { ThrottleOptions } from '../../gateway/request/throttle.ts';
import type { Limits } from '../../gateway/server/limits.ts';
import { LAST_DAY } from '../../lib/time.ts';
import type { ListenAddress } from '../serve/listen/socket.ts';
import { unixPathOf } from '../serve/listen/unix-socket.ts';
import type { Args } from './args.ts';
import type { OptionName } from './options/options.ts';
import type { LimitOptionName } from './options/serve-options.ts';
import { UsageError } from './parse.ts';

/** Reads the text of an option that takes one of some words. Throws `UsageError`. */
export function readWord<const Word extends string>(
  option: OptionName,
  text: string,
  words: readonly Word[],
): Word {
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  const listed = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
  throw new UsageError(`--${option} takes ${listed}, not "${text}".`);
}

/** Reads the time zone of `--timezone`. Default: UTC. Throws `UsageError`. */
export function readTimezone(text = 'UTC'): string {
  if (v.safeParse(TimeZone, text).success) return text;
  throw new UsageError(`--timezone takes ${v.getDescription(TimeZone)}, not "${text}".`);
}

/** Reads web origins, separated by commas. Throws `UsageError`. */
export function readOrigins(text: string | undefined): string[] {
  const origins = text?.split(',') ?? [];
  const wrong = origins.find((origin) => URL.parse(origin)?.origin !== origin);
  if (wrong === undefined) return origins;
  throw new UsageError(`--allow-origin takes origins such as https://a.example, not "${wrong}".`);
}

/** Reads the base URL in front of /v1: empty, a path or a URL. Throws `UsageError`. */
export function readBaseUrl(text = ''): string {
  const found = readBase(text);
  // The message leaves out the value, which may contain a password.
  if (found === undefined) throw new UsageError(`--base-url takes ${BASE_URL}.`);
  return found.base;
}

/** The longest path that the system takes for a socket: 107 bytes on Linux, 103 on macOS. */
const MAX_SOCKET_PATH_BYTES = 103;

/** Reads a host: a name, an address, or `unix:` and an absolute path. Throws `UsageError`. */
export function readHost(text: string): string {
  const path = unixPathOf(text);
  if (path === undefined) return text;
  if (isAbsolute(path) && Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return text;
  throw new UsageError(
    `--host takes an absolute path of up to ${MAX_SOCKET_PATH_BYTES} bytes after unix:, not "${path}".`,
  );
}

/** Reads a whole number within bounds. Throws `UsageError`. */
export function readNumber(
  option: OptionName,
  text: string,
  [least, most]: readonly [number, number],
): number {
  const number = Number(text);
  if (/^\d{1,7}$/.test(text) && number >= least && number <= most) return number;
  throw new UsageError(`--${option} takes a number from ${least} to ${most}, not "${text}".`);
}

/** Reads a port number. Throws `UsageError`. */
export function readPort(text: string): number {
  return readNumber('port', text, [0, 65_535]);
}

/** Reads an address to listen on: `host:port`, `[::1]:port`, or a port of 127.0.0.1. Throws `UsageError`. */
export function readListenAddress(option: OptionName, text: string): ListenAddress {
  const [, ipv6, name, port = ''] =
    /^(?:(?:\[([\da-f:.]+)\]|([\w.-]*)):)?(\d{1,5})$/i.exec(text) ?? [];
  const host = ipv6 ?? (name || '127.0.0.1');
  if (port !== '' && Number(port) <= 65_535 && (ipv6 === undefined || isIPv6(ipv6)))
    return { host, port: Number(port) };
  throw new UsageError(
    `--${option} takes a host and a port, such as 127.0.0.1:9464, [::1]:9464 or 9464, not "${text}".`,
  );
}

const SIZES: Readonly<Record<string, number>> = { kB: 1e3, MB: 1e6, GB: 1e9 };

/** Reads a size such as `64MB`. Returns bytes. Throws `UsageError`. */
export function readSize(option: OptionName, text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,6})(kB|MB|GB)$/.exec(text) ?? [];
  const factor = SIZES[unit];
  if (factor !== undefined) return Number(amount) * factor;
  if (text === '0') return 0;
  throw new UsageError(
    `--${option} takes 0 or a number with kB, MB or GB, such as 64MB, not "${text}".`,
  );
}

/** Reads lines such as `120-160`, `120-` or `120`, counted from 1. Throws `UsageError`. */
export function readLineRanges(text: string): { first: number; last: number | undefined } {
  const [, first = '', hyphen, last = ''] =
    /^([1-9]\d{0,8})(?:(-)([1-9]\d{0,8})?)?$/.exec(text) ?? [];
  const end = hyphen === undefined ? first : last;
  const range = { first: Number(first), last: end === '' ? undefined : Number(end) };
  if (first !== '' && range.first <= (range.last ?? Infinity)) return range;
  throw new UsageError(`--lines takes lines such as 120-160, 120- or 120, not "${text}".`);
}

/** Reads the rate limit of failed keys and the trusted proxies, separated by commas. Throws `UsageError`. */
export function readThrottleOption(text: string, named: string | undefined): ThrottleOptions {
  const perMinute = readNumber('throttle', text, [0, 999_999]);
  const proxies = named?.split(',') ?? [];
  const wrong = proxies.find((proxy) => !isProxy(proxy));
  if (wrong !== undefined) throw new UsageError(`--proxy takes ${PROXY}, not "${wrong}".`);
  return { perMinute, proxies };
}

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Reads a duration such as `24h`, within bounds if there are some. Returns milliseconds. Throws `UsageError`. */
export function readDuration(
  option: OptionName,
  text: string,
  bounds?: readonly [least: string, most: string],
): number {
  const ms = toMs(text);
  if (ms === undefined)
    throw new UsageError(
      `--${option} takes a number with s, m, h, d or w, such as 24h, not "${text}".`,
    );
  const [least = 0, most = Infinity] = bounds?.map(toMs) ?? [];
  if (ms >= least && ms <= most) return ms;
  throw new UsageError(`--${option} takes a duration from ${bounds?.join(' to ')}, not "${text}".`);
}

function toMs(text: string): number | undefined {
  const [, amount = '', unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const factor = UNITS[unit];
  return factor === undefined ? undefined : Number(amount) * factor;
}

/** Reads a date, or a duration from `now` on. Returns milliseconds since 1970. Throws `UsageError`. */
export function readFutureTime(option: OptionName, text: string, now: number): number {
  const isDuration = /^\d+[a-z]/i.test(text);
  const time = isDuration ? now + readDuration(option, text) : readDate(option, text);
  if (time > now && time <= LAST_DAY) return time;
  throw new UsageError(
    `--${option} takes a time in the future, before the year 10000, not "${text}".`,
  );
}

function readDate(option: OptionName, text: string): number {
  const time = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse reads 2027-02-30 as a day in March.
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 10));
  if (isReal) return time;
  throw new UsageError(
    `--${option} takes a duration such as 90d, or a date that exists, such as 2027-01-31, not "${text}".`,
  );
}

/** The limits of connections and requests. */
export interface RequestLimits {
  readonly limits: Limits;
  /** The most characters of a request target. */
  readonly maxTarget: number;
}

/** Reads the limit options. Throws `UsageError`. */
export function readRequestLimits(args: Args): RequestLimits {
  // Anything longer than an hour would not limit anything.
  const ms = (name: LimitOptionName) => readDuration(name, args.need(name), ['1s', '1h']);
  const count = (name: LimitOptionName) => readNumber(name, args.need(name), [1, 9_999_999]);
  const limits = {
    headMs: ms('head-timeout'),
    requestMs: ms('request-timeout'),
    idleMs: ms('idle-timeout'),
    sendMs: ms('send-timeout'),
    headBytes: count('max-head'),
    connections:
      args.text('max-connections') !== undefined
        ? count('max-connections')
        : defaultConnections(availableMemory()),
    requests: count('max-requests'),
  };
  const maxTarget = count('max-target');
  if (limits.requestMs < limits.headMs)
    throw new UsageError(
      '--request-timeout must be at least --head-timeout, because it includes that time.',
    );
  if (maxTarget >= limits.headBytes)
    throw new UsageError('--max-target must be less than --max-head, which includes the target.');
  return { limits, maxTarget };
}

/**
 * Returns the default number of connections of a process. A response of 256 KiB is the longest that is not
 * limited by account. If the system's buffers took nothing of it, all of them would hold a third of the memory.
 */
export function defaultConnections(memoryBytes: number): number {
  return Math.max(Math.min(Math.floor(memoryBytes / 1e6), 10_000), 100);
}

/** Returns the bytes of memory that this process may take: the machine's memory, or the limit of its control group. */
function availableMemory(): number {
  const constrained = process.constrainedMemory(); // 0 or a huge number if there is no limit
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

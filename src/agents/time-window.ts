// Times as agents write them: instants, dates, "today", "yesterday" and spans such as "7d", as a window of instants.

import * as v from 'valibot';

import { Failure } from '../contract/failure.ts';
import { Moment, TimeZone } from '../contract/schemas/moment.ts';
import { andThen, type Awaitable } from '../lib/async.ts';
import { DAY_MS } from '../lib/time.ts';
import { dayReader, localReader, toMilliseconds } from '../lib/timezone.ts';

/** The window of a call as it was understood. Both ends are UTC instants, null without a limit. */
export interface UnderstoodWindow {
  readonly started_after: string | null;
  readonly started_before: string | null;
  readonly timezone: string;
}

/** The times in a tool's input. */
export interface WindowInput {
  readonly started_after?: string | undefined;
  readonly started_before?: string | undefined;
  readonly timezone?: string | undefined;
}

/** When a call is made, and in which zone its dates are. */
export interface TimeContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly timezone: string;
}

const HOUR_MS = DAY_MS / 24;
const UNITS: Readonly<Record<string, number>> = { h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS };
const SPAN = /^(\d{1,5}) ?(h|d|w|hours?|days?|weeks?)(?: ago)?$/;
const LOCAL = /^\d{4}-\d\d-\d\d[t ]\d\d:\d\d(:\d\d)?$/;

/** Days from today. */
const NAMED_DAYS: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };

/** The last moment that the API accepts: years have four digits. */
const LAST = Date.UTC(9999, 11, 31);

/** Returns the window that an input means. Throws a 422 with an example if a time is not understood. */
export async function readWindow(
  { started_after, started_before, timezone: given }: WindowInput,
  context: TimeContext,
): Promise<UnderstoodWindow> {
  const timezone = readTimezone(given) ?? context.timezone;
  const at = { now: context.now, timezone };
  return {
    started_after: await instantOf('started_after', started_after, at),
    started_before: await instantOf('started_before', started_before, at),
    timezone,
  };
}

function readTimezone(given: string | undefined): string | undefined {
  if (given === undefined || v.is(TimeZone, given)) return given;
  throw new Failure(422, `The parameter "timezone" takes ${v.getDescription(TimeZone)}.`);
}

async function instantOf(name: string, text: string | undefined, at: TimeContext) {
  if (text === undefined) return null;
  const time = await readAgentTime(text, at);
  if (time !== undefined) return new Date(time).toISOString();
  throw new Failure(
    422,
    `The parameter "${name}" takes an instant such as 2026-11-21T09:30:00Z, a date such as 2026-11-21, "today", "yesterday", or a time ago such as "24h", "7d" or "2w".`,
  );
}

/** Returns the milliseconds since 1970 that a time means, or undefined if it means none. */
export function readAgentTime(text: string, at: TimeContext): Awaitable<number | undefined> {
  const written = text.trim().toLowerCase();
  const read = readWritten(written, at);
  return andThen(read, (time) =>
    time !== undefined && time >= Date.parse('0000-01-01') && time < LAST ? time : undefined,
  );
}

function readWritten(
  written: string,
  { now, timezone }: TimeContext,
): Awaitable<number | undefined> {
  if (written === 'now') return now;
  const days = Object.hasOwn(NAMED_DAYS, written) ? NAMED_DAYS[written] : undefined;
  if (days !== undefined) return startOfNamedDay(days, { now, timezone });
  const [, count, unit = ''] = SPAN.exec(written) ?? [];
  if (count !== undefined) return now - Number(count) * (UNITS[unit.charAt(0)] ?? 0);
  if (v.safeParse(Moment, written).success) return toMilliseconds(written, timezone);
  const local = written.replace(' ', 't').toUpperCase().padEnd(19, ':00');
  if (!LOCAL.test(written) || !v.safeParse(Moment, `${local}Z`).success) return undefined;
  return andThen(localReader(timezone), (read) => read(local));
}

function startOfNamedDay(days: number, { now, timezone }: TimeContext): Awaitable<number> {
  return andThen(dayReader(timezone), (dayOf) => {
    const today = Date.parse(dayOf(new Date(now).toISOString()));
    const day = new Date(today + days * DAY_MS).toISOString().slice(0, 10);
    return toMilliseconds(day, timezone);
  });
}

/** Creates a function that formats an instant as people in a zone read it: `Wed 2026-11-18 18:42`. */
export function createLocalTime(timezone: string): (instant: string) => string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: timezone,
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (instant) => {
    const parts = new Map(
      format.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]),
    );
    const [weekday, year, month, day, hour, minute] = [
      'weekday',
      'year',
      'month',
      'day',
      'hour',
      'minute',
    ].map((type) => parts.get(type as Intl.DateTimeFormatPartTypes));
    return `${weekday} ${year}-${month}-${day} ${hour}:${minute}`;
  };
}

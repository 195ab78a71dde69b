// Dates a recording by times of day, as Zoom and people write them, and by the day that its folder or its file has.

import type { FileInfo } from '../../format.ts';
import { hasTime, readAsUtc, readProductTime } from '../../time/product-time.ts';
import { toSeconds } from '../../time/timestamp.ts';
import { addMidnights, DAY, localTime } from './clock.ts';
import type { DatesOrReason, RecordingFacts } from './dialect.ts';

const LOCAL = /^(?<day>\d{4}-\d\d-\d\d)(?:[T ](?<clock>\d\d:\d\d(?::\d\d)?)(?:\.\d+)?)?$/;

const NO_DATE =
  'it has times of day but no date; import it in its folder, whose name has the date, or give --started-at';

/** Dates a recording by times of day. A meeting can go past midnight. */
export function dateByClock(
  clocks: readonly number[],
  { started_at: inFolder }: RecordingFacts,
  about: FileInfo,
): DatesOrReason {
  const { started_at, dated_by } = about;
  const start = (dated_by === 'caller' ? undefined : inFolder) ?? (dated_by && started_at);
  const seconds = addMidnights(clocks);
  const [first = 0] = seconds;
  const last = seconds.reduce((most, each) => Math.max(most, each), first);
  if (!hasTime(start)) return dateByFile(first, last, about);
  const { day, clock } = LOCAL.exec(String(start))?.groups ?? {};
  if (day === undefined) return { started_at: start, duration_seconds: last - first, zero: first };
  const begin = clock === undefined ? undefined : toSeconds(clock.padEnd('HH:MM:SS'.length, ':00'));
  if (isElapsed(first, begin, about)) return { started_at: start, duration_seconds: last };
  // The first words are said on the day of the start, or after the midnight that follows it.
  const shift = begin !== undefined && begin - first > DAY / 2 ? DAY : 0;
  const zero = Math.min(begin ?? first, first + shift);
  return {
    started_at: localTime(day, zero),
    zero: zero - shift,
    ended_at: localTime(day, Math.max(begin ?? first, last + shift)),
  };
}

const HOUR = 60 * 60;

/** What the program saves during a meeting has times of day. The chat of a recording can count from its start. */
const SAVED = /(?:meeting_saved|caption)[^/]*$/i;

/**
 * Whether times count from the start of a meeting. As times of day, they would be before it, or long
 * after it.
 */
function isElapsed(first: number, begin: number | undefined, { name }: FileInfo): boolean {
  const isSaved = SAVED.test(name);
  if (begin === undefined) return !isSaved && first < HOUR;
  const wait = (first - begin + DAY) % DAY;
  const isBefore = DAY - wait < HOUR;
  return first < 6 * HOUR && !isBefore && wait > (isSaved ? 3 * HOUR : Math.max(first, HOUR / 60));
}

/**
 * Dates a recording by the last change of its file, which the program writes at the end: the last time
 * before it that clocks showed the last time of the recording.
 */
function dateByFile(
  first: number,
  last: number,
  { name, started_at, local = readAsUtc }: FileInfo,
): DatesOrReason {
  const written = readProductTime(started_at, local);
  if (written === undefined) return { reason: NO_DATE };
  if (!SAVED.test(name) && first < HOUR) return { started_at, duration_seconds: last };
  // The local day is at most one day off.
  for (const days of [1, 0, -1, -2]) {
    const day = new Date(written + days * DAY * 1000).toISOString().slice(0, 'YYYY-MM-DD'.length);
    const ended_at = localTime(day, last % DAY);
    if (local(ended_at) > written + MINUTE) continue;
    return {
      started_at: localTime(day, (last % DAY) - (last - first)),
      ended_at,
      is_dated_by_file: true,
      zero: first,
    };
  }
  return { reason: NO_DATE };
}

/** Clocks of file systems and of programs differ a little. */
const MINUTE = 60 * 1000;

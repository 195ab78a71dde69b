// Dates what Zoom saves on a computer: times of day, in a folder with the day and the title of the meeting.

import type { FileInfo } from '../format.ts';
import { toFileId } from '../id.ts';
import { hasTime } from '../time.ts';
import { toSeconds } from '../timestamp.ts';
import { addDays, DAY, localTime } from './clock.ts';
import type { DatesOrReason, Facts } from './dialect.ts';

/** `2026-09-14 13.36.31 Weekly meeting`, in the time zone of the computer. Older folders end with the number of the meeting. */
const FOLDER =
  /^(?<day>\d{4}-\d\d-\d\d) (?<hour>\d\d)\.(?<minute>\d\d)\.(?<second>\d\d)(?: (?<title>.*?))?(?: \d{9,11})?$/u;

const LOCAL = /^(?<day>\d{4}-\d\d-\d\d)(?:[T ](?<clock>\d\d:\d\d(?::\d\d)?)(?:\.\d+)?)?$/;

const NO_DATE =
  'it has times of day but no date; import it in its folder, whose name has the date, or give --started-at';

/** Reads the id and the name of a meeting from the folder that a file is in. */
export function readFolder({ name, fullName = name }: FileInfo): Facts {
  const [folder = '', file = ''] = fullName.split('/').slice(-2);
  const found = FOLDER.exec(folder)?.groups;
  if (found === undefined) return {};
  const { day, hour, minute, second, title } = found;
  return {
    // The same file has the same id, whichever folder the import starts from.
    id: toFileId(`${folder}/${file}`),
    name: title?.trim() || folder,
    started_at: `${day}T${hour}:${minute}:${second}`,
  };
}

/** Dates a recording by times of day. A meeting can go past midnight. */
export function dateByClock(
  clocks: readonly number[],
  { started_at: inFolder }: Facts,
  { started_at, dated_by }: FileInfo,
): DatesOrReason {
  const start = (dated_by === 'caller' ? undefined : inFolder) ?? (dated_by && started_at);
  if (!hasTime(start)) return { reason: NO_DATE };
  const seconds = addDays(clocks);
  const [first = 0] = seconds;
  const last = seconds.reduce((most, each) => Math.max(most, each), first);
  const { day, clock } = LOCAL.exec(String(start))?.groups ?? {};
  if (day === undefined) return { started_at: start, duration_seconds: last - first };
  const begin = clock === undefined ? first : toSeconds(clock.padEnd('HH:MM:SS'.length, ':00'));
  // The first words are said on the day of the start, or after the midnight that follows it.
  const shift = begin - first > DAY / 2 ? DAY : 0;
  return {
    started_at: localTime(day, Math.min(begin, first + shift)),
    ended_at: localTime(day, Math.max(begin, last + shift)),
  };
}

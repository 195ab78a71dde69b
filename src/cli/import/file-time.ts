// Finds the start time of a recording in its file name, as recorders and people write it.

import { readProductTime } from '../../formats/time/product-time.ts';
import { withoutConflict } from './conflict-copy.ts';

const AM_PM = String.raw`[\s_]?[ap]m(?![\da-z])`;

// 2026-11-18 or 20261118, then optionally 09-00, 09.00.00, 0900, T09:00:00+01:00 or " at 9.00.00 PM".
const STAMP = new RegExp(
  String.raw`(?<gmt>GMT)?(?<!\d)(?<year>(?:19|20)\d\d)(?<between>[-._]?)(?<month>\d\d)\k<between>(?<day>\d\d)` +
    // An hour of one digit must be followed by minutes or AM/PM; otherwise it may belong to the date.
    String.raw`(?:(?<mark>[T_ -]|, | at )?(?<hour>\d\d|(?<![\d-])\d(?=[-:._h]\d\d|${AM_PM}))` +
    String.raw`(?:[-:._h]?(?<minute>\d\d)(?:[-:._]?(?<second>\d\d)(?:[.,]\d+)?)?|(?=${AM_PM}))` +
    String.raw`(?:[\s_]?(?<half>[ap])m| ?(?<offset>Z|UTC|[+-]\d\d:\d\d|[+-](?:0\d|1[0-4])(?:00|15|30|45)))?` +
    // Not the size of a picture, 1200x800.
    String.raw`(?![-:._]?\d\d(?!\d)|[\da-z]|${AM_PM}))?(?!\d)`,
  'gi',
);

type Stamp = Readonly<Record<string, string | undefined>>;

/**
 * Finds the time in the name of a file, or in the names of the folders above it. The result has an
 * offset if the name has one or begins with Zoom's `GMT`; otherwise it is a local time.
 */
export function timeInName(name: string): string | undefined {
  for (const part of withoutConflict(name).split('/').toReversed())
    for (const { groups = {} } of part.matchAll(STAMP)) {
      const date = `${groups['year']}-${groups['month']}-${groups['day']}`;
      const real = [`${date}T${clockOf(groups)}${offsetOf(groups)}`, date].find(
        (text) => readProductTime(text, () => 0) !== undefined,
      );
      if (real) return real;
    }
  return undefined;
}

/** Returns the time of day in 24 hours: 2 PM is 14:00, 12 AM is 00:00. */
function clockOf({ hour, minute = '00', second = '00', half }: Stamp): string {
  const hours =
    half && Number(hour) <= 12 ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : hour;
  return `${String(hours).padStart(2, '0')}:${minute}:${second}`;
}

/** Returns the offset from UTC. In `0900-1030` the second time is the end and not an offset, unless ISO 8601's `T` is there. */
function offsetOf({ gmt, mark, second, offset }: Stamp): string {
  const isEnd = offset?.startsWith('-') && second === undefined && mark?.toUpperCase() !== 'T';
  return (!isEnd && offset) || (gmt ? 'Z' : '');
}

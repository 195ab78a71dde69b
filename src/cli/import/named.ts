// The time in a file's name: what recorders write there, and people.

import { readTime } from '../../formats/time.ts';

const HALF = String.raw`[\s_]?[ap]m(?![\da-z])`;

// 2026-11-18, 20261118; and behind it 09-00, 09.00.00, 0900, T09:00:00+01:00, or " at 9.00.00 PM".
const STAMP = new RegExp(
  String.raw`(?<gmt>GMT)?(?<!\d)(?<year>(?:19|20)\d\d)(?<between>[-._]?)(?<month>\d\d)\k<between>(?<day>\d\d)` +
    // An hour of one digit has a minute or half a day behind it, and is not one more number of a date.
    String.raw`(?:(?<mark>[T_ -]|, | at )?(?<hour>\d\d|(?<![\d-])\d(?=[-:._h]\d\d|${HALF}))` +
    String.raw`(?:[-:._h]?(?<minute>\d\d)(?:[-:._]?(?<second>\d\d)(?:[.,]\d+)?)?|(?=${HALF}))` +
    String.raw`(?:[\s_]?(?<half>[ap])m| ?(?<offset>Z|UTC|[+-]\d\d:\d\d|[+-](?:0\d|1[0-4])(?:00|15|30|45)))?` +
    // Not a size, 1200x800.
    String.raw`(?![-:._]?\d\d(?!\d)|[\da-z]|${HALF}))?(?!\d)`,
  'gi',
);

type Stamp = Readonly<Record<string, string | undefined>>;

/**
 * Finds the time in the name of a file, or in those of the folders above it: with an offset where it
 * has one, or begins with Zoom's `GMT`, else without, as of the clock of whoever named it.
 */
export function timeInName(name: string): string | undefined {
  for (const part of name.split('/').toReversed())
    for (const { groups = {} } of part.matchAll(STAMP)) {
      const date = `${groups['year']}-${groups['month']}-${groups['day']}`;
      const real = [`${date}T${clockOf(groups)}${offsetOf(groups)}`, date].find(
        (text) => readTime(text, () => 0) !== undefined,
      );
      if (real) return real;
    }
  return undefined;
}

/** 2 PM is 14:00, and 12 AM midnight. */
function clockOf({ hour, minute = '00', second = '00', half }: Stamp): string {
  const hours =
    half && Number(hour) <= 12 ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : hour;
  return `${String(hours).padStart(2, '0')}:${minute}:${second}`;
}

/** Behind an hour and a minute, `0900-1030`, it is when it ended, unless they are written as ISO 8601 has it. */
function offsetOf({ gmt, mark, second, offset }: Stamp): string {
  const isEnd = offset?.startsWith('-') && second === undefined && mark?.toUpperCase() !== 'T';
  return (!isEnd && offset) || (gmt ? 'Z' : '');
}

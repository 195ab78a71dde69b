// The time in a file's name: what recorders write there, and people.

import { readTime } from '../../formats/time.ts';

// 2026-11-18, 20261118; and behind it 09-00, 09.00.00, 0900, T09:00:00+01:00, or " at 09.00.00".
const STAMP = new RegExp(
  String.raw`(?<gmt>GMT)?(?<!\d)(?<year>(?:19|20)\d\d)(?<between>[-._]?)(?<month>\d\d)\k<between>(?<day>\d\d)` +
    String.raw`(?:(?:[T_ -]|, | at )?(?<hour>\d\d)[-:._h]?(?<minute>\d\d)(?:[-:._]?(?<second>\d\d)(?:[.,]\d+)?)?` +
    // Not a size, 1200x800, and not half a day.
    String.raw` ?(?<offset>Z|UTC|[+-]\d\d:\d\d|\+\d{4})?(?![-:._]?\d\d(?!\d)|[\da-z]|\s?[ap]m\b))?(?!\d)`,
  'gi',
);

/**
 * Finds the time in the name of a file, or in those of the folders above it: with an offset where it
 * has one, or begins with Zoom's `GMT`, else without, as of the clock of whoever named it.
 */
export function timeInName(name: string): string | undefined {
  for (const part of name.split('/').toReversed())
    for (const { groups } of part.matchAll(STAMP)) {
      const { gmt, year, month, day, hour, minute, second = '00', offset } = groups ?? {};
      const date = `${year}-${month}-${day}`;
      const time = `${date}T${hour}:${minute}:${second}${offset ?? (gmt ? 'Z' : '')}`;
      const real = [time, date].find((text) => readTime(text, () => 0) !== undefined);
      if (real) return real;
    }
  return undefined;
}

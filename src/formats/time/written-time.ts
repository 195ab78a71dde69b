// Finds the time in a line or a name, as recorders and people write it: `2026-11-18 09.00`, `18.11.2026`, `Nov 18, 2026 9:00 AM`.

import { MONTHS, readProductTime } from './product-time.ts';

const AM_PM = String.raw`[\s_-]?[ap]m(?![\da-z])`;

// 2026-11-18 or 20261118, then optionally 09-00, 09.00.00, 0900, T09:00:00+01:00 or " at 9.00.00 PM".
const STAMP = new RegExp(
  String.raw`(?<gmt>GMT)?(?<!\d)(?<year>(?:19|20)\d\d)(?<between>[-._]?)(?<month>\d\d)\k<between>(?<day>\d\d)` +
    // An hour of one digit must be followed by minutes or AM/PM; otherwise it may belong to the date.
    String.raw`(?:(?<mark>[T_ -]|, | (?:at|um|\u00e0|-|\u2013) | \(|_at_)?(?<hour>\d\d|(?<![\d-])\d(?=[-:._h]\d\d|${AM_PM}))` +
    String.raw`(?:[-:._h]?(?<minute>\d\d)(?:[-:._]?(?<second>\d\d)(?:[.,]\d+)?)?|(?=${AM_PM}))` +
    String.raw`(?:[\s_-]?(?<half>[ap])m| ?(?<offset>Z|UTC|[+-]\d\d:\d\d|[+-](?:0\d|1[0-4])(?:00|15|30|45)))?` +
    // Not the size of a picture, 1200x800.
    String.raw`(?![-:._]?\d\d(?!\d)|[\da-z]|${AM_PM}))?(?!\d)`,
  'gi',
);

type Groups = Readonly<Record<string, string | undefined>>;

/**
 * Finds the first time in a text. The result has an offset if the text has one or begins with Zoom's `GMT`;
 * otherwise it is a local time.
 */
export function timeIn(text: string): string | undefined {
  for (const { groups = {} } of withIsoDates(text).matchAll(STAMP)) {
    const date = `${groups['year']}-${groups['month']}-${groups['day']}`;
    const real = [`${date}T${clockOf(groups)}${offsetOf(groups)}`, date].find(
      (time) => readProductTime(time, () => 0) !== undefined,
    );
    if (real) return real;
  }
  return undefined;
}

/** Finds the time in the name of a file, or in the name of the nearest folder that has one. */
export function timeInName(path: string): string | undefined {
  const parts = path.split('/').toReversed();
  return parts.flatMap((part) => timeIn(part) ?? [])[0];
}

/** Removes the time from the beginning of a name, if words follow it: `2026-11-18 09.00 Stand-up` is a stand-up. */
export function withoutTime(name: string): string {
  const [found] = name.matchAll(STAMP);
  if (found?.index !== 0 || timeIn(found[0]) === undefined) return name;
  const words = name.slice(found[0].length).replace(/^[\s_.,–—-]+/, '');
  if (found.groups?.['gmt'] && words.startsWith('Recording')) return 'Zoom recording';
  return /\p{L}/u.test(words) ? words : name;
}

/** Returns the time of day in 24 hours: 2 PM is 14:00, 12 AM is 00:00. */
function clockOf({ hour, minute = '00', second = '00', half }: Groups): string {
  const hours =
    half && Number(hour) <= 12 ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : hour;
  return `${String(hours).padStart(2, '0')}:${minute}:${second}`;
}

/** Returns the offset from UTC. In `0900-1030` the second time is the end and not an offset, unless ISO 8601's `T` is there. */
function offsetOf({ gmt, mark, second, offset }: Groups): string {
  const isEnd = offset?.startsWith('-') && second === undefined && mark?.toUpperCase() !== 'T';
  return (!isEnd && offset) || (gmt ? 'Z' : '');
}

const MONTH =
  '(?<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const MONTH_ALONE = new RegExp(`^${MONTH}$`, 'i');

/** Returns the number of a month from its English name or the first letters of it; 1 to 12. */
export function monthOf(name: string): number | undefined {
  return MONTH_ALONE.test(name) ? MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1 : undefined;
}

const NUMBER = String.raw`(?<day>\d\d?)(?:st|nd|rd|th|\.)?`;
const BEFORE = String.raw`(?<![\d\p{L}])`;
const YEAR = String.raw`(?<year>(?:19|20)\d\d)(?!\d)`;

/** Dates that are not ISO 8601, with the year, month and day, or two numbers in an order of their own. */
const DATES = [
  /(?<year>\d{4})\s?[年년]\s?(?<month>\d\d?)\s?[月월]\s?(?<day>\d\d?)\s?[日일](?:\s?[（(]?(?:(?:星期|周|週)[一二三四五六日天]|[月火水木金土日월화수목금토일](?:曜日|요일)?(?![\p{L}]))[）)]?)?/gu,
  new RegExp(String.raw`${BEFORE}${NUMBER}[ _-]${MONTH}\.?,?[ _-]${YEAR}`, 'giu'),
  new RegExp(String.raw`${BEFORE}${MONTH}\.?[ _-]${NUMBER},?[ _-]${YEAR}`, 'giu'),
  /(?<!\d[-._]?)(?<year>(?:19|20)\d\d)(?<mark>[-._])(?<month>\d\d?)\k<mark>(?<day>\d\d?)(?!\d)/gu,
  // Not a version, as v1.12.2026.
  /(?<!\d[-._/]?|\bv)(?<one>\d\d?)(?<mark>[-._/])(?<other>\d\d?)\k<mark>(?<year>(?:19|20)\d\d)(?!\d)/gu,
];

const MORNING = /(?:上午|凌晨|早上|午前|오전)\s?(\d\d?[:：.]\d\d)/gu;
const AFTERNOON = /(?:下午|中午|晚上|午後|오후)\s?(\d\d?[:：.]\d\d)/gu;
const HOURS = /(\d\d?)\s?[时時点點시]\s?(\d\d?)\s?[分분]/gu;

/** Writes the dates in a text as ISO 8601 does, and the hours of Chinese, Japanese and Korean in digits. */
function withIsoDates(text: string): string {
  const digits = text
    .replaceAll(HOURS, (_, hour: string, minute: string) => `${hour}:${pad(minute)}`)
    .replaceAll(MORNING, ' $1 AM')
    .replaceAll(AFTERNOON, ' $1 PM')
    .replaceAll('：', ':');
  const dated = DATES.reduce(
    (all, pattern) =>
      all.replaceAll(pattern, (...found) => toIso(found.at(-1) as Groups) ?? found[0]),
    digits,
  );
  return dated.replaceAll(/(\d{4}-\d\d-\d\d) {2,}(?=\d)/g, '$1 ');
}

function toIso({ year, month, day, name, one = '', other = '', mark }: Groups): string | undefined {
  if (day !== undefined) return `${year}-${pad(monthOf(name ?? '') ?? month)}-${pad(day)}`;
  const order = orderOf(Number(one), Number(other), mark);
  return order && `${year}-${pad(order.month)}-${pad(order.day)}`;
}

/**
 * Returns which of two numbers before a year is the day. With dots the day comes first. Otherwise one of them must be
 * above 12: `05-07-2026` is in May or in July.
 */
function orderOf(one: number, other: number, mark: string | undefined) {
  const dayFirst = { day: one, month: other };
  const monthFirst = { day: other, month: one };
  if (other > 12) return one > 12 ? undefined : monthFirst;
  return mark === '.' || one > 12 || one === other ? dayFirst : undefined;
}

function pad(number: number | string | undefined): string {
  return String(number).padStart(2, '0');
}

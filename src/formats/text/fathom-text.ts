// Transcripts that people copy from Fathom's page. They have a day without a year.

import type { FileInfo } from '../format.ts';
import { toInstant, type MaybeTime } from '../time/product-time.ts';
import { TIME, toSeconds } from '../time/timestamp.ts';
import { monthOf } from '../time/written-time.ts';
import { toDate } from './lines/clock.ts';
import {
  dateFromStart,
  toTextFormat,
  type DatesOrReason,
  type RecordingFacts,
  type LineMeaning,
  type TidyText,
} from './lines/dialect.ts';
import { filledLines, firstMatch } from './lines/plain-lines.ts';

/** `Quarterly review - January 29` */
const TITLE = /^(?<name>.{1,300}) - (?<month>\p{L}{3,9}) (?<day>\d{1,2})$/u;
/** `VIEW RECORDING - 31 mins (No highlights): https://fathom.video/calls/221272945` */
const RECORDING = /^VIEW RECORDING - (?<minutes>\d{1,4}) mins?\b/;
const LINK = /https:\/\/fathom\.video\/(?:calls|share)\/(?<id>[\w-]{1,100})/;
/** `0:00 - Anna Ortiz (Acme)`. The company is no part of the name. */
const HEADER = new RegExp(
  String.raw`^@?(?<time>${TIME}) - (?<speaker>\S.{0,198}?)(?:\s*\([^()]{1,100}\))?$`,
  'u',
);
/** What Fathom puts between the words, up to its link. */
const ADDED =
  /\b(?:(?<kind>ACTION ITEM|SCREEN SHARING): (?<what>.{1,1000}?) - )?WATCH: https:\/\/\S{1,300}/gu;

/** Fathom's transcripts as copied text. */
export const fathomText = toTextFormat({
  name: 'fathom-text',
  product: 'Fathom transcripts that you copy from its page',
  matches: (head) => {
    const lines = filledLines(head);
    const isOfFathom = lines.slice(0, 4).some((line) => RECORDING.test(line));
    return isOfFathom && lines.some((line) => HEADER.test(line));
  },
  readHead,
  readLine: (line): LineMeaning | undefined => {
    const { speaker, time } = HEADER.exec(line.trim())?.groups ?? {};
    if (speaker === undefined || time === undefined) return undefined;
    return { is: 'turn', speaker, seconds: toSeconds(time) };
  },
  tidy,
  date: (seconds, facts, about): DatesOrReason =>
    facts.started_at === NO_YEAR
      ? { reason: 'it has no year; give --started-at' }
      : dateFromStart(seconds, facts, about),
});

const NO_YEAR = 'no year';

function readHead(
  lines: readonly string[],
  { about }: { readonly about: FileInfo },
): RecordingFacts {
  const heads = filledLines(lines.join('\n'));
  const title = firstMatch(heads, TITLE);
  const recording = heads.find((line) => RECORDING.test(line)) ?? '';
  const minutes = RECORDING.exec(recording)?.groups?.['minutes'];
  return {
    id: LINK.exec(recording)?.groups?.['id'],
    name: title?.['name'],
    started_at: title && startOn(monthOf(title['month'] ?? ''), Number(title['day']), about),
    seconds: Number(minutes ?? 0) * 60,
    details: { url: LINK.exec(recording)?.[0] },
  };
}

/**
 * Returns the start of a recording whose day is known, without the year. The caller's start counts. So
 * does the start in the name if it is on that day. Otherwise it is the last such day before the file's date.
 */
function startOn(month: number | undefined, day: number, about: FileInfo): MaybeTime {
  const { started_at, dated_by } = about;
  if (month === undefined || dated_by === 'caller') return started_at;
  const latest = toInstant(started_at);
  if (latest === undefined) return NO_YEAR;
  const year = new Date(latest).getUTCFullYear();
  // A leap day can be eight years ago. The file's day can be the next one in another time zone.
  for (let back = 0; back <= 8; back++) {
    const date = toDate(year + 1 - back, month, day);
    if (date === undefined || Date.parse(date) > latest + ONE_DAY) continue;
    return dated_by === 'name' && String(started_at).startsWith(date) ? started_at : date;
  }
  return NO_YEAR;
}

const ONE_DAY = 24 * 60 * 60 * 1000;

/** Takes action items and notes about the screen out of the words. */
function tidy(text: string): TidyText {
  const key_takeaways: string[] = [];
  const words = text.replaceAll(ADDED, (_, kind?: string, what?: string) => {
    if (kind === 'ACTION ITEM' && what !== undefined) key_takeaways.push(what.trim());
    return '';
  });
  return { text: words, key_takeaways };
}

// Reads the titles of Google Meet's documents: the name of the meeting, and when it began.

import type { MaybeTime } from '../../time/product-time.ts';
import { monthOf } from '../../time/written-time.ts';
import { toDate } from '../lines/clock.ts';
import type { NamedGroups } from '../lines/plain-lines.ts';

/** A title, and the start of the meeting if the title has it. */
export interface Title {
  readonly name: string;
  readonly started_at?: MaybeTime;
}

const ZONE = String.raw`(?<zone>[A-Z]{3,5}(?:[+-]\d{1,2}(?:[:_]?\d\d)?)?)`;
// Drive replaces / and : in the names of files, so that they are 2026_02_10 09_02.
const STAMP = String.raw`(?<year>\d{4})[-/_](?<month>\d\d)[-/_](?<day>\d\d) (?<hour>\d\d)[:_](?<minute>\d\d) ${ZONE}`;

/** What transcripts are called in the languages of Google Meet. */
const TRANSCRIPT =
  'Transcript|Transkript|Transcription|Transcripci\u00F3n|Transcri\u00E7\u00E3o|Trascrizione|\u6587\u5B57\u8D77\u3053\u3057|\uC2A4\uD06C\uB9BD\uD2B8';
/** What stands between the parts of a title. Since 2025 it is a longer dash. */
const DASH = '[-\u2013\u2014]';
/**
 * `Weekly (2026-02-10 09:02 GMT+1) - Transcript`, `Weekly - 2026/02/10 09:02 GMT+01:00 - Transcript`, or with the
 * language of notes behind it, or the number of a download.
 */
const DATED = [String.raw`\(${STAMP}\)`, `${DASH} ${STAMP}`].map(
  (stamp) =>
    new RegExp(
      String.raw`^(?<name>.{1,300}?) ${stamp} ${DASH} (?:${TRANSCRIPT}|[\p{L} ]{0,30}Gemini[\p{L} ]{0,30})(?: \([^()]{1,40}\))?$`,
      'u',
    ),
);
/** `Weekly - Transcript`. */
const UNDATED = new RegExp(`^(?<name>.{1,300}?) ${DASH} (?:${TRANSCRIPT})$`, 'u');
/** A meeting without a name: `Meeting Feb 19, 2026 at 16:19 SAST`. */
const UNNAMED = new RegExp(
  String.raw`^Meeting (?<month>\w{3}) (?<day>\d{1,2}), (?<year>\d{4}) at (?<hour>\d\d):(?<minute>\d\d) ${ZONE}$`,
);
/** The date above a title: `Feb 19, 2026`, or `9月 3, 2026` in Japanese. */
const DATE = /^(?<month>[A-Z][a-z]{2}|\d{1,2}(?=月))月? (?<day>\d{1,2}), (?<year>\d{4})$/u;

/** Reads the title of a transcript. Returns `undefined` for other lines. */
export function readTitle(line: string): Title | undefined {
  for (const pattern of DATED) {
    const dated = pattern.exec(line)?.groups;
    if (dated) return { name: dated['name'] ?? '', started_at: toStart(dated) };
  }
  const name = UNDATED.exec(line)?.groups?.['name'];
  if (name === undefined) return undefined;
  const unnamed = UNNAMED.exec(name)?.groups;
  return unnamed ? { name, started_at: toStart(unnamed) } : { name };
}

/** Reads the start of a meeting in the name that Drive gives to the file of its document. */
export function startInName(name: string): MaybeTime {
  const base = name.slice(name.lastIndexOf('/') + 1).replace(/\.\w{2,4}$/, '');
  return readTitle(base)?.started_at;
}

/** Reads a date as Google writes it above a title. Returns `2026-02-19`. */
export function readDate(line: string): string | undefined {
  const { year, month = '', day } = DATE.exec(line)?.groups ?? {};
  const number = monthOf(month) ?? (Number(month) || undefined);
  return number === undefined ? undefined : toDate(Number(year), number, Number(day));
}

/**
 * Offsets of abbreviations. The USA's are in RFC 5322, section 4.3. The others mean one zone
 * only. IST and other ambiguous ones are missing.
 */
const OFFSETS: Readonly<Record<string, string>> = {
  GMT: '+00:00',
  UTC: '+00:00',
  EST: '-05:00',
  EDT: '-04:00',
  CST: '-06:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
  AKST: '-09:00',
  AKDT: '-08:00',
  HST: '-10:00',
  WET: '+00:00',
  WEST: '+01:00',
  BST: '+01:00',
  CET: '+01:00',
  CEST: '+02:00',
  EET: '+02:00',
  EEST: '+03:00',
  SAST: '+02:00',
  WAT: '+01:00',
  CAT: '+02:00',
  EAT: '+03:00',
  WIB: '+07:00',
  JST: '+09:00',
  AEST: '+10:00',
  AEDT: '+11:00',
  NZST: '+12:00',
  NZDT: '+13:00',
};

/** Returns a start with its offset. In a zone that is not known it is a local time. */
function toStart({ year, month = '', day, hour, minute, zone = '' }: NamedGroups): MaybeTime {
  const date = toDate(Number(year), monthOf(month) ?? Number(month), Number(day));
  return date && `${date}T${hour}:${minute}:00${offsetOf(zone)}`;
}

function offsetOf(zone: string): string {
  const [, sign, hours = '', minutes = '00'] =
    /^(?:GMT|UTC)([+-])(\d{1,2})[:_]?(\d\d)?$/.exec(zone) ?? [];
  return sign ? `${sign}${hours.padStart(2, '0')}:${minutes}` : (OFFSETS[zone] ?? '');
}

// Reads a line that has a time, in the forms that many programs share: where its time, its name and its words stand.

import { isSpeakerName, withoutBrackets } from '../../captions/speaker-names.ts';
import { TIME, toSeconds } from '../../time/timestamp.ts';
import { toSecondsOfDay } from './clock.ts';
import type { NamedGroups } from './plain-lines.ts';
import { SPOKEN_TIME, spokenSeconds } from './spoken-time.ts';

/** A time or a span, perhaps in brackets: `[00:01:02]`, `(00:03.608)`, `[9:03:05 AM]`, `[00:00.000 --> 00:04.000]`. */
const SPAN = String.raw`(?<open>[[(<]\s?)?(?<time>${TIME})(?<half>\s?[AaPp][Mm])?(?<end>\s*(?:--?>|\u2192|[-\u2013\u2014])\s*${TIME})?(?:\s?[\])>])?`;
/** A name, perhaps with a mark behind it. */
const NAME = String.raw`(?<speaker>\S.{0,79}?)\s{0,8}[:,|@\u2013\u2014-]?`;

/** `[00:01:02] Anna: Hello.`, `0:06 Hello.` or `00:01:02 - Anna`. */
const TIME_FIRST = new RegExp(
  String.raw`^${SPAN}(?<between>\s*[-\u2013\u2014|:]?\s*)(?<rest>\S[^]*)$`,
  'u',
);
/** `Anna (00:03.608):` or `Anna 00:01:02`, with the words below it. */
const NAME_FIRST = new RegExp(String.raw`^${NAME}\s{0,8}${SPAN}\s?:?$`, 'u');
/** `Anna: [00:00:00] Hello.` or `Anna (0:03): Hello.` */
const BOTH_FIRST = new RegExp(
  String.raw`^${NAME}\s{0,8}(?=[[(<])${SPAN}(?<=[\])>])\s?:?\s+(?<rest>\S[^]*)$`,
  'u',
);
/** `Speaker 1    00:12    Hello.` in columns, as Rev writes it. ELAN has an end and perhaps a length behind the start. */
const COLUMNS = new RegExp(
  String.raw`^(?<speaker>\S.{0,79}?)(?:\t|\s{2,8})(?<time>${TIME})(?<end>\t${TIME})?(?:\t${TIME})?(?:\t|\s{2,8})(?<rest>\S[^]*)$`,
  'u',
);
/**
 * The same with the time first and tabs, as Kontur Talk writes it, or with lines between, as in a table of Markdown.
 * Spaces are limited, so that a line of nothing else takes linear time.
 */
const TABS = new RegExp(
  String.raw`^(?<time>${TIME})[ ]?[\t|]\s{0,8}(?<speaker>[^\s|][^\t|]{0,79}?):?[^\S\t]{0,8}[\t|]\s*(?<rest>\S[^]*)$`,
  'u',
);
/** A span, words and a name in columns, as NVivo writes it. */
const NAME_LAST = new RegExp(
  String.raw`^${SPAN}\t\s{0,8}(?<rest>\S[^\t]*)\t\s{0,8}(?<speaker>\S[^\t]{0,79})$`,
  'u',
);
/** A time by itself, with the words below it. */
const ALONE = new RegExp(String.raw`^${SPAN}:?$`, 'u');
/** `Anna 1 minute 3 seconds`, as Teams' page has it. */
const SPOKEN = new RegExp(String.raw`^(?<speaker>\S.{0,79}?)\s{1,8}${SPOKEN_TIME}$`, 'u');

/** What a line that has a time looks like. */
export type Shape = 'words' | 'time and name' | 'name and time' | 'name, time, words' | 'time';

/** A line that has a time. */
export interface Timed {
  readonly shape: Shape;
  readonly seconds: number;
  /** The end of a span, otherwise the start. */
  readonly until: number;
  readonly speaker: string;
  readonly text?: string | undefined;
  readonly isInBrackets: boolean;
  readonly isSpan: boolean;
  /** Whether the time has hours. */
  readonly isLong: boolean;
  /** Whether it is a time of day. */
  readonly isClock: boolean;
}

/** The time of the word behind it, in lyrics. */
const OF_WORD = /<\d{2}:\d{2}\.\d{2,3}>\s?/g;

/** Bold letters at the beginning: a time, a name, or both. */
const BOLD = /^([^*_]{0,20})(\*\*|__)(.{1,100}?)\2/u;

/** An italic time: `*[00:03]*`. */
const ITALIC = new RegExp(String.raw`([*_])([[(]?${TIME}[\])]?)\1`, 'u');

/** Times of faster-whisper and of scripts: `[0.00s -> 4.20s]`, `[1.25s]`, `[0.00 - 4.20]`. */
const SECONDS =
  /^\[\s?(\d{1,6}\.\d{1,3})(?:s|(?=\s?-))(?:\s?(?:--?>|-)\s?(\d{1,6}\.\d{1,3})s?)?\s?\]/;

function toTimes(_: string, from: string, to: string | undefined): string {
  const [start, end] = [from, to].map((time) => {
    const [seconds = '', part = ''] = (time ?? '').split('.');
    const minutes = Math.floor(Number(seconds) / 60);
    const hours = Math.floor(minutes / 60);
    return `${hours}:${pad(minutes % 60)}:${pad(Number(seconds) % 60)}.${part}`;
  });
  return to === undefined ? `[${start}]` : `[${start} - ${end}]`;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

/** Each time of `[ 0m3s120ms - 0m6s10ms ]`, as Gemini writes them. */
const LETTERED = /(?<=^\[ ?|^\[[^\]]{1,20}- ?)(\d{1,3})m(\d{1,2})s(\d{1,3})ms(?= ?[-\]])/g;

/** Returns what a line that has a time says, or `undefined` for other lines. */
export function readTimed(line: string): Timed | undefined {
  const text = line
    .trim()
    .replaceAll(
      LETTERED,
      (_, m: string, s: string, ms: string) => `${m}:${s.padStart(2, '0')}.${ms.padStart(3, '0')}`,
    )
    .replace(SECONDS, toTimes)
    .replace(/^(?:#{1,6}|>|(?:\d{1,5}\.|[-*])(?=\s+[*_[])|\|)\s+/, '')
    .replace(/\s\|$/, '')
    .replace(BOLD, '$1$3')
    .replace(BOLD, '$1$3')
    .replaceAll(OF_WORD, '')
    .replace(ITALIC, '$2');
  for (const [shape, pattern] of SHAPES) {
    const groups = pattern.exec(text)?.groups;
    const timed = groups && toTimed(shape, groups);
    if (timed) return timed;
  }
  return undefined;
}

const SHAPES: readonly (readonly [Shape, RegExp])[] = [
  ['name and time', SPOKEN],
  ['time', ALONE],
  ['name, time, words', TABS],
  ['name, time, words', NAME_LAST],
  ['words', TIME_FIRST],
  ['name, time, words', BOTH_FIRST],
  ['name, time, words', COLUMNS],
  ['name and time', NAME_FIRST],
];

function toTimed(shape: Shape, groups: NamedGroups): Timed | undefined {
  const { open, time, half, end, between = '', rest, speaker = '', s } = groups;
  // Without brackets, a line with a time of day is of an agenda.
  if (half !== undefined && open === undefined) return undefined;
  if (shape === 'words') {
    // `10:30am` and `10:30 AM` are times of day.
    if (open === undefined && !/\s/.test(between)) return undefined;
    if (/^[ap]\.?m\b/i.test(rest ?? '')) return undefined;
  } else if (shape === 'time') {
    // Captions have spans without brackets.
    if (end !== undefined && open === undefined) return undefined;
  } else if (!isSpeakerName(withoutBrackets(speaker))) return undefined;
  const start =
    s === undefined ? toSecondsOfDay(`${time ?? ''}${half ?? ''}`) : spokenSeconds(groups);
  return {
    shape,
    speaker,
    text: rest,
    seconds: start,
    until: end === undefined ? start : toSeconds(end.replace(/^[^\d]*/, '')),
    isInBrackets: open !== undefined,
    isSpan: end !== undefined,
    isLong: s !== undefined || /:.*:/.test(time ?? ''),
    isClock: half !== undefined,
  };
}

// Transcripts of Microsoft Teams as Word documents, in the form of today and an older one.

import { MONTHS } from '../../text/question/calendar-words.ts';
import { TIMING } from '../captions/cues.ts';
import type { MaybeTime } from '../time/product-time.ts';
import { TIME, toSeconds } from '../time/timestamp.ts';
import { linesOf } from '../turns/lines.ts';
import { toDate } from './lines/clock.ts';
import { toTextFormat, type RecordingFacts, type LineMeaning } from './lines/dialect.ts';
import { filledLines, firstMatch, type NamedGroups } from './lines/plain-lines.ts';

/** `Anna Ortiz   0:03`, with three spaces. */
const HEADER = new RegExp(String.raw`^(?<speaker>\S.{0,198}?) {3,8}(?<time>${TIME})$`, 'u');
/** Who started and stopped the transcription, in the languages of Teams. */
const NOTICE =
  /^\S.{0,198} (?:(?:started|stopped) transcription|hat die Transkription (?:gestartet|beendet)|(?:inició|detuvo) la transcripción|a (?:démarré|arrêté) la transcription|ha (?:avviato|interrotto) la trascrizione|(?:iniciou|interrompeu) a transcrição)\.?$/u;
/** The title: the name of the meeting, the local time of the organizer, and `Meeting Recording` in any language. */
const TITLE = /^(?<name>.{1,300}?)-(?<day>\d{8})_(?<clock>\d{6})(?<zone>UTC)?-\S.{1,80}$/u;
/** `July 10, 2026, 8:42PM`, `15 June 2026, 03:35am` or `9 de julio de 2026, 8:03p.m.` */
const DATE =
  /^(?:(?<first>\p{L}{3,10}) (?<day>\d{1,2})|(?<before>\d{1,2})\.?(?: de)? (?<second>\p{L}{3,10}))(?:,| de)? (?<year>\d{4}),? (?<hour>\d{1,2}):(?<minute>\d\d)\s?(?<half>[ap](?:m|\.\s?m\.))?$/iu;
/** The first line of the older form: `0:0:5.100 --> 0:0:8.250`, where captions have two digits. */
const OLDER = /^\d:\d{1,2}:\d{1,2}\.\d{1,3} --> /;
/** `2h 14m 58s` */
const LENGTH = /^(?=\d)(?:(?<h>\d{1,3})h)? ?(?:(?<m>\d{1,2})m)? ?(?:(?<s>\d{1,2})s)?$/;

/** Teams' transcripts as documents. In the older form a line with both times stands above the name. */
export const teams = toTextFormat({
  name: 'teams',
  product: 'Teams transcripts as Word documents',
  matches: (head) => {
    const lines = prepare(linesOf(head)).filter((line) => line !== '');
    const at = lines.findIndex((line) => HEADER.test(line));
    const next = lines[at + 1];
    if (at === -1 || next === undefined || HEADER.test(next)) return false;
    const top = lines.slice(0, at);
    return top.length <= 8 && (top.some(isOfTeams) || lines.slice(at + 2).some(isHeader));
  },
  prepare,
  readHead,
  readLine: (line): LineMeaning | undefined => {
    const { speaker = '', time } = HEADER.exec(line)?.groups ?? {};
    if (time !== undefined) return { is: 'turn', speaker, seconds: toSeconds(time) };
    const [, , end] = TIMING.exec(line) ?? [];
    if (end !== undefined) return { is: 'time', seconds: toSeconds(end.replace(',', '.')) };
    return NOTICE.test(line) ? { is: 'nothing' } : undefined;
  },
});

function isHeader(line: string): boolean {
  return HEADER.test(line);
}

function isOfTeams(line: string): boolean {
  return NOTICE.test(line) || TITLE.test(line) || OLDER.test(line);
}

/** Puts the start behind the name in the older form, as in the form of today. */
function prepare(lines: readonly string[]): string[] {
  const texts = lines.map((line) => line.replaceAll('\u{A0}', ' ').trim());
  if (!OLDER.test(texts.find((text) => text !== '') ?? '')) return texts;
  let start: string | undefined;
  return texts.map((text) => {
    const before = start;
    if (text !== '') [, start] = TIMING.exec(text) ?? [];
    if (text === '' || start !== undefined || before === undefined) return text;
    return `${text}   ${before.replace(/[.,].*$/, '').replaceAll(/\b\d\b/g, '0$&')}`;
  });
}

function readHead(lines: readonly string[]): RecordingFacts {
  const heads = filledLines(lines.join('\n'));
  const title = firstMatch(heads, TITLE);
  const start = heads.flatMap((line) => toStart(line) ?? [])[0];
  const length = firstMatch(heads, LENGTH);
  return {
    name: title?.['name'],
    started_at: start ?? (title && toStamp(title)),
    seconds: length && toSeconds(['h', 'm', 's'].map((unit) => length[unit] ?? '0').join(':')),
  };
}

/** Reads the date below the title. Teams writes it in UTC, unlike the time in the title. */
function toStart(line: string): MaybeTime {
  const {
    first,
    second = '',
    day,
    before,
    year,
    hour,
    minute,
    half,
  } = DATE.exec(line)?.groups ?? {};
  const name = (first ?? second).toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
  const month = MONTHS.get(name)?.number;
  const date = month && toDate(Number(year), month, Number(day ?? before));
  if (!date) return undefined;
  const hours = half ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hour);
  return `${date}T${String(hours).padStart(2, '0')}:${minute}:00Z`;
}

function toStamp({ day = '', clock = '', zone }: NamedGroups): string {
  const date = day.replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3');
  return `${date}T${clock.replace(/(\d\d)(\d\d)(\d\d)/, '$1:$2:$3')}${zone ? 'Z' : ''}`;
}

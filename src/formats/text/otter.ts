// The text export of Otter: a name and a time above each turn.

import { TIME, toSeconds } from '../time/timestamp.ts';
import { timeIn } from '../time/written-time.ts';
import { linesOf } from '../turns/lines.ts';
import {
  toTextFormat,
  type LineMeaning,
  type RecordingFacts,
  type WholeFile,
} from './lines/dialect.ts';
import { readHeading } from './lines/heading.ts';

/** `Anna Ortiz  54:50`, with two spaces between, and two more at the end. */
const NAMED = new RegExp(String.raw`^(?<speaker>\S(?:.{0,98}\S)?) {2}(?<time>${TIME})\s*$`, 'u');
/** A time without a name. */
const ALONE = new RegExp(String.raw`^(?<time>${TIME})\s*$`);
/** A name and a time as Otter ends them. */
const MARKED = new RegExp(String.raw`^\S.{0,99} {2}${TIME} {2}[\n\r]`, 'u');
/** What older exports have above the first turn, perhaps below a title and a date. */
const KEYWORDS = /^[^\S\n\r]*SUMMARY KEYWORDS\s/m;
const MOST_ABOVE = 500;
const FIRST_TURN = /^\S.{0,99} {2}\d{1,3}:\d\d\b/m;
const FOOTER = /^\s*Transcribed by https?:\/\/otter\.ai\/?\s*$/i;

/** Two searches, each of which looks at a place once: one expression for both would look again and again. */
function withoutKeywords(text: string): string {
  const start = text.slice(0, MOST_ABOVE).search(KEYWORDS);
  const length = start < 0 ? -1 : text.slice(start).search(FIRST_TURN);
  return length < 0 ? text : text.slice(start + length);
}

/** What Otter writes if it does not know who speaks. */
const UNKNOWN = 'Unknown Speaker';

/** Reads a title, and the date below it: `Tue, Nov 17, 2026 9:00AM • 12:34`. */
function readHead(lines: readonly string[], whole: WholeFile): RecordingFacts {
  const [title = '', date = ''] = lines.filter((line) => line.trim() !== '');
  const isTitle = /\s•\s/.test(date) && timeIn(date) !== undefined;
  return isTitle ? { ...readHeading(lines, whole), name: title.trim() } : {};
}

/** Otter's transcripts as text. Most have no date. */
export const otterText = toTextFormat({
  name: 'otter-text',
  product: "Otter's text export",
  matches: (head) => {
    const lines = linesOf(withoutKeywords(head));
    const [first = '', second = '', ...more] = lines.filter((line) => line.trim() !== '');
    if (!isHeader(first) || second === '' || isHeader(second)) return false;
    // A list of songs has such lines, too, but no words below them, and no spaces at the end.
    return (
      MARKED.test(head) ||
      more.some((line) => FOOTER.test(line)) ||
      lines.some((line, i) => i > 1 && isTurn(line, lines[i - 1]?.trim() === ''))
    );
  },
  readHead,
  readLine: (line, { isAfterBlank }): LineMeaning | undefined => {
    if (FOOTER.test(line)) return { is: 'nothing' };
    const { speaker = '', time } =
      (NAMED.exec(line) ?? (isAfterBlank ? ALONE.exec(line) : undefined))?.groups ?? {};
    if (time === undefined) return undefined;
    return { is: 'turn', speaker: speaker === UNKNOWN ? '' : speaker, seconds: toSeconds(time) };
  },
});

/** Whether a line begins a turn. A time without a name does so only below a blank line. */
function isTurn(line: string, isAfterBlank: boolean): boolean {
  return NAMED.test(line) || (isAfterBlank && ALONE.test(line));
}

function isHeader(line: string): boolean {
  return NAMED.test(line) || ALONE.test(line);
}

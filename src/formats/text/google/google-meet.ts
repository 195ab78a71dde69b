// Transcripts of Google Meet, with or without notes of Gemini: a document in Drive, saved as text, Markdown or Word.

import { isSpeakerName } from '../../captions/speaker-names.ts';
import type { FileInfo } from '../../format.ts';
import type { MaybeTime } from '../../time/product-time.ts';
import { toSeconds } from '../../time/timestamp.ts';
import { linesOf } from '../../turns/lines.ts';
import {
  toTextFormat,
  type RecordingFacts,
  type LineMeaning,
  type WholeFile,
} from '../lines/dialect.ts';
import { isNotesHeading, readNextSteps, readNotes, TRANSCRIPT_HEADING } from './gemini-notes.ts';
import { readDate, readTitle, startInName } from './google-title.ts';

const MARK = /^(\d\d:\d\d:\d\d)$/;
/** `Transcription ended after 00:30:30`, in the languages of Google Meet. */
const END =
  /^(?=.*(?:ended after|beendet|endete|finaliz|terminat|terminé|pris fin|encerrad|終了|종료))[^\d:：\u{E000}]{0,60}(\d\d:\d\d:\d\d)[^\d:：]{0,40}$/u;
const TRANSCRIPT = /^(?:📖 )?Transcript$/u;
const ABOUT_TRANSCRIPT =
  /^(?:This editable transcript was computer generated|People can also change the text after)/;
const MAX_NAME_LENGTH = 80;
/** `Anna: Hello.`, with the name up to the first colon. */
const NAME = /^\S.{0,79}?(?=:(?:\s|$)|：)/u;
/** Stands around a name that was bold. It is for private use, so no document has it. */
const BOLD = '\u{E000}';
const BOLD_TURN = /^\u{E000}(?<speaker>[^\u{E000}]+)\u{E000}(?<text>[^]*)$/u;

/** Google Meet's transcripts. Their documents state the start of the meeting. */
export const googleMeet = toTextFormat({
  name: 'google-meet',
  product: 'Google Meet transcripts, also with notes by Gemini',
  matches: (head) => {
    const lines = prepare(linesOf(head)).filter((line) => line !== '');
    const top = lines.slice(0, 12);
    const isTitled = top.some((line) => readTitle(line)?.started_at !== undefined);
    const isOfMeet = lines.some(
      (line) => MARK.test(line) || ABOUT_TRANSCRIPT.test(line) || line === 'Attendees',
    );
    const isNoted = top.some(isNotesHeading) && lines.some((line) => NOTED.test(line));
    return isNoted || isTitled || (isOfMeet && top.some((line) => readTitle(line)));
  },
  prepare,
  countHead: (lines) => {
    const heading = lines.findIndex((line) => line.trim() === TRANSCRIPT_HEADING);
    const title = lines.findIndex((line) => readTitle(line.trim()) !== undefined);
    let isList = false;
    for (let i = Math.max(heading === -1 ? title : heading, 0); i < lines.length; i++) {
      const line = lines[i]?.trim() ?? '';
      if (heading === -1 && isNotesHeading(line)) return lines.length;
      if (line === '' || isHeadLine(line)) isList ||= line === 'Attendees';
      else if (isList) isList = false;
      else return i;
    }
    return lines.length;
  },
  readHead,
  readLine: (line, { facts }): LineMeaning | undefined => {
    const text = line.trim();
    const [, mark] = MARK.exec(text) ?? [];
    if (mark !== undefined) return { is: 'time', seconds: toSeconds(mark), isStart: true };
    const [, end] = END.exec(text) ?? [];
    if (end !== undefined) return { is: 'end', seconds: toSeconds(end) };
    if (ABOUT_TRANSCRIPT.test(text)) return { is: 'nothing' };
    return readTurn(text, facts);
  },
  noTurns: 'it has no transcript; save the tab with the transcript as well',
});

/** A line of notes that Gemini writes: their head, and their headings. */
const NOTED = /^(?:Invited\s|Meeting records\s|Summary$|Next steps$|Suggested next steps$)/;

function isHeadLine(line: string): boolean {
  return (
    TRANSCRIPT.test(line) ||
    line === 'Attendees' ||
    ABOUT_TRANSCRIPT.test(line) ||
    readTitle(line) !== undefined ||
    readDate(line) !== undefined
  );
}

function readHead(lines: readonly string[], { about, body }: WholeFile): RecordingFacts {
  const titles = lines.flatMap((line) => readTitle(line.trim()) ?? []);
  const title = titles.find(({ started_at }) => started_at !== undefined) ?? titles[0];
  const days = lines.flatMap((line) => readDate(line.trim()) ?? []);
  return {
    name: title?.name,
    started_at: title?.started_at ?? startInName(about.name) ?? startOn(days[0], about),
    isSpeaker: findSpeakers(lines, body),
    ...(lines.some(isNotesHeading) && readNotes(lines)),
    details: {
      people: attendeesIn(lines).map((name) => ({ name })),
      action_items: lines.some(isNotesHeading) ? readNextSteps(lines) : [],
    },
  };
}

/**
 * Returns which names are speakers. If names are bold, only they are. Otherwise a name is in the list of
 * attendees, stands before several turns, or looks like one if there is no list.
 */
function findSpeakers(head: readonly string[], body: readonly string[]): (name: string) => boolean {
  const bold = new Set(body.flatMap((line) => BOLD_TURN.exec(line)?.groups?.['speaker'] ?? []));
  if (bold.size > 0) return (name) => bold.has(name);
  const people = attendeesIn(head);
  const known = new Set(people);
  const seen = new Set<string>();
  for (const line of body) {
    const [name] = NAME.exec(line) ?? [];
    if (name === undefined || !SHORT.test(name)) continue;
    if (seen.has(name)) known.add(name);
    seen.add(name);
  }
  return (name) => known.has(name) || (people.length === 0 && isSpeakerName(name));
}

/** Returns the names in the list of attendees. */
function attendeesIn(head: readonly string[]): string[] {
  const list = head.findIndex((line) => line.trim() === 'Attendees');
  const people = list === -1 ? undefined : head.slice(list + 1).find((line) => line.trim());
  return people?.split(',').map((each) => each.trim()) ?? [];
}

/** A text of at most four words without punctuation between sentences. */
const SHORT = /^[^\s,.;!?]+(?: [^\s,.;!?]+){0,3}$/u;

/** Returns the start on a known day: that of the caller, a time in the file's name, or midnight. */
function startOn(day: string | undefined, about: FileInfo): MaybeTime {
  if (day === undefined || about.dated_by === 'caller') return undefined;
  return about.dated_by === 'name' && String(about.started_at).startsWith(day)
    ? about.started_at
    : day;
}

function readTurn(line: string, { isSpeaker }: RecordingFacts): LineMeaning | undefined {
  const bold = BOLD_TURN.exec(line)?.groups;
  if (bold) return { is: 'turn', speaker: bold['speaker'] ?? '', text: bold['text'] };
  // A name can contain a colon, too.
  for (const { index } of line.matchAll(/:(?=\s|$)|：/g)) {
    if (index > MAX_NAME_LENGTH) break;
    const speaker = line.slice(0, index);
    if (isSpeaker?.(speaker)) return { is: 'turn', speaker, text: line.slice(index + 1) };
  }
  return undefined;
}

/** A heading or a turn in Markdown. */
const MARKDOWN = /^\s*(?:#{1,6}\s+\S|\*\*[^*]{1,80}(?::\*\*|\*\*:))/;

/** Converts Markdown to text, and leaves other texts unchanged. */
function prepare(lines: readonly string[]): readonly string[] {
  const isMarkdown = lines.some((line) => MARKDOWN.test(line));
  return isMarkdown ? lines.map(toPlain) : lines.map((line) => line.trim());
}

function toPlain(line: string): string {
  return line
    .trim()
    .replace(/^#{1,6}(?:\s+|(?=Attendees$|Transcript$))/, '')
    .replace(/\s?\{#[^{}\s]{1,100}\}$/, '')
    .replace(/^\*\*([^*]{1,80}?)(?::\*\*|\*\*:)/, `${BOLD}$1${BOLD}`)
    .replace(/^\*\*([^*]{1,300})\*\*$/, '$1')
    .replace(/^(?:_([^_]{1,300})_|\*([^*]{1,300})\*)$/, '$1$2')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
}

// The reader of text transcripts: one for all products, each of which is a small grammar over lines.

import { describeFile, NO_START } from '../../captions/captions.ts';
import { withoutBrackets } from '../../captions/speaker-names.ts';
import type { DraftActionItem, DraftDetails } from '../../details.ts';
import type { Draft, FileInfo, WholeTextFormat } from '../../format.ts';
import { hasTime, type MaybeTime } from '../../time/product-time.ts';
import { linesOf } from '../../turns/lines.ts';
import { countFrom } from '../../turns/spoken.ts';
import { toOneLine, toTranscript, type Segment } from '../../turns/turns.ts';
import { createClock } from './clock.ts';
import { plainText } from './plain-lines.ts';

/** The facts of a transcript about its recording. */
export interface RecordingFacts {
  readonly id?: string | undefined;
  /** Whether the id comes from the names of the file and its folder. */
  readonly has_file_id?: boolean;
  readonly name?: string | undefined;
  readonly started_at?: MaybeTime;
  /** The length of the recording, in seconds. */
  readonly seconds?: number | undefined;
  readonly quick_summary?: string | undefined;
  readonly key_takeaways?: readonly string[] | undefined;
  readonly details?: DraftDetails | undefined;
  /** Whether a text before a colon names a speaker of this conversation. */
  readonly isSpeaker?: (name: string) => boolean;
}

/** The meaning of a line. A time is in seconds, mostly from the start of the recording. */
export type LineMeaning =
  | {
      readonly is: 'turn';
      readonly speaker: string;
      readonly text?: string | undefined;
      readonly seconds?: number | undefined;
      /** When it starts, if `seconds` is when it ends. */
      readonly start?: number | undefined;
    }
  | {
      readonly is: 'time';
      readonly seconds: number;
      /** Whether the next turn starts then. */
      readonly isStart?: boolean;
    }
  | { readonly is: 'end'; readonly seconds?: number | undefined }
  | { readonly is: 'nothing' };

/** When a recording began, and when it ended or how long it was. */
export interface Dates extends Pick<
  Draft,
  'started_at' | 'ended_at' | 'duration_seconds' | 'is_dated_by_file'
> {
  /** What the times of turns show at the start of the recording, in seconds. Default: 0. */
  readonly zero?: number | undefined;
}

/** The words of a turn, and the points that stood between them. */
export interface TidyText {
  readonly text: string;
  readonly key_takeaways: readonly string[];
}

/** The form in which a product writes transcripts. */
export interface Dialect {
  readonly name: string;
  readonly product: string;
  /** Whether a file with this beginning and this name is in this form. */
  readonly matches: (head: string, name: string) => boolean;
  /** Converts the lines first, for example from Markdown. */
  readonly prepare?: (lines: readonly string[]) => readonly string[];
  /** Returns the number of lines before the conversation. Default: those before the first turn. */
  readonly countHead?: (lines: readonly string[]) => number;
  /** Reads the lines before the conversation. */
  readonly readHead?: (lines: readonly string[], whole: WholeFile) => RecordingFacts;
  /** Returns the meaning of a line. A line without one continues the turn above it. */
  readonly readLine: (line: string, around: Around) => LineMeaning | undefined;
  /** Takes additions of the product out of the words of a turn. */
  readonly tidy?: (text: string) => TidyText;
  /** Dates the recording. Default: its times count from the start. */
  readonly date?: (
    seconds: readonly number[],
    facts: RecordingFacts,
    about: FileInfo,
  ) => DatesOrReason;
  /** What a file without turns lacks, if it can have notes. Default: it is rejected. */
  readonly noTurns?: string;
}

/** The file that a head belongs to. */
export interface WholeFile {
  readonly about: FileInfo;
  /** The lines of the conversation. */
  readonly body: readonly string[];
}

/** The surroundings of a line. */
export interface Around {
  readonly facts: RecordingFacts;
  /** Whether the line above is blank, or there is none. */
  readonly isAfterBlank: boolean;
  /** Whether the turn above it has words already. */
  readonly hasWords: boolean;
}

/** Dates, or the reason why there are none. */
export type DatesOrReason = Dates | { readonly reason: string };

/** Makes the format of a dialect. It reads text files, and documents that were converted to text. */
export function toTextFormat(dialect: Dialect): WholeTextFormat {
  const { name, product, matches } = dialect;
  return {
    name,
    product,
    inDocuments: true,
    matches: (head, file) => matches(plainText(head), file),
    read: (text, about) => readTranscript(dialect, plainText(text), about),
  };
}

/** Reads a transcript with the grammar of its lines. */
export function readTranscript(
  dialect: Omit<Dialect, 'name' | 'product' | 'matches'>,
  text: string,
  about: FileInfo,
): Draft | { readonly reason: string } {
  const whole = linesOf(text);
  const lines = dialect.prepare?.(whole) ?? whole;
  const length = dialect.countHead?.(lines) ?? firstTurn(dialect, lines);
  const body = lines.slice(length);
  const facts = dialect.readHead?.(lines.slice(0, length), { about, body }) ?? {};
  const key_takeaways = [...(facts.key_takeaways ?? [])];
  const found: Found = { turns: 0, seconds: [], key_takeaways, actions: [] };
  const transcript = toTranscript(segmentsOf(dialect, body, { facts, found }));
  const lacks = found.turns === 0 ? dialect.noTurns : undefined;
  if (found.turns === 0 && lacks === undefined) return { reason: 'it has no turns' };
  const dated = (dialect.date ?? dateFromStart)(found.seconds, facts, about);
  if ('reason' in dated) return dated;
  const { zero = 0, ...dates } = dated;
  const file = describeFile({ ...about, started_at: dates.started_at });
  return {
    id: facts.id ?? file.id,
    has_file_id: facts.has_file_id ?? facts.id === undefined,
    name: facts.name ?? file.name,
    ...dates,
    quick_summary: facts.quick_summary,
    key_takeaways: found.key_takeaways,
    transcript: countFrom(transcript, zero),
    lacks,
    details: { action_items: found.actions, ...facts.details },
  };
}

function firstTurn({ readLine }: Pick<Dialect, 'readLine'>, lines: readonly string[]): number {
  const around = { facts: {}, isAfterBlank: true, hasWords: false };
  const found = lines.findIndex((line) => readLine(line, around)?.is === 'turn');
  return found === -1 ? lines.length : found;
}

/** Collected while the turns of a transcript are read. */
interface Found {
  turns: number;
  readonly seconds: number[];
  readonly key_takeaways: string[];
  /** What `tidy` has found between the words. */
  readonly actions: DraftActionItem[];
}

interface Reading {
  readonly facts: RecordingFacts;
  readonly found: Found;
}

/** Yields the turns of a conversation, one at a time: a transcript can have a million of them. */
function* segmentsOf(
  { readLine, tidy }: Pick<Dialect, 'readLine' | 'tidy'>,
  lines: readonly string[],
  { facts, found }: Reading,
): Generator<Segment> {
  let speaker = '';
  let texts: string[] = [];
  let isAfterBlank = true;
  let start: number | undefined;
  let end: number | undefined;
  let mark: number | undefined;
  const addDays = createClock();
  const clock = (seconds: number | undefined) =>
    seconds === undefined ? undefined : addDays(seconds);
  const toSegment = (): Segment => {
    const text = toOneLine(texts.join(' '));
    const tidied = tidy?.(text);
    if (tidied) {
      found.key_takeaways.push(...tidied.key_takeaways);
      found.actions.push(...tidied.key_takeaways.map((action) => ({ text: action, start })));
    }
    return { speaker, text: tidied?.text ?? text, start, end };
  };
  for (const line of lines) {
    const meaning = readLine(line, {
      facts,
      isAfterBlank,
      hasWords: texts.some((text) => text.trim() !== ''),
    });
    isAfterBlank = line.trim() === '';
    if (meaning && 'seconds' in meaning && meaning.seconds !== undefined)
      found.seconds.push(meaning.seconds);
    if (meaning?.is === 'end') break;
    if (meaning?.is === 'turn') {
      found.turns++;
      yield toSegment();
      speaker = withoutBrackets(meaning.speaker);
      texts = meaning.text === undefined ? [] : [meaning.text];
      const isSpan = meaning.start !== undefined;
      start = clock(isSpan ? meaning.start : (meaning.seconds ?? mark));
      end = isSpan ? clock(meaning.seconds) : undefined;
      mark = undefined;
    } else if (meaning?.is === 'time') {
      if (meaning.isStart === true) mark = meaning.seconds;
    } else if (meaning === undefined && !isAfterBlank) texts.push(line);
  }
  yield toSegment();
}

/** Dates a recording whose times count from its start. */
export function dateFromStart(
  seconds: readonly number[],
  { started_at, seconds: length = 0 }: RecordingFacts,
  about: FileInfo,
): DatesOrReason {
  const start = started_at ?? about.started_at;
  if (!hasTime(start)) return { reason: NO_START };
  return { started_at: start, duration_seconds: longest([length, ...seconds]) };
}

function longest(seconds: readonly number[]): number {
  return seconds.reduce((most, each) => Math.max(most, each), 0);
}

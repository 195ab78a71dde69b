// Builds a transcript: one line per turn, with the speaker's name.

import { createTextBytes, type TextBytes } from '../../lib/text-bytes.ts';
import { speakerName, speakerOf } from '../../text/speaker.ts';
import { linesOf } from './lines.ts';
import { createLineStarts, createShares, type Share } from './spoken.ts';

/** A piece of speech. The speaker can be unknown. */
export interface Segment {
  readonly speaker?: string | null | undefined;
  readonly text?: string | null | undefined;
  /** When it starts, in seconds from the start of the memory. */
  readonly start?: number | null | undefined;
  /** When it ends, in seconds from the start of the memory. */
  readonly end?: number | null | undefined;
  /** Whether its text can begin with the name of its speaker: `Mira: Milk.` */
  readonly hasLabel?: boolean;
}

/** A conversation, with one turn per line, and what is known of its lines. */
export interface Transcript {
  readonly text: string;
  /** When each line starts, in milliseconds from the start of the memory. `null` if it is known of none. */
  readonly line_starts_ms: readonly (number | null)[] | null;
  /** The speakers that lines name, in the order of their first lines. */
  readonly speakers: readonly Share[];
}

/**
 * Joins segments into a transcript with one turn per line: `Name: text`. Consecutive segments of one
 * speaker become one turn. Each segment without a speaker is a turn. Empty segments are dropped. If
 * nothing is left, `orText` is the transcript.
 */
export function toTranscript(
  segments: Iterable<Segment>,
  { orText }: { readonly orText?: string | null | undefined } = {},
): Transcript {
  const transcript = createJoinedText();
  const starts = createLineStarts();
  const shares = createShares();
  let turn: string | undefined;
  for (const { hasLabel = false, start, end, ...segment } of segments) {
    const text = withoutMark(toOneLine(segment.text));
    const speaker = speakerName(toOneLine(segment.speaker));
    if (text === '') continue;
    const isNewLine = speaker === '' || turn !== speaker;
    if (!isNewLine) transcript.add(' ');
    else {
      if (turn !== undefined) transcript.add('\n');
      if (speaker !== '') transcript.add(`${speaker}: `);
      turn = speaker;
      starts.add(start);
    }
    transcript.add(text);
    const label = speaker === '' && hasLabel ? speakerOf(text) : undefined;
    const words = label === undefined ? text : text.slice(label.length + 1).trimStart();
    shares.add(label ?? speaker, { words, isNewLine, start, end });
  }
  if (turn === undefined) return asTranscript(orText ?? '');
  return { text: transcript.end(), line_starts_ms: starts.end(), speakers: shares.end() };
}

/** Returns a text as a transcript. Its lines are as they are, and can begin with the names of speakers. */
export function asTranscript(text: string): Transcript {
  return {
    text,
    line_starts_ms: null,
    // Counted when it is asked for: an export of ours has them already.
    get speakers() {
      return speakersIn(text);
    },
  };
}

function speakersIn(text: string): Share[] {
  const shares = createShares();
  for (const line of linesOf(text)) {
    const label = speakerOf(line);
    if (label === undefined) continue;
    shares.add(label, { words: line.slice(label.length + 1), isNewLine: true });
  }
  return shares.end();
}

/** How many characters are joined at a time. */
const PIECE = 8 * 1024;

/**
 * Creates a text that is joined piece by piece, so that a long one takes little more memory than its
 * bytes. Half a surrogate pair, which JSON can have, becomes U+FFFD.
 */
function createJoinedText() {
  let parts: string[] = [];
  let length = 0;
  let bytes: TextBytes | undefined;

  function join(): void {
    (bytes ??= createTextBytes()).add(parts.join('').toWellFormed());
    parts = [];
    length = 0;
  }

  return {
    add(text: string): void {
      parts.push(text);
      length += text.length;
      if (length > PIECE) join();
    },
    end(): string {
      if (bytes) join();
      return bytes?.take() ?? parts.join('').toWellFormed();
    },
  };
}

/** Converts a label to a speaker's name. A number or a letter becomes `Speaker 2` or `Speaker A`, as products show it. */
export function speakerLabel(label: string | number | null | undefined): string {
  const text = String(label ?? '').trim();
  return /^(?:\d+|[A-Z])$/.test(text) ? `Speaker ${text}` : text;
}

const BRACKETED = /^\s*\[(?<speaker>[^[\]]{1,100})\]:\s*(?<words>[^]*)$/;

/**
 * Splits a plain transcript into one segment per line. The lines themselves name the speakers. Brackets
 * around a name are removed, as in `[Alice]: Hello.`
 */
export function lineSegments(text: string): Segment[] {
  return linesOf(text).map((line) => {
    const { speaker, words } = BRACKETED.exec(line)?.groups ?? {};
    return words === undefined ? { text: line, hasLabel: true } : { speaker, text: words };
  });
}

/** What recognisers add to words: WhisperKit's `<|0.00|>`, SenseVoice's `<|HAPPY|>`. */
const TOKEN = /<\|[^|<>]{1,40}\|>/g;

/** Takes off added tokens, and the mark of whisper.cpp that somebody else speaks next. It does not say who. */
function withoutMark(line: string): string {
  const text = line.includes('<|') ? toOneLine(line.replaceAll(TOKEN, ' ')) : line;
  return text.endsWith('[SPEAKER_TURN]') ? text.slice(0, -'[SPEAKER_TURN]'.length).trim() : text;
}

/** White space other than single spaces. To replace each space by itself takes memory and time. */
const NOT_PLAIN = /[^\S ]|\s\s/;

/** Puts a text on one line and trims it. */
export function toOneLine(text: string | null | undefined): string {
  if (text === null || text === undefined) return '';
  return (NOT_PLAIN.test(text) ? text.replaceAll(/\s+/g, ' ') : text).trim();
}

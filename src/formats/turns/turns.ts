// Builds a transcript: one line per turn, with the speaker's name.

import { createTextBytes, type TextBytes } from '../../lib/text-bytes.ts';
import { linesOf } from './lines.ts';

/** A piece of speech. The speaker can be unknown. */
export interface Segment {
  readonly speaker?: string | null | undefined;
  readonly text?: string | null | undefined;
}

/**
 * Joins segments into a transcript with one turn per line: `Name: text`. Consecutive segments of one
 * speaker become one turn. Each segment without a speaker is a turn. Empty segments are dropped.
 */
export function toTranscript(segments: Iterable<Segment>): string {
  const transcript = createJoinedText();
  let turn: string | undefined;
  for (const segment of segments) {
    const text = toOneLine(segment.text);
    const speaker = toOneLine(segment.speaker);
    if (text === '') continue;
    if (speaker !== '' && turn === speaker) transcript.add(' ');
    else {
      if (turn !== undefined) transcript.add('\n');
      if (speaker !== '') transcript.add(`${speaker}: `);
      turn = speaker;
    }
    transcript.add(text);
  }
  return transcript.end();
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

/** Converts a label to a speaker's name. A number becomes `Speaker 2`, as products show it. */
export function speakerLabel(label: string | number | null | undefined): string {
  const text = String(label ?? '').trim();
  return /^\d+$/.test(text) ? `Speaker ${text}` : text;
}

const BRACKETED = /^\s*\[(?<speaker>[^[\]]{1,100})\]:\s*(?<words>[^]*)$/;

/**
 * Splits a plain transcript into one segment per line. The lines themselves name the speakers. Brackets
 * around a name are removed, as in `[Alice]: Hello.`
 */
export function lineSegments(text: string): Segment[] {
  return linesOf(text).map((line) => {
    const { speaker, words } = BRACKETED.exec(line)?.groups ?? {};
    return words === undefined ? { text: line } : { speaker, text: words };
  });
}

/** White space other than single spaces. To replace each space by itself takes memory and time. */
const NOT_PLAIN = /[^\S ]|\s\s/;

/** Puts a text on one line and trims it. */
export function toOneLine(text: string | null | undefined): string {
  if (text === null || text === undefined) return '';
  return (NOT_PLAIN.test(text) ? text.replaceAll(/\s+/g, ' ') : text).trim();
}

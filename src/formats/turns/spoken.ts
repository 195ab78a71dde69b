// What is known of the lines of a transcript: when they start, and how much of them each speaker says.

import { isPresent } from '../field-schemas.ts';

type Seconds = number | null | undefined;

/** How much a speaker says. */
export interface Share {
  readonly name: string;
  readonly lines: number;
  readonly words: number;
  /** How long it takes. `null` if the file does not say when each piece of it ends. */
  readonly speaking_ms: number | null;
}

/** How far before the start of a memory its first words can begin, in milliseconds: clocks differ. */
const TOLERANCE = 1000;

/** Counts the times of lines from another moment, in seconds. */
export function countFrom<T extends LineTimes>(transcript: T, zero: number): T {
  if (zero === 0) return transcript;
  const starts = createLineStarts();
  for (const ms of transcript.line_starts_ms ?? [])
    starts.add(ms === null ? null : ms / 1000 - zero);
  return { ...transcript, line_starts_ms: starts.end() };
}

interface LineTimes {
  readonly line_starts_ms: readonly (number | null)[] | null;
}

/** Creates a list of when lines start. It takes no memory as long as no line has a time. */
export function createLineStarts() {
  let lines = 0;
  let starts: (number | null)[] | undefined;

  return {
    /** Adds the start of the next line, in seconds. */
    add(start: Seconds): void {
      const ms = isPresent(start) ? Math.round(start * 1000) : Number.NaN;
      const isKnown = ms >= -TOLERANCE && Number.isSafeInteger(ms);
      if (isKnown) starts ??= Array.from({ length: lines }, () => null);
      starts?.push(isKnown ? Math.max(ms, 0) : null);
      lines++;
    },
    /** Returns the starts in milliseconds, or `null` if none is known. */
    end: (): readonly (number | null)[] | null => starts ?? null,
  };
}

interface Piece {
  /** What is said, however it is spaced. */
  readonly words: string;
  readonly isNewLine: boolean;
  readonly start?: Seconds;
  readonly end?: Seconds;
}

/** Creates the shares of speakers. */
export function createShares() {
  const shares = new Map<string, { lines: number; words: number; seconds: number }>();

  return {
    /** Adds a piece. Without a name it is nobody's. */
    add(name: string, { words, isNewLine, start, end }: Piece): void {
      if (name === '') return;
      let share = shares.get(name);
      if (!share) shares.set(name, (share = { lines: 0, words: 0, seconds: 0 }));
      if (isNewLine) share.lines++;
      share.words += countWords(words);
      // A piece whose length is unknown makes the sum unknown.
      share.seconds +=
        isPresent(start) && isPresent(end) && end >= start ? end - start : Number.NaN;
    },
    end: (): Share[] =>
      Array.from(shares, ([name, { lines, words, seconds }]) => ({
        name: name.toWellFormed(),
        lines,
        words,
        speaking_ms: Number.isFinite(seconds) ? Math.round(seconds * 1000) : null,
      })),
  };
}

/** Counts what white space separates. To split the text first takes three times as long. */
function countWords(text: string): number {
  let words = 0;
  let isInWord = false;
  for (let i = 0; i < text.length; i++) {
    const isSpace = isWhiteSpace(text.charCodeAt(i));
    if (!isSpace && !isInWord) words++;
    isInWord = !isSpace;
  }
  return words;
}

/** The white space beyond ASCII that the `\s` of a pattern matches. */
const WIDE_SPACES = new Set(
  Array.from(
    '\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF',
    (space) => space.charCodeAt(0),
  ),
);

function isWhiteSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 9 && code <= 13);
  return WIDE_SPACES.has(code);
}

// Cues: the moments of a recording at which the lines of its transcript start.

import { firstThat } from '../../../../../lib/first-that.ts';
import { type TranscriptLine, beginsTurn } from '../../../../../text/turns.ts';
import type { ShownLines } from '../lines.ts';

/** When a line starts. */
export interface Cue {
  /** The line, counted from 1. */
  readonly line: number;
  readonly ms: number;
}

/** The cues of a transcript, in the order of the recording. */
export type Cues = ReturnType<typeof createCues>;

/** Creates the cues of lines that start at these milliseconds. Lines without a time have none. */
export function createCues(starts: readonly (number | null)[]) {
  const ofLine = starts.flatMap((ms, at): Cue[] => (ms === null ? [] : [{ line: at + 1, ms }]));
  const inTime = ofLine.toSorted((a, b) => a.ms - b.ms);
  return {
    /** Returns the cue that is heard at a time, if one has started. */
    at: (ms: number) => inTime[firstThat(inTime.length, (i) => (inTime[i]?.ms ?? 0) > ms) - 1],
    /** Returns the cue of a line, otherwise that of the line before it which has one, or the first. */
    of: (line: number) => ofLine.findLast((cue) => cue.line <= line) ?? ofLine[0],
    /** Returns when a line starts. */
    startOf: (line: number) => starts[line - 1] ?? undefined,
  };
}

/** Returns the lines of the turn that a line is in. Without speakers, it is the line alone. */
export function turnOf(lines: readonly TranscriptLine[], line: number): ShownLines {
  let [first, last] = [line, line];
  while (first > 1 && !beginsTurn(lines, first)) first -= 1;
  if (!beginsTurn(lines, first)) return { first: line, last: line };
  while (last < lines.length && !beginsTurn(lines, last + 1)) last += 1;
  return { first, last };
}

/** Returns a time in a recording as `0:07` or `1:02:03`. */
export function clockOf(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  const shown = hours === 0 ? [minutes] : [hours, minutes % 60];
  return [...shown, seconds % 60]
    .map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0')))
    .join(':');
}

/** Returns the address of a recording that is elsewhere, and undefined for one in a folder of the gateway. */
export function linkOf(audio: string): URL | undefined {
  return /^https?:/i.test(audio) && URL.canParse(audio) ? new URL(audio) : undefined;
}

/**
 * Returns the address of a moment of a recording elsewhere, or undefined if it has none. The address of a sound file
 * takes a time (W3C Media Fragments), and nothing is known of other pages.
 */
export function momentOf(recording: URL, ms: number): string | undefined {
  const moment = new URL(recording);
  if (!/\.(aac|flac|m4a|mp[34]|og[ag]|opus|wav|web[am])$/i.test(moment.pathname)) return undefined;
  moment.hash = `t=${ms / 1000}`;
  return moment.href;
}

// The score of a conversation: who speaks where, as bands of a strip, and where each line is in it.

import { firstThat } from '../lib/first-that.ts';
import type { TranscriptLine } from './turns.ts';

/** What a line adds to the height of a text, in characters. */
const LINE = 50;

/** Where lines are in a text, from 0 to 1. */
export interface Scale {
  /** The height of the text, in characters. */
  readonly height: number;
  /** Returns where a line begins. One after the last is at the end. */
  readonly startOf: (number: number) => number;
  /** Returns the line at a place. Beyond the ends it is the first or the last one. */
  readonly lineAt: (place: number) => number;
}

/** Creates the scale of a text by the lengths of its lines, or by another weight of them. */
export function createScale(
  lines: readonly TranscriptLine[],
  weigh = ({ text }: TranscriptLine) => text.length + LINE,
): Scale {
  const starts = new Float64Array(lines.length + 1);
  for (const [i, line] of lines.entries()) starts[i + 1] = (starts[i] ?? 0) + weigh(line);
  const whole = starts[lines.length] || 1;
  return {
    height: whole,
    startOf: (number) => (starts[Math.min(number - 1, lines.length)] ?? 0) / whole,
    lineAt: (place) => {
      const after = firstThat(lines.length, (at) => (starts[at + 1] ?? 0) > place * whole);
      return Math.min(after + 1, lines.length);
    },
  };
}

/** A part of the strip in the colour of one speaker. */
export interface Band {
  readonly speaker: string;
  /** The first row, and the row after the last. */
  readonly from: number;
  readonly to: number;
}

/** The most rows that are told together. */
const TOGETHER = 8;

/**
 * Returns the bands of a strip of so many rows. A row belongs to the speaker who says most in it. If turns are shorter than
 * a row, several rows are told together, so that it is seen who leads where. Each row with words of `only` is theirs.
 */
export function bandsOf(
  lines: readonly TranscriptLine[],
  scale: Scale,
  rows: number,
  { only }: { readonly only?: string | undefined } = {},
): Band[] {
  const speakers: string[] = [];
  for (const { speaker } of lines) speakers.push(speaker ?? speakers.at(-1) ?? '');
  const turns = speakers.filter((speaker, at) => speaker !== speakers[at - 1]).length;
  const together = Math.min(TOGETHER, Math.max(1, Math.floor((turns * 2) / rows)));
  const bands: Band[] = [];
  for (let from = 0; from < rows; from += together) {
    const to = Math.min(from + together, rows);
    const said = new Map<string, number>();
    const end = to / rows;
    let number = scale.lineAt(from / rows);
    for (; number <= lines.length && scale.startOf(number) < end; number++) {
      const speaker = speakers[number - 1] ?? '';
      const start = Math.max(scale.startOf(number), from / rows);
      const part = Math.min(scale.startOf(number + 1), end) - start;
      said.set(speaker, (said.get(speaker) ?? 0) + part);
    }
    let speaker = '';
    for (const [each, part] of said) if (part > (said.get(speaker) ?? 0)) speaker = each;
    if (only !== undefined && said.has(only)) speaker = only;
    const last = bands.at(-1);
    if (last?.speaker === speaker) bands[bands.length - 1] = { ...last, to };
    else bands.push({ speaker, from, to });
  }
  return bands.filter((band) => band.speaker !== '');
}

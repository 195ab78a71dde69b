// The speakers of a transcript: their classes, their shares of the words, and their turns.

import { hueIn, type Hues } from '../../../../text/hues.ts';
import { beginsTurn, type TranscriptLine } from '../../../../text/turns.ts';

/** How many speakers are named. All others are one share. */
const NAMED = 8;

/** Returns the names of all speakers, in the order in which they first speak. */
export function speakersOf(lines: readonly TranscriptLine[]): string[] {
  return [...new Set(lines.flatMap(({ speaker }) => speaker ?? []))];
}

/** Returns the class with the colour of a speaker. */
export function hueClass(hues: Hues, speaker: string): string {
  return `hue-${hueIn(hues, speaker)}`;
}

/** What part of the words of all speakers one has said. */
export interface Share {
  /** Undefined: all speakers that are not named. */
  readonly speaker: string | undefined;
  /** Above 0, at most 1. */
  readonly share: number;
}

/** Returns the shares of the speakers by words: the largest eight, then all others together. */
export function sharesOf(lines: readonly TranscriptLine[]): Share[] {
  const counts = new Map<string, number>();
  let all = 0;
  for (const { speaker, text } of lines) {
    if (speaker === undefined) continue;
    const words = countWords(text, speaker.length + 1);
    counts.set(speaker, (counts.get(speaker) ?? 0) + words);
    all += words;
  }
  const sorted = [...counts].filter(([, words]) => words > 0).toSorted((a, b) => b[1] - a[1]);
  const shares = (some: typeof sorted) =>
    some.map(([speaker, words]) => ({ speaker, share: words / all }));
  const others = shares(sorted.slice(NAMED)).reduce((sum, { share }) => sum + share, 0);
  const named: Share[] = shares(sorted.slice(0, NAMED));
  return others > 0 ? [...named, { speaker: undefined, share: others }] : named;
}

/** Counts words by the spaces between them. Chinese and Japanese have none, so each character counts. */
export function countWords(text: string, start = 0): number {
  let count = 0;
  let isInside = false;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isAlone = code >= 0x3040 && code < 0xa000;
    const isSpace = code <= 0x20 || code === 0xa0 || code === 0x3000;
    if (isAlone || (!isSpace && !isInside)) count++;
    isInside = !isSpace && !isAlone;
  }
  return count;
}

/**
 * Returns the line where the next (1) or previous (-1) turn of a line's speaker begins, counted from 1,
 * or undefined. A line without a speaker belongs to the turn before it.
 */
export function turnFrom(
  lines: readonly TranscriptLine[],
  number: number,
  step: 1 | -1,
): number | undefined {
  const speaker = lines.slice(0, number).findLast((line) => line.speaker !== undefined)?.speaker;
  for (let i = number - 1 + step; i >= 0 && i < lines.length; i += step) {
    const own = lines[i]?.speaker;
    if ((speaker ?? own) === own && beginsTurn(lines, i + 1)) return i + 1;
  }
  return undefined;
}

/** Returns the numbers of all lines of a speaker. A line without a speaker belongs to the turn before it. */
export function linesOf(lines: readonly TranscriptLine[], speaker: string): number[] {
  let current: string | undefined;
  const numbers: number[] = [];
  for (const [i, line] of lines.entries()) {
    current = line.speaker ?? current;
    if (current === speaker) numbers.push(i + 1);
  }
  return numbers;
}

/** Counts the turns of a speaker. */
export function countTurns(lines: readonly TranscriptLine[], speaker: string): number {
  return lines.filter((line, i) => line.speaker === speaker && beginsTurn(lines, i + 1)).length;
}

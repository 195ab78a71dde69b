// The speakers of a transcript: their names and their turns.

import { beginsTurn, type TranscriptLine } from '../../../../text/turns.ts';

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

/** Returns the numbers of the lines in which the turns of a speaker begin. */
export function turnsOf(lines: readonly TranscriptLine[], speaker: string): number[] {
  return linesOf(lines, speaker).filter((number) => beginsTurn(lines, number));
}

/** Counts the turns of others between a line, which ends a turn, and the next line of its speaker. In a turn it is 0. */
export function turnsAfter(
  lines: readonly TranscriptLine[],
  number: number,
  speaker: string,
): number {
  let count = 0;
  for (let next = number + 1; lines[next - 1]?.speaker !== speaker; next++) {
    const isOwn = count === 0 && lines[next - 1]?.speaker === undefined;
    if (next > lines.length || isOwn) break;
    if (beginsTurn(lines, next)) count++;
  }
  return count;
}

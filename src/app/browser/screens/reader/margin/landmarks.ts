// Landmarks: places of a long transcript whose source made no chapters, by time or by its longest lines, with their first words.

import type { Scale } from '../../../../../text/score.ts';
import { beginning } from '../../../../../text/surrogates.ts';
import { saidOf, type TranscriptLine } from '../../../../../text/turns.ts';
import { lengthOf } from '../../../format.ts';

/** About ten minutes of talk: in milliseconds, and in the characters of a scale. */
const [STEP, PART] = [600_000, 10_000];

/** The most landmarks: more are no overview. */
const MOST = 8;

/** How long the first words are together, in characters. */
const WORDS = 45;

/** A place of a transcript. */
export interface Landmark {
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
}

/**
 * Returns the landmarks of a transcript, none of a short one. If its lines have times, these are the first lines after
 * every ten minutes, or after twice as many if there would be too many of them, and so on. Otherwise they are the longest
 * line of each part. `starts` are milliseconds.
 */
export function landmarksOf(
  lines: readonly TranscriptLine[],
  scale: Scale,
  starts: readonly (number | null)[] = [],
): Landmark[] {
  const parts = Math.min(MOST, Math.floor(scale.height / PART), lines.length);
  if (parts < 2) return [];
  const end = starts.reduce<number>((latest, ms) => Math.max(latest, ms ?? 0), 0);
  const step = STEP * Math.ceil(end / STEP / MOST);
  const found = new Map<number, number>();
  for (const [at, { text }] of lines.entries()) {
    const place = end > 0 ? (starts[at] ?? 0) / step : scale.startOf(at + 1) * parts;
    const part = Math.floor(place);
    const known = found.get(part);
    const isLonger = end === 0 && text.length > (lines[known ?? 0]?.text.length ?? 0);
    if (known === undefined || isLonger) found.set(part, at);
  }
  if (end > 0) found.delete(0); // the beginning
  return [...found].map(([part, at]) => {
    const words = firstWords(lines[at] as TranscriptLine);
    const time = lengthOf((part * step) / 1000);
    return { line: at + 1, text: end > 0 ? `${time} · ${words}` : words };
  });
}

function firstWords(line: TranscriptLine): string {
  const said = saidOf(line);
  return said.length <= WORDS ? said : `${beginning(said, WORDS).replace(/\s+\S*$/, '')}…`;
}

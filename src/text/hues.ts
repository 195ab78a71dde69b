// The colours of people: each name has the same one in every transcript and list.

import type { TranscriptLine } from './turns.ts';

const HUES = 8;

/** Returns the colour of a name, from 1. */
export function hueOf(speaker: string): number {
  let sum = 0;
  for (const char of speaker) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 65_521;
  return (sum % HUES) + 1;
}

/**
 * Returns the colours of the first eight speakers of a transcript. Each has the colour of its name, as in
 * other memories, unless a speaker before it has that one.
 */
export function huesOf(lines: readonly TranscriptLine[]): ReadonlyMap<string, number> {
  const hues = new Map<string, number>();
  const taken = new Set<number>();
  for (const { speaker } of lines) {
    if (speaker === undefined || hues.has(speaker)) continue;
    let hue = hueOf(speaker);
    while (taken.has(hue)) hue = (hue % HUES) + 1;
    hues.set(speaker, hue);
    if (taken.add(hue).size === HUES) break;
  }
  return hues;
}

/** The colours of the first speakers. */
export type Hues = ReturnType<typeof huesOf>;

/** Returns the colour of a speaker in a transcript, from 1. */
export function hueIn(hues: Hues, speaker: string): number {
  return hues.get(speaker) ?? hueOf(speaker);
}

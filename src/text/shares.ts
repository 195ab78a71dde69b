// What part of the words of a transcript each speaker has said.

import type { TranscriptLine } from './turns.ts';

/** How many speakers are named. All others are one share. */
const NAMED = 8;

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

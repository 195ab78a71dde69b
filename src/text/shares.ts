// What part of the words of a transcript each speaker has said.

import { HUES } from './hues.ts';
import type { TranscriptLine } from './turns.ts';

/** What part of the words of all speakers one has said. */
export interface Share {
  /** Undefined: all speakers that are not named. */
  readonly speaker: string | undefined;
  /** How many speakers it is of. */
  readonly count: number;
  /** Above 0, at most 1. */
  readonly share: number;
}

/** Returns the shares of the speakers by words: those of the eight who have a colour, or of `most`, then all others together. */
export function sharesOf(lines: readonly TranscriptLine[], most = HUES): Share[] {
  const counts = new Map<string, number>();
  let all = 0;
  for (const line of lines) {
    const { speaker } = line;
    if (speaker === undefined) continue;
    const words = wordsBySpeaker(line);
    counts.set(speaker, (counts.get(speaker) ?? 0) + words);
    all += words;
  }
  const sorted = [...counts].filter(([, words]) => words > 0).toSorted((a, b) => b[1] - a[1]);
  const shares = (some: typeof sorted) =>
    some.map(([speaker, words]) => ({ speaker, count: 1, share: words / all }));
  const named: Share[] = shares(sorted.slice(0, most));
  const others = shares(sorted.slice(most));
  if (others.length === 0) return named;
  const share = others.reduce((sum, each) => sum + each.share, 0);
  return [...named, { speaker: undefined, count: others.length, share }];
}

/** Counts the words of a line that count for its speaker. */
export function wordsBySpeaker({ speaker, text }: TranscriptLine): number {
  return speaker === undefined ? 0 : countWords(text, speaker.length + 1);
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

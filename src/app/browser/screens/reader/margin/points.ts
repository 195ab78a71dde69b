// Points: where the takeaways of a memory stand in its transcript, by the rare words that they share.

import { wordsOf } from '../../../../../text/landmarks.ts';
import type { TranscriptLine } from '../../../../../text/turns.ts';

/** How much of the weight of its words a place must have to be that of a takeaway. */
const ENOUGH = 0.5;

/** A thought goes on over a few lines. */
const REACH = 3;

/** A takeaway that stands in the transcript. */
export interface Point {
  /** Which takeaway it is, from 0. */
  readonly index: number;
  readonly text: string;
  readonly line: number;
  /** The fragment of the line, with `#`. */
  readonly href: string;
}

/** Returns the line of each text, counted from 1, or undefined if none has enough of its words. */
export function pointsOf(
  lines: readonly TranscriptLine[],
  texts: readonly string[],
): (number | undefined)[] {
  const wanted = texts.map((text) => new Set(wordsOf(text)));
  const places = new Map<string, number[]>();
  for (const words of wanted) for (const word of words) places.set(word, []);
  for (const [at, { text, speaker = '' }] of lines.entries())
    for (const word of wordsOf(text.slice(speaker.length))) {
      const own = places.get(word);
      if (own !== undefined && own.at(-1) !== at) own.push(at);
    }
  // A word of a third of all lines says nothing.
  const weightOf = (word: string) => {
    const count = places.get(word)?.length ?? 0;
    return Math.max(0, Math.log((lines.length + 1) / (3 * count + 1)));
  };
  return wanted.map((words) => {
    const scores = new Map<number, number>();
    let whole = 0;
    for (const word of words) {
      const weight = weightOf(word);
      whole += weight;
      const starts = new Set<number>();
      for (const at of places.get(word) ?? [])
        for (let start = Math.max(0, at - REACH + 1); start <= at; start++) starts.add(start);
      for (const start of starts) scores.set(start, (scores.get(start) ?? 0) + weight);
    }
    let best: number | undefined;
    let most = ENOUGH * whole;
    // A later start with the same words is nearer to them.
    for (const [start, score] of [...scores].toSorted((a, b) => a[0] - b[0]))
      if (score > 0 && score >= most) [best, most] = [start + 1, score];
    return best;
  });
}

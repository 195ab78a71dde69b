// Landmarks: places of a long transcript whose source made no chapters, by time or by its longest lines, with their most telling words.

import { lengthOf } from './length.ts';
import type { Scale } from './score.ts';
import { beginning } from './surrogates.ts';
import { saidOf, type TranscriptLine } from './turns.ts';

/** About ten minutes of talk: in milliseconds, and in the characters of a scale. */
const [STEP, PART] = [600_000, 10_000];

/** The most landmarks: more are no overview. */
const MOST = 8;

/** Among how many lines after a time the longest is chosen: the first may be a mere yes. */
const NEAR = 3;

/** How long the words are together, in characters. */
const WORDS = 45;

/** A place of a transcript. */
export interface Landmark {
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
}

/**
 * Returns the landmarks of a transcript, none of a short one. If its lines have times, these are the first lines, or the longest of the first three, after
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
  const [found, firsts] = [new Map<number, number>(), new Map<number, number>()];
  const lengthAt = (at = -1) => {
    const { text = '', speaker = '' } = lines[at] ?? {};
    return text.length - speaker.length;
  };
  for (const at of lines.keys()) {
    const place = end > 0 ? (starts[at] ?? 0) / step : scale.startOf(at + 1) * parts;
    const part = Math.floor(place);
    const known = found.get(part);
    const isNear = end === 0 || at < (firsts.get(part) ?? at) + NEAR;
    const isLonger = isNear && lengthAt(at) > lengthAt(known);
    if (known === undefined) firsts.set(part, at);
    if (known === undefined || isLonger) found.set(part, at);
  }
  if (end > 0) found.delete(0); // the beginning
  const words = tellingWords([...found.values()].map((at) => saidOf(lines[at] as TranscriptLine)));
  return Array.from(found, ([part, at], index) => {
    const text = words[index] ?? '';
    const time = lengthOf((part * step) / 1000);
    return { line: at + 1, text: end > 0 ? `${time} · ${text}` : text };
  });
}

/** How much of a line is looked through, in characters. */
const MOST_LOOKED = 3000;

/**
 * Returns some words of each line: the beginning of its sentence with the most words that few of the lines have. Courtesies
 * and fillers are in many of them.
 */
function tellingWords(said: readonly string[]): string[] {
  const starts = said.map((text) => text.slice(0, MOST_LOOKED).split(/(?<=[.?!…]) +/));
  const counts = new Map<string, number>();
  for (const sentences of starts)
    for (const word of new Set(sentences.flatMap(wordsOf)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  const weigh = (text: string) =>
    [...new Set(wordsOf(text))].reduce(
      (sum, word) => sum + Math.log(said.length / (counts.get(word) ?? 1)),
      0,
    );
  return starts.map((sentences) => {
    const shown = sentences.map((text) => beginningOf(text));
    const weights = shown.map(weigh);
    return shown[weights.indexOf(Math.max(...weights))] ?? '';
  });
}

function beginningOf(text: string): string {
  return text.length <= WORDS ? text : `${beginning(text, WORDS).replace(/\s+\S*$/, '')}…`;
}

/** Returns the words of a text that may say what it is about. A Chinese character is one. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{Script=Han}|[[\p{L}\p{N}]--\p{Script=Han}]{4,}/gv) ?? [];
}

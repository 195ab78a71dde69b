// Landmarks: places of a long transcript whose source made no chapters, each with a short sentence that tells what is spoken of there.

import { lengthOf } from './length.ts';
import type { Scale } from './score.ts';
import { countWords } from './shares.ts';
import { saidOf, type TranscriptLine } from './turns.ts';

/** About ten minutes of talk: in milliseconds, and in the characters of a scale. */
const [STEP, PART] = [600_000, 10_000];

/** The most landmarks: more are no overview. */
const MOST = 8;

/** For how many lines there is a landmark at least, or else there is none of them. */
const LINES_EACH = 300;

/** In how many lines of a part a sentence is looked for: after a time, and otherwise. */
const [NEAR, FAR] = [20, 200];

/** How many words a sentence has at least, and how many characters at most. */
const [FEWEST, LONGEST] = [4, 60];

/**
 * The least weight of a word that a sentence is about, and of all such words together, after a time and otherwise: in
 * parts of the heaviest weight that a word of the transcript could have. In 65 meetings, most lighter sentences tell nothing.
 */
const [TOPICAL, TIMED, ALONE] = [1 / 6, 0.5, 0.65];

/** What a sentence may begin with that says nothing. */
const FILLERS =
  /^(?:(?:so|and|but|or|well|yeah|yes|no|ok(?:ay)?|(?:al)?right|oh|now|then|because|cause|also|actually|basically|i (?:mean|think|guess))(?:[\s,.]+|$))+/i;

/** What needs the sentence before it, is a courtesy, has a word twice, or was not spoken to its end. */
const VAGUE =
  /^(?:it|that|this|they|he|she|these|those|there|which|who|what|you|do|did|go|let)\b|\b(\p{L}+),? \1\b|\b(?:u[hm]+|h?mm+|you know|i mean|kind of|sort of|thanks?|welcome|sorry|appreciate|please|hello|good (?:morning|afternoon|evening))\b|[[\]{}<>"“”]|--|[,…—–-]\s*[.?!]?$|\.\.\.$/iu;

/** A place of a transcript. */
export interface Landmark {
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
}

/**
 * Returns the landmarks of a transcript. Each part has at most one: a short whole sentence about a topic of that part alone.
 * If the lines have times, a part is ten minutes, or a multiple of ten if there would be too many parts. The sentence is near
 * its beginning, and a part without a sentence has its time alone. A short transcript has no landmarks, nor has one of
 * which half would be without.
 * `starts` are milliseconds.
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
  const isTimed = end > 0;
  // A line without a time is in the part of the line before.
  let reached = 0;
  const found = Map.groupBy(lines.keys(), (at) => {
    reached = starts[at] ?? reached;
    return Math.floor(isTimed ? reached / step : scale.startOf(at + 1) * parts);
  });
  const looked = Array.from(found, ([part, all]) => ({ part, all: all.slice(0, FAR) }));
  const words = looked.map(({ all }) => countsOf(all.map((at) => saidAt(lines, at)).join(' ')));
  const weightOf = (word: string, own: ReadonlyMap<string, number>) =>
    Math.min((own.get(word) ?? 1) - 1, MOST) *
    Math.log(words.length / words.filter((each) => each.has(word)).length);
  const heaviest = MOST * Math.log(words.length);
  const landmarks = looked.flatMap(({ part, all }, index) => {
    if (isTimed && part === 0) return []; // the beginning
    let [best, most, line] = ['', (isTimed ? TIMED : ALONE) * heaviest, all[0] ?? 0];
    for (const at of all.slice(0, isTimed ? NEAR : FAR))
      for (const text of sentencesOf(saidAt(lines, at))) {
        const own = words[index] ?? new Map<string, number>();
        const weight = [...new Set(wordsOf(text))]
          .map((word) => weightOf(word, own))
          .filter((each) => each >= TOPICAL * heaviest)
          .reduce((sum, each) => sum + each, 0);
        if (weight >= most) [best, most, line] = [text, weight, at];
      }
    if (!isTimed) return best === '' ? [] : { line: line + 1, text: best };
    const ms = best === '' ? part * step : (starts[line] ?? part * step);
    const time = lengthOf(Math.round(ms / 60_000) * 60);
    return { line: line + 1, text: best === '' ? time : `${time} · ${best}` };
  });
  // One or two of a long transcript are no overview, nor are those of one half of it.
  const fewest = Math.min(MOST / 2, Math.floor(lines.length / LINES_EACH));
  const ends = [...landmarks.map(({ line }) => line), lines.length];
  const widest = Math.max(...ends.map((line, at) => line - (ends[at - 1] ?? 0)));
  return landmarks.length < fewest || widest > lines.length / 2 ? [] : landmarks;
}

/** How much of a line is looked through, in characters. */
const MOST_LOOKED = 3000;

function saidAt(lines: readonly TranscriptLine[], at: number): string {
  const line = lines[at];
  return line === undefined ? '' : saidOf(line).slice(0, MOST_LOOKED);
}

/** Returns the short whole sentences of a text that can be understood alone, without what they begin with. */
function sentencesOf(text: string): string[] {
  // A title such as `Ms.` ends none.
  const sentences = text.split(/(?<=[.?!…])(?<!\b(?:[dm]rs?|ms|hon)\.)\s+|(?<=[。！？])/i);
  return sentences.flatMap((sentence) => {
    const said = sentence.trim().replace(FILLERS, '');
    const isWhole = /[.?!。！？]$/.test(said) && !VAGUE.test(said);
    if (!isWhole || said.length > LONGEST || countWords(said) < FEWEST) return [];
    return said.charAt(0).toUpperCase() + said.slice(1);
  });
}

/** Counts how often a text has each word. */
function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Returns the words of a text that may say what it is about. A Chinese character is one. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{Script=Han}|[[\p{L}\p{N}]--\p{Script=Han}]{4,}/gv) ?? [];
}

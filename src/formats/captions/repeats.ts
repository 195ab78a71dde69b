// Removes words that captions show again: in rolling lines, in growing lines, or to highlight a word.

import { INLINE_TIME, stripMarkup, tagOffsets } from '../markup.ts';
import type { Cue } from './cue-store.ts';

/** Removes from each cue what the cue before it has shown, if a file shows words again. What is said twice stays. */
export function removeRepeats(cues: Iterable<Cue>): Iterable<Cue> {
  const display = displayOf(cues);
  return display ? { [Symbol.iterator]: () => withoutRepeats(cues, display) } : cues;
}

/** Returns what the cue before a cue has not shown of it, or the lines of the cue if it has shown nothing. */
type Display = (before: Cue, cue: Cue) => readonly string[] | Grown;

/** What a cue adds to all the words of the cue before it. */
interface Grown {
  readonly more: string;
}

function* withoutRepeats(cues: Iterable<Cue>, display: Display): Generator<Cue> {
  let before: Cue | undefined;
  let first: Cue | undefined; // of the cues that grow
  let lines: string[] = [];
  for (const cue of cues) {
    const left = before ? display(before, cue) : cue.lines;
    if ('more' in left) {
      if (lines.length === 0) first = cue;
      lines.push(left.more);
    } else {
      if (first && before) yield { ...first, end: before.end, lines };
      first = cue;
      lines = [...left];
    }
    before = cue;
  }
  if (first && before) yield { ...first, end: before.end, lines };
}

/** Finds out how a file shows words again. One pair of cues cannot show it. */
function displayOf(cues: Iterable<Cue>): Display | undefined {
  const counts = [byLines, byWords].map((display) => {
    return { display, again: 0, further: 0, inARow: 0, most: 0 };
  });
  let pairs = 0;
  let moves = 0;
  let doubles = 0;
  let before: Cue | undefined;
  for (const cue of cues) {
    if (cue.lines.some(isTimed)) return byTimedLines;
    if (before) {
      pairs++;
      if (isMoved(before, cue)) moves++;
      if (isDouble(before, cue)) doubles++;
      for (const count of counts) {
        const left = count.display(before, cue);
        if (left === cue.lines) count.inARow = 0;
        else {
          count.again++;
          if ('more' in left || left.length > 0) count.further++;
          count.most = Math.max(count.most, ++count.inARow);
        }
      }
    }
    before = cue;
  }
  if (moves >= 2) return byHighlight;
  // Rolling captions repeat all the time, at least while they are live, and go on behind what they repeat.
  // Nobody speaks like that.
  const [found] = counts
    .filter(({ again, further, most }) => further >= 2 && (again >= pairs / 2 || most >= LIVE))
    .toSorted((a, b) => b.again - a.again);
  return found?.display ?? (doubles > 0 ? byTimes : undefined);
}

/** Lines whose words have times of their own are new, and all others were shown before. */
const byTimedLines: Display = (before, { lines }) => {
  const shown = new Set(before.lines.map(textOf));
  return lines.filter((line) => isTimed(line) || !shown.has(textOf(line)));
};

/** Whole lines roll up: the last ones of the cue before are the first ones of the cue. */
const byLines: Display = (before, cue) => {
  if (!isDirect(before, cue)) return cue.lines;
  const shared = overlap(before.lines.map(textOf), cue.lines.map(textOf), 1);
  return shared === 0 ? cue.lines : cue.lines.slice(shared);
};

/** A line grows, or rolls up word by word. One or two equal words can be said again, unless they are a whole line. */
const byWords: Display = (before, cue) => {
  if (!isDirect(before, cue)) return cue.lines;
  const [shown, words] = [wordsOf(before.lines), wordsOf(cue.lines)];
  const shared = overlap(shown, words, 1);
  const rolled = before.lines.findIndex((_, i) => wordsOf(before.lines.slice(i)).length === shared);
  if (shared === 0 || (shared < 3 && rolled === -1)) return cue.lines;
  if (shared === words.length) return [];
  const more = words.slice(shared).join(' ');
  return shared === shown.length ? { more } : [more];
};

/** Two cues with the same words have the same times. */
const byTimes: Display = (before, cue) => (isDouble(before, cue) ? [] : cue.lines);

function isDouble(before: Cue, cue: Cue): boolean {
  const isThen = before.start === cue.start && before.end === cue.end && cue.end > cue.start;
  return (
    isThen && before.speaker === cue.speaker && before.lines.join('\n') === cue.lines.join('\n')
  );
}

/** A mark moves from word to word, and the words stay. */
const byHighlight: Display = (before, cue) => (isMoved(before, cue) ? [] : cue.lines);

/** Whether a cue has the words of the cue before it, and its marks are further on or taken away. */
function isMoved(before: Cue, cue: Cue): boolean {
  const [old, now] = [before.lines.join('\n'), cue.lines.join('\n')];
  if (old === now || textOf(old) !== textOf(now)) return false;
  const [from, to] = [markOf(old), markOf(now)];
  return to === 0 || to > from;
}

/** Says how far the tags of a text are in it: the sum of their offsets, so that tags around all words do not count. */
function markOf(text: string): number {
  return tagOffsets(text).reduce((sum, offset) => sum + offset, 0);
}

/** Returns how many of the last items of one list are the first items of another, if they are enough. */
function overlap(shown: readonly string[], next: readonly string[], least: number): number {
  for (let count = Math.min(shown.length, next.length); count >= Math.max(least, 1); count--)
    if (next.slice(0, count).every((each, i) => each === shown[shown.length - count + i]))
      return count;
  return 0;
}

/** How many cues in a row show words again if captions are live at times. */
const LIVE = 4;

/** The longest gap between cues that show the same words, in seconds. Between words that are said twice is a longer pause. */
const MAX_GAP = 0.1;

function isDirect(before: Cue, cue: Cue): boolean {
  return cue.start - before.end <= MAX_GAP;
}

function isTimed(line: string): boolean {
  return INLINE_TIME.test(line);
}

function textOf(line: string): string {
  return stripMarkup(line).trim();
}

function wordsOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => textOf(line).split(/\s+/)).filter(Boolean);
}

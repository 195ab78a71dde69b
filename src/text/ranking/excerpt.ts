// Excerpts: the text of a passage, and where its matched words stand in it.

import type { PassageField } from '../passages/units.ts';
import { isLeadSurrogate, isTrailSurrogate } from '../surrogates.ts';
import type { RankedPassage } from './rank.ts';

/** A passage as text. */
export interface Excerpt {
  readonly source: PassageField;
  /** The first and last line, or nothing outside the transcript. */
  readonly lines: readonly number[];
  readonly text: string;
  /** Pairs `[start, end)` in UTF-16 code units, ascending and disjoint. */
  readonly marks: readonly (readonly [number, number])[];
}

/** Returns the text of a passage with its marks. */
export function excerptOf({ candidate, from, to }: RankedPassage): Excerpt {
  const { units, hits } = candidate.analysis;
  const first = units[from];
  const last = units[to - 1];
  if (first === undefined || last === undefined) throw new RangeError('a passage has no lines');
  const marks: [number, number][] = [];
  for (const hit of hits) {
    if (hit.first < from || hit.last >= to) continue;
    for (let i = 0; i < hit.marks.length; i += 3) {
      const [unit = 0, start = 0, end = 0] = hit.marks.slice(i, i + 3);
      const offset = (units[unit]?.start ?? 0) - first.start;
      marks.push([start + offset, end + offset]);
    }
  }
  return {
    source: first.source,
    lines: first.source === 'transcript' ? [first.line, last.line] : [],
    text: first.text.slice(first.start, last.end),
    marks: mergeMarks(marks),
  };
}

/** Sorts marks, and joins marks that touch. */
function mergeMarks(marks: readonly [number, number][]): [number, number][] {
  const merged: [number, number][] = [];
  for (const [start, end] of marks.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const before = merged.at(-1);
    if (before !== undefined && start <= before[1]) before[1] = Math.max(before[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

/** The fewest characters to which an excerpt is cut. */
const MIN_LENGTH = 20;

/**
 * Cuts an excerpt so that it has at most `length` characters: to the lines around the first mark that
 * fit, otherwise to a part of one line between white space.
 */
export function cutExcerpt(excerpt: Excerpt, length: number): Excerpt {
  const { source, text, lines } = excerpt;
  const limit = Math.max(MIN_LENGTH, length);
  if (text.length <= limit) return excerpt;
  const at = excerpt.marks[0]?.[0] ?? 0;
  const parts = source === 'transcript' ? text.split('\n') : [text];
  let start = 0;
  let number = 0;
  while (number < parts.length - 1 && start + (parts[number]?.length ?? 0) < at)
    start += (parts[number++]?.length ?? 0) + 1;
  const firstLine = (lines[0] ?? 0) + number;
  let end = start + (parts[number]?.length ?? 0);
  let count = 1;
  for (let next = number + 1; next < parts.length; next++, count++) {
    const longer = end + 1 + (parts[next]?.length ?? 0);
    if (longer - start > limit) break;
    end = longer;
  }
  if (end - start > limit) [start, end] = cutLine(text, { start, end, at }, limit);
  return {
    source,
    lines: source === 'transcript' ? [firstLine, firstLine + count - 1] : [],
    text: text.slice(start, end),
    marks: excerpt.marks.flatMap(([from, to]) =>
      from >= start && to <= end ? [[from - start, to - start] as const] : [],
    ),
  };
}

interface Line {
  readonly start: number;
  readonly end: number;
  readonly at: number;
}

/** Returns a part of a line with the character `at`, between white space if possible. */
function cutLine(text: string, { start, end, at }: Line, limit: number): [number, number] {
  const half = Math.floor(limit / 3);
  let from = Math.max(start, Math.min(at - half, end - limit));
  const space = text.slice(from, at).search(/\s/);
  if (from > start && space >= 0) from += space + 1;
  let to = Math.min(end, from + limit);
  if (to < end) {
    const before = text.slice(from, to).search(/\s\S*$/);
    if (before > at - from) to = from + before;
  }
  // Never between the halves of a character.
  if (isTrailSurrogate(text.charCodeAt(from))) from++;
  if (isLeadSurrogate(text.charCodeAt(to - 1))) to--;
  return [from, to];
}

// Joining: turns scored windows into passages that do not overlap.

import type { Hit } from '../analysis.ts';
import type { Matcher } from '../matcher.ts';
import { MAX_PASSAGE, type Unit } from '../units.ts';
import type { Counted } from './windows.ts';

/** A window joins a better neighbour if it has at least this share of its score. */
const JOIN = { short: 0.9, long: 0.35 };

/** How many lines a memory has that counts as long. */
const LONG = 200;

/** Returns a value between two, by the number of lines of a memory. */
export function byLength(lines: number, { short, long }: typeof JOIN): number {
  return short + (long - short) * Math.min(1, lines / LONG);
}

/** Returns whether hits have all required terms. */
export function hasRequired(hits: readonly Hit[], { required }: Matcher): boolean {
  if (required === 0) return true;
  return new Set(hits.flatMap(({ term }) => (term < required ? [term] : []))).size === required;
}

interface Range {
  from: number;
  to: number;
  readonly score: number;
}

/** Turns windows, best first, into passages: each takes the lines that no better one has, or joins a neighbour. */
export function joinWindows(
  windows: readonly Pick<Range, 'from' | 'score'>[],
  { candidate, ends, windows: hitsOf }: Counted,
  matcher: Matcher,
): Range[] {
  const { units } = candidate.analysis;
  const least = byLength(units.length, JOIN);
  const ranges: Range[] = [];
  const taken = new Map<number, Range>();
  for (const { from: first, score } of windows) {
    let [from, to] = [first, ends[first] ?? 0];
    while (from < to && taken.has(from)) from++;
    while (to > from && taken.has(to - 1)) to--;
    const hits = hitsOf.get(first)?.filter((hit) => hit.first >= from && hit.last < to) ?? [];
    if (from >= to) continue;
    const joined = [taken.get(from - 1), taken.get(to)].find(
      (range) =>
        range !== undefined &&
        score >= least * range.score &&
        isPassage(units, Math.min(range.from, from), Math.max(range.to, to)),
    );
    // Lines beside a passage may have no word of the query: what precedes an answer, and what follows it.
    if (joined === undefined && (hits.length === 0 || !hasRequired(hits, matcher))) continue;
    const range = joined ?? { from, to, score };
    range.from = Math.min(range.from, from);
    range.to = Math.max(range.to, to);
    if (joined === undefined) ranges.push(range);
    for (let unit = from; unit < to; unit++) taken.set(unit, range);
  }
  return ranges;
}

/** Returns whether units can be one passage: whole lines, and not too many characters. */
function isPassage(units: readonly Unit[], from: number, to: number): boolean {
  const [first, last] = [units[from], units[to - 1]];
  if (first?.isWhole !== true || last?.isWhole !== true) return false;
  return last.end - first.start <= MAX_PASSAGE;
}

/** Yields the lines of a transcript that no passage has, in order, in stretches as long as passages. */
export function* remaining(
  units: readonly Unit[],
  passages: readonly Pick<Range, 'from' | 'to'>[],
): Generator<Pick<Range, 'from' | 'to'>> {
  const taken = new Set(passages.flatMap(({ from, to }) => numbers(from, to)));
  for (let from = 0; from < units.length; from++) {
    if (taken.has(from) || units[from]?.source !== 'transcript') continue;
    let to = from + 1;
    while (to < units.length && !taken.has(to) && isPassage(units, from, to + 1)) to++;
    yield { from, to };
    from = to - 1;
  }
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

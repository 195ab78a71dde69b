// Joining: turns scored windows into passages that do not overlap.

import type { Hit } from '../passages/analysis.ts';
import type { Matcher } from '../passages/matcher.ts';
import { MAX_PASSAGE, type Unit } from '../passages/units.ts';
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

type Stretch = Pick<Range, 'from' | 'to'>;

/** Yields the lines of a transcript that no passage has, in order, in stretches as long as passages. */
export function* remaining(
  units: readonly Unit[],
  passages: readonly Stretch[],
): Generator<Stretch> {
  for (const gap of gapsOf(units, passages)) yield* stretchesOf(units, gap);
}

/** How many lines before and after a passage are around it. */
const AROUND = 8;

/** Yields the lines around passages that none of them has, in the same way. */
export function* around(units: readonly Unit[], passages: readonly Stretch[]): Generator<Stretch> {
  for (const { from, to } of gapsOf(units, passages)) {
    const after = from === 0 ? 0 : AROUND;
    const before = to === units.length ? 0 : AROUND;
    if (to - from <= after + before) yield* stretchesOf(units, { from, to });
    else {
      yield* stretchesOf(units, { from, to: from + after });
      yield* stretchesOf(units, { from: to - before, to });
    }
  }
}

/** Returns the units before, between and after passages. */
function gapsOf(units: readonly Unit[], passages: readonly Stretch[]): Stretch[] {
  const sorted = passages.toSorted((a, b) => a.from - b.from);
  return [...sorted, { from: units.length, to: 0 }].map(({ from: to }, i) => ({
    from: sorted[i - 1]?.to ?? 0,
    to,
  }));
}

function* stretchesOf(
  units: readonly Unit[],
  { from: first, to: last }: Stretch,
): Generator<Stretch> {
  for (let from = first; from < last; from++) {
    if (units[from]?.source !== 'transcript') continue;
    let to = from + 1;
    while (to < last && isPassage(units, from, to + 1)) to++;
    yield { from, to };
    from = to - 1;
  }
}

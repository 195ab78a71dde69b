// Ranking: scores the passages of memories by BM25, and joins neighbouring ones.

import type { Hit, Matcher } from './analysis.ts';
import { MAX_PASSAGE, type Unit } from './units.ts';
import {
  bm25,
  type Candidate,
  count,
  type Counted,
  type Statistics,
  weigh,
  type Weights,
  wordsBetween,
} from './windows.ts';

/** What an exact match adds, as a share of its word's weight. */
const EXACT = 0.3;
/** What two different words add if they stand within a few words of each other, as a share of the lesser weight. */
const NEAR = 0.5;
const NEAR_WORDS = 4;
/** The share of its neighbours' scores that a window gets, divided by their distance. */
const NEIGHBOURS = 0.5;
const MAX_DISTANCE = 4;
/** The share of its whole memory's score that a window gets. */
const MEMORY = 0.6;

/** A passage: the units `[from, to)` of its memory. */
export interface RankedPassage {
  readonly candidate: Candidate;
  readonly from: number;
  readonly to: number;
  readonly score: number;
}

/**
 * Ranks the passages of some memories: best first, then newest first, then by id and place. Passages do
 * not overlap, and each has all required terms. Yields now and then, so that the caller can run other requests.
 */
export function* rank(
  candidates: readonly Candidate[],
  matcher: Matcher,
  statistics: Statistics,
): Generator<undefined, RankedPassage[], unknown> {
  const counted: Counted[] = [];
  for (const candidate of candidates) {
    counted.push(count(candidate, matcher));
    yield;
  }
  const weights = weigh(counted, matcher, statistics);
  const passages: RankedPassage[] = [];
  for (const each of counted) {
    passages.push(...passagesOf(each, matcher, weights));
    yield;
  }
  return passages.toSorted(compare);
}

function compare(a: RankedPassage, b: RankedPassage): number {
  return (
    b.score - a.score ||
    b.candidate.started_at - a.candidate.started_at ||
    (a.candidate.id < b.candidate.id ? -1 : Number(a.candidate.id > b.candidate.id)) ||
    a.from - b.from
  );
}

function passagesOf(counted: Counted, matcher: Matcher, weights: Weights): RankedPassage[] {
  const { candidate, counts, ends, windows } = counted;
  const { wordsBefore } = candidate.analysis;
  const words = wordsBefore.at(-1) ?? 0;
  const ofMemory = counts.reduce(
    (sum, frequency, term) =>
      frequency === 0
        ? sum
        : sum + (weights.memory[term] ?? 0) * bm25(frequency, words, weights.memoryWords),
    0,
  );
  const own = new Map<number, number>();
  for (const [from, hits] of windows)
    if (hasRequired(hits, matcher)) own.set(from, scoreOf(hits, from));
  const scored = Array.from(own, ([from, score]) => ({ from, score: score + neighbours(from) }));
  scored.sort((a, b) => b.score - a.score || a.from - b.from);
  return joinWindows(scored, counted, matcher).map(({ from, to, score }) => ({
    candidate,
    from,
    to,
    score: score + MEMORY * ofMemory,
  }));

  function scoreOf(hits: readonly Hit[], from: number): number {
    const frequencies = new Map<number, number>();
    const exact = new Set<number>();
    let near = 0;
    for (const [i, { term, isExact, at }] of hits.entries()) {
      frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
      if (isExact) exact.add(term);
      const before = hits[i - 1];
      if (before !== undefined && before.term !== term && Math.abs(at - before.at) <= NEAR_WORDS)
        near = Math.max(near, Math.min(weightOf(term), weightOf(before.term)));
    }
    // Short names and summaries get no bonus for their length.
    const length = wordsBetween(wordsBefore, from, ends[from] ?? 0);
    const isTranscript = candidate.analysis.units[from]?.source === 'transcript';
    const size = isTranscript ? length : Math.max(length, weights.windowWords);
    let score = NEAR * near;
    for (const [term, frequency] of frequencies)
      score +=
        weightOf(term) *
        (bm25(frequency, size, weights.windowWords) + (exact.has(term) ? EXACT : 0));
    return score;
  }

  function weightOf(term: number): number {
    return weights.window[term] ?? 0;
  }

  function neighbours(from: number): number {
    let sum = 0;
    for (let distance = 1; distance <= MAX_DISTANCE; distance++)
      sum += ((own.get(from - distance) ?? 0) + (own.get(from + distance) ?? 0)) / distance;
    return NEIGHBOURS * sum;
  }
}

/** A window joins a better neighbour if it has at least this share of its score. */
const JOIN = 0.35;

/** Returns whether hits have all required terms. */
function hasRequired(hits: readonly Hit[], { required }: Matcher): boolean {
  if (required === 0) return true;
  return new Set(hits.flatMap(({ term }) => (term < required ? [term] : []))).size === required;
}

interface Range {
  from: number;
  to: number;
  readonly score: number;
}

/** Turns windows, best first, into passages: each takes the lines that no better one has, or joins a neighbour. */
function joinWindows(
  windows: readonly Pick<Range, 'from' | 'score'>[],
  { candidate, ends, windows: hitsOf }: Counted,
  matcher: Matcher,
): Range[] {
  const { units } = candidate.analysis;
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
        score >= JOIN * range.score &&
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

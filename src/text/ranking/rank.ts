// Ranking: scores the passages of memories by BM25, and joins neighbouring ones.

import { compareText } from '../../lib/order.ts';
import type { Hit } from '../passages/analysis.ts';
import type { Matcher } from '../passages/matcher.ts';
import { byLength, hasRequired, joinWindows } from './join.ts';
import { raiseRuns } from './runs.ts';
import { weightOfHits } from './turns.ts';
import {
  bm25,
  type Candidate,
  count,
  type Counted,
  OF_MEMORIES,
  type Statistics,
  weigh,
  type Weights,
  wordsBetween,
} from './windows.ts';

/** What an exact match adds, as a share of its word's weight. */
const EXACT = 0.6;
/** What each pair of words adds that stand within a few words of each other, as a share of the lesser weight. */
const NEAR = 0.8;
const NEAR_WORDS = 4;
/**
 * The share of its neighbours' scores that a window gets, divided by their distance: in a short talk a line
 * answers, in a long meeting a stretch does.
 */
const NEIGHBOURS = { short: 0.1, long: 0.3 };
const MAX_DISTANCE = 4;
/** The power of a word's weight in windows. A long meeting has many rare words, and is about none of them. */
const RARITY = { short: 1, long: 0.8 };
/** How much the score of a whole memory counts beside that of a window. */
const MEMORY = 2;
/**
 * The power of the share of keywords that a memory has. With 1 a memory with less of them is before one with more in 10 %
 * of the pairs among the first ten, with 3 in 5 %, and without it in 20 %.
 */
const COVERAGE = 3;
/** What a word that a half-typed one begins covers of it, if other memories have that as a word: these come first. */
const BEGUN = 0.25;
/** What a window is multiplied by that says when something was, if the query asks for it. */
const WHEN = 1.5;

/** A passage: the units `[from, to)` of its memory. */
export interface RankedPassage {
  readonly candidate: Candidate;
  readonly from: number;
  readonly to: number;
  readonly score: number;
}

/** A passage with words of the query. */
export interface PassageOfWords extends RankedPassage {
  /** What its memory scores as a whole, and so do the lines of it without a word. */
  readonly ofMemory: number;
}

/**
 * Ranks the passages of some memories: best first, then newest first, then by id and place. Passages do
 * not overlap, and each has all required terms. Yields now and then, so that the caller can run other requests.
 */
export function* rank(
  candidates: readonly Candidate[],
  matcher: Matcher,
  statistics: Statistics,
): Generator<undefined, PassageOfWords[], unknown> {
  const counted: Counted[] = [];
  for (const candidate of candidates) {
    counted.push(count(candidate, matcher));
    yield;
  }
  const weights = weigh(counted, matcher, statistics);
  const passages: PassageOfWords[] = [];
  for (const each of counted) {
    passages.push(...passagesOf(each, matcher, weights));
    yield;
  }
  const sorted = passages.toSorted(comparePassages);
  return raiseRuns(sorted, matcher, weights).toSorted(comparePassages);
}

/** Orders passages: best first, then newest first, then by id and place. */
export function comparePassages(a: RankedPassage, b: RankedPassage): number {
  return (
    b.score - a.score ||
    b.candidate.started_at - a.candidate.started_at ||
    compareText(a.candidate.id, b.candidate.id) ||
    a.from - b.from
  );
}

function passagesOf(counted: Counted, matcher: Matcher, weights: Weights): PassageOfWords[] {
  const { candidate, counts, ends, windows, labels, typed } = counted;
  const { units, wordsBefore, whenUnits } = candidate.analysis;
  const weightOfHit = weightOfHits(candidate.analysis, labels, weights.isName);
  const share = byLength(units.length, NEIGHBOURS);
  const rarity = byLength(units.length, RARITY);
  const weightsHere = weights.window.map((weight) => weight ** rarity);
  const words = wordsBefore[units.length] ?? 0;
  const ofWords = counts.reduce(
    (sum, frequency, term) =>
      frequency === 0
        ? sum
        : sum +
          (weights.memory[term] ?? 0) * bm25(frequency, words, weights.memoryWords, OF_MEMORIES),
    0,
  );
  const has = counts.flatMap((frequency, term) => (frequency > 0 ? [term] : []));
  const covered = coverage(has) ** COVERAGE;
  const ofMemory = covered * candidate.boost * MEMORY * ofWords;
  const own = new Map<number, number>();
  for (const [from, hits] of windows)
    if (hasRequired(hits, matcher)) own.set(from, scoreOf(hits, from));
  const scored = Array.from(own, ([from, score]) => ({ from, score: score + neighbours(from) }));
  scored.sort((a, b) => b.score - a.score || a.from - b.from);
  return joinWindows(scored, counted, matcher).map(({ from, to, score }) => ({
    candidate,
    from,
    to,
    score: covered * candidate.boost * score + ofMemory,
    ofMemory,
  }));

  function scoreOf(hits: readonly Hit[], from: number): number {
    const frequencies = new Map<number, number>();
    const exact = new Set<number>();
    const pairs = new Set<number>();
    let near = 0;
    for (const [i, hit] of hits.entries()) {
      const { term, isExact, at } = hit;
      frequencies.set(term, (frequencies.get(term) ?? 0) + weightOfHit(hit));
      if (isExact) exact.add(term);
      const before = hits[i - 1];
      if (before === undefined || before.term === term || at - before.at > NEAR_WORDS) continue;
      const pair = counts.length * Math.min(term, before.term) + Math.max(term, before.term);
      if (pairs.has(pair)) continue;
      pairs.add(pair);
      near += Math.min(weightOf(term), weightOf(before.term));
    }
    // Short names and summaries get no bonus for their length.
    const length = wordsBetween(wordsBefore, from, ends[from] ?? 0);
    const isTranscript = units[from]?.source === 'transcript';
    const size = isTranscript ? length : Math.max(length, weights.windowWords);
    let score = NEAR * near;
    for (const [term, frequency] of frequencies)
      score +=
        weightOf(term) *
        (bm25(frequency, size, weights.windowWords) + (exact.has(term) ? EXACT : 0));
    score *= (1 + coverage(frequencies.keys())) / 2;
    return tellsWhen(from) ? WHEN * score : score;
  }

  /**
   * Returns which share of the keywords some terms are, by their rarity: one word that is said again and again would come
   * before two others. A question has words that nobody says, so each of its words counts for itself.
   */
  function coverage(terms: Iterable<number>): number {
    if (!matcher.isKeywords) return 1;
    let sum = 0;
    for (const term of terms) {
      const isBegun = weights.isTyped[term] && !typed.has(term);
      sum += (isBegun ? BEGUN : 1) * (weights.memory[term] ?? 0);
    }
    return sum / weights.found;
  }

  function tellsWhen(from: number): boolean {
    if (whenUnits.size === 0) return false;
    for (let unit = from; unit < (ends[from] ?? 0); unit++) if (whenUnits.has(unit)) return true;
    return false;
  }

  function weightOf(term: number): number {
    return weightsHere[term] ?? 0;
  }

  function neighbours(from: number): number {
    let sum = 0;
    for (let distance = 1; distance <= MAX_DISTANCE; distance++)
      sum += ((own.get(from - distance) ?? 0) + (own.get(from + distance) ?? 0)) / distance;
    return share * sum;
  }
}

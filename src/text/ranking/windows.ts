// Windows: counts the words of a query in every few turns of a memory, and weighs them by their rarity (BM25).

import type { Analysis, Hit } from '../passages/analysis.ts';
import type { Matcher } from '../passages/matcher.ts';
import { MAX_PASSAGE, type Unit } from '../passages/units.ts';
import { labelsOf, NAME_SHARE, type Labels } from './turns.ts';

/** BM25: how soon more of a word adds little, and how much a long text counts for less. */
interface Saturation {
  readonly k1: number;
  readonly b: number;
}
const OF_WINDOWS: Saturation = { k1: 1.2, b: 0.75 };
/** What a memory is about, it says again and again. */
export const OF_MEMORIES: Saturation = { k1: 3, b: 1 };
/** How many times a word counts for its memory if it is in the name, which says what the memory is about. */
const IN_NAME = 5;
/** How many turns a window has. Windows overlap: each line begins one. */
const WINDOW = 3;

/** A memory whose passages are ranked. */
export interface Candidate {
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly started_at: number;
  /** What its score is multiplied by, because a date of the query is near. */
  readonly boost: number;
  readonly analysis: Analysis;
}

/** How many memories there are, and how many have each term. */
export interface Statistics {
  readonly memories: number;
  readonly withTerm: readonly number[];
}

/** The windows of a memory that have hits, and its counts. */
export interface Counted {
  readonly candidate: Candidate;
  /** By the unit in which they begin. */
  readonly windows: ReadonlyMap<number, readonly Hit[]>;
  readonly ends: Int32Array;
  /** How often each term occurs, those in the name more often, and in how many windows. */
  readonly counts: readonly number[];
  readonly windowCounts: readonly number[];
  readonly windowTotal: number;
  readonly wordTotal: number;
  readonly labels: Labels;
  /** The half-typed terms that it has as words. */
  readonly typed: ReadonlySet<number>;
}

/** What a match of each term counts, and the average lengths in words. */
export interface Weights {
  readonly window: readonly number[];
  readonly memory: readonly number[];
  /** Whether each term names somebody who speaks in few of the memories. */
  readonly isName: readonly boolean[];
  /** Whether any memory has each term, if it is half typed, as a word. */
  readonly isTyped: readonly boolean[];
  /** What all terms count together that any memory has. */
  readonly found: number;
  readonly windowWords: number;
  readonly memoryWords: number;
}

/** Counts the words of a query in the windows of a memory. */
export function count(candidate: Candidate, { terms, halfTyped }: Matcher): Counted {
  const { units, hits, wordsBefore } = candidate.analysis;
  const ends = windowEnds(candidate.analysis);
  const windows = new Map<number, Hit[]>();
  const counts = Array.from({ length: terms }, () => 0);
  const typed = new Set<number>();
  for (const hit of hits) {
    if (hit.isExact && halfTyped.has(hit.term)) typed.add(hit.term);
    const isInName = units[hit.first]?.source === 'name';
    counts[hit.term] = (counts[hit.term] ?? 0) + (isInName ? IN_NAME : 1);
    for (let from = Math.max(0, hit.last - WINDOW + 1); from <= hit.first; from++) {
      if ((ends[from] ?? 0) <= hit.last) continue;
      const known = windows.get(from);
      if (known === undefined) windows.set(from, [hit]);
      else known.push(hit);
    }
  }
  const windowCounts = Array.from({ length: terms }, () => 0);
  for (const found of windows.values())
    for (const term of new Set(found.map((hit) => hit.term)))
      windowCounts[term] = (windowCounts[term] ?? 0) + 1;
  let [windowTotal, wordTotal] = [0, 0];
  for (const [from, end] of ends.entries()) {
    if (end === 0) continue;
    windowTotal++;
    wordTotal += wordsBetween(wordsBefore, from, end);
  }
  const labels = labelsOf(candidate.analysis);
  return { candidate, windows, ends, counts, windowCounts, windowTotal, wordTotal, labels, typed };
}

/** Returns where the window of each unit ends. 0: the window before it has the same last lines and more. */
function windowEnds({
  units,
  excludedUnits,
}: Pick<Analysis, 'units' | 'excludedUnits'>): Int32Array {
  const ends = new Int32Array(units.length);
  let last = 0;
  for (const [from, { isWhole, start }] of units.entries()) {
    if (excludedUnits.has(from)) continue;
    const most = isWhole ? from + WINDOW : from;
    let end = from + 1;
    while (end < most && !excludedUnits.has(end) && fits(units[end], start)) end++;
    if (end === last && end === units.length) continue;
    ends[from] = last = end;
  }
  return ends;
}

function fits(unit: Unit | undefined, start: number): boolean {
  return unit !== undefined && unit.isWhole && unit.end - start <= MAX_PASSAGE;
}

/** Returns how many words some units have. */
export function wordsBetween(wordsBefore: ArrayLike<number>, from: number, to: number): number {
  return (wordsBefore[to] ?? 0) - (wordsBefore[from] ?? 0);
}

/** Weighs terms by their rarity: among memories, and among windows as far as the candidates tell. */
export function weigh(
  counted: readonly Counted[],
  { terms, shares }: Matcher,
  { memories, withTerm }: Statistics,
): Weights {
  const sum = (numberOf: (each: Counted) => number) =>
    counted.reduce((total, each) => total + numberOf(each), 0);
  const windowTotal = Math.max(
    1,
    sum((each) => each.windowTotal),
  );
  const memoryTotal = Math.max(1, counted.length);
  const allWindows = (memories * windowTotal) / memoryTotal;
  const byTerm = Array.from({ length: terms }, (_, term) => {
    const candidatesWith = sum((each) => Number((each.counts[term] ?? 0) > 0));
    const labelled = sum((each) => Number(each.labels.has(term)));
    const windowsWith = sum((each) => each.windowCounts[term] ?? 0);
    const found = Math.min(memories, Math.max(withTerm[term] ?? 0, candidatesWith));
    const windowsPerMemory = candidatesWith === 0 ? 1 : windowsWith / candidatesWith;
    const share = shares[term] ?? 1;
    return {
      isFound: candidatesWith > 0,
      isTyped: counted.some(({ typed }) => typed.has(term)),
      isName: labelled > 0 && labelled * found < NAME_SHARE * candidatesWith * memories,
      memory: share * idf(found, memories),
      window: share * idf(Math.min(allWindows, found * windowsPerMemory), allWindows),
    };
  });
  return {
    window: byTerm.map(({ window }) => window),
    memory: byTerm.map(({ memory }) => memory),
    isName: byTerm.map(({ isName }) => isName),
    isTyped: byTerm.map(({ isTyped }) => isTyped),
    found: byTerm.reduce((all, { isFound, memory }) => all + (isFound ? memory : 0), 0) || 1,
    windowWords: sum((each) => each.wordTotal) / windowTotal || 1,
    memoryWords:
      sum(({ candidate: { analysis } }) => analysis.wordsBefore[analysis.units.length] ?? 0) /
        memoryTotal || 1,
  };
}

/** Inverse document frequency, always above 0. */
export function idf(found: number, all: number): number {
  return Math.log(1 + (Math.max(0, all - found) + 0.5) / (found + 0.5));
}

/** Returns the share of a term's weight that a text gets, given how often it has the term and how long it is. */
export function bm25(
  frequency: number,
  words: number,
  average: number,
  { k1, b } = OF_WINDOWS,
): number {
  return (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + (b * words) / average));
}

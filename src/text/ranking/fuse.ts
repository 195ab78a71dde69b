// Fusion: joins the passages that words found with those that are near in meaning, by their ranks.

import { comparePassages, type RankedPassage } from './rank.ts';
import type { Candidate } from './windows.ts';

/** A stretch of a memory that is near to a query in meaning. */
export interface NearStretch {
  readonly candidate: Candidate;
  readonly from: number;
  readonly to: number;
}

/** Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): the first ranks count alike, later ones less and less. */
const K = 60;
/** What meaning counts at least, so that its passages keep their order. */
const LEAST_WEIGHT = 0.001;

/**
 * Joins passages, best first, with stretches, nearest first. A passage gets what the best of the stretches counts
 * that overlap it, and no passage before it. A stretch that overlaps none becomes a passage of its own.
 */
export function fuse(
  ranked: readonly RankedPassage[],
  near: readonly NearStretch[],
  weight: number,
): RankedPassage[] {
  const scores = new Map(ranked.map((passage, rank) => [passage, 1 / (K + rank)]));
  const ofMemory = Map.groupBy(ranked, ({ candidate }) => candidate.id);
  const joined = new Set<RankedPassage>();
  const added: RankedPassage[] = [];
  for (const [rank, stretch] of near.entries()) {
    const score = Math.max(weight, LEAST_WEIGHT) / (K + rank);
    const passage = ofMemory
      .get(stretch.candidate.id)
      ?.find(({ from, to }) => from < stretch.to && stretch.from < to);
    if (passage === undefined) added.push({ ...stretch, score });
    else if (!joined.has(passage)) {
      joined.add(passage);
      scores.set(passage, (scores.get(passage) ?? 0) + score);
    }
  }
  const passages = ranked.map((passage) => ({ ...passage, score: scores.get(passage) ?? 0 }));
  return [...passages, ...added].toSorted(comparePassages);
}

/** From this mean place on, meaning counts something, and from the other one on as much as words. */
const FROM = 0.75;
const TO = 0.9;

/**
 * Returns how much meaning counts, from 0 to 1, by the places of the words' best passages among all vectors: 1 is the
 * nearest, 0 the farthest. Where vectors tell nothing, the mean of ten is about 0.5, and above 0.75 once in 500
 * queries. Without a passage only meaning is left.
 */
export function agreement(places: readonly number[]): number {
  if (places.length === 0) return 1;
  // One place in the middle more, because few places tell little.
  const mean = places.reduce((sum, place) => sum + place, 0.5) / (places.length + 1);
  return Math.min(1, Math.max(0, (mean - FROM) / (TO - FROM)));
}

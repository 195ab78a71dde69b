// Search by meaning: joins the stretches that are nearest to a query with what words found.

import type { Nearness } from '../../../embeddings/numbers.ts';
import type { PlacedMemory } from '../../../store/search/postings.ts';
import { stretchesOf, type Stretch } from '../../../text/passages/stretches.ts';
import { agreement, fuse, type NearStretch } from '../../../text/ranking/fuse.ts';
import type { RankedPassage } from '../../../text/ranking/rank.ts';
import type { Candidate } from '../../../text/ranking/windows.ts';
import { step, type Steps } from '../../fair-share/time.ts';
import type { Searched } from './cached-postings.ts';
import { readNearness, type Near } from './nearest.ts';

/** How many stretches of the words' best passages tell whether vectors agree with them, and how many passages are looked at. */
const JUDGED = 10;
const LOOKED_AT = 30;

/** Adds the memories that are near to those with the best words, if these are not among them. */
export function* addNear(
  { store, account_id, revision }: Searched,
  { ids }: Near,
  byWords: readonly PlacedMemory[],
): Steps<readonly PlacedMemory[]> {
  const known = new Set(byWords.map(({ id }) => id));
  const others = ids.filter((id) => !known.has(id));
  if (others.length === 0) return byWords;
  return [...byWords, ...(yield* step(store.places(account_id, others, revision)))];
}

/** A memory that was read, with the hash of its body. */
export interface ReadCandidate extends Candidate {
  readonly body_sha256: string;
}

/** Returns the candidates that were found by words. */
export function amongPlaced(
  candidates: readonly ReadCandidate[],
  placed: readonly PlacedMemory[],
): readonly ReadCandidate[] {
  const ids = new Set(placed.map(({ id }) => id));
  return candidates.filter(({ id }) => ids.has(id));
}

/** The passages of a group of candidates, and all of these. */
interface Ranked {
  readonly ranked: readonly RankedPassage[];
  readonly candidates: readonly ReadCandidate[];
  /** Whether it is the first group, which has all stretches that are near. */
  readonly isFirst: boolean;
}

/** Joins the passages that words found with the stretches that are near. */
export function* joinNear(
  searched: Searched,
  near: Near,
  { ranked, candidates, isFirst }: Ranked,
): Steps<readonly RankedPassage[]> {
  if (!isFirst) return withoutNear(near, ranked);
  const judged = ranked.slice(0, LOOKED_AT);
  const ids = new Set([...near.ids, ...judged.map(({ candidate }) => candidate.id)]);
  const known = yield* readStretches(searched, near, { ids, candidates });
  const stretches = near.places.flatMap(({ id, number }): NearStretch[] => {
    const { candidate, stretches: all } = known.get(id) ?? {};
    const stretch = all?.[number];
    return candidate && stretch ? [{ candidate, from: stretch.from, to: stretch.to }] : [];
  });
  const weight = agreement(placesOf(judged, known, near.histogram));
  // The rest of a memory follows in its own order.
  if (weight === 0 && near.isOne) return ranked;
  return fuse(ranked, stretches, weight);
}

/** A memory with its stretches, and how near each of them is. */
interface Known {
  readonly candidate: Candidate;
  readonly stretches: readonly Stretch[];
  readonly nearness: readonly Nearness[];
}

/** Reads the stretches of candidates. Vectors of another text, or of one that was not read whole, are left out. */
function* readStretches(
  searched: Searched,
  near: Near,
  { ids, candidates }: { ids: ReadonlySet<string>; candidates: readonly ReadCandidate[] },
): Steps<ReadonlyMap<string, Known>> {
  const known = new Map<string, Known>();
  const others = [...ids].filter((id) => !near.known.has(id));
  const read = yield* readNearness(searched, others, near);
  for (const candidate of candidates) {
    const { id, body_sha256, analysis } = candidate;
    const compared = ids.has(id) ? (near.known.get(id) ?? read.get(id)) : undefined;
    if (compared?.body_sha256 !== body_sha256) continue;
    const stretches = [...stretchesOf(analysis.units)];
    const { nearness } = compared;
    if (stretches.length === nearness.length) known.set(id, { candidate, stretches, nearness });
    yield;
  }
  return known;
}

/** Returns the places of the stretches that passages are in, each stretch once: from 0, the farthest, to 1. */
function placesOf(
  passages: readonly RankedPassage[],
  known: ReadonlyMap<string, Known>,
  histogram: readonly number[],
): number[] {
  const places = new Map<Nearness, number>();
  for (const { candidate, from, to } of passages) {
    const { stretches = [], nearness = [] } = known.get(candidate.id) ?? {};
    const middle = (from + to) >> 1;
    const found = nearness[stretches.findIndex((each) => each.from <= middle && middle < each.to)];
    if (found !== undefined) places.set(found, placeAmong(histogram, found.distance));
  }
  return [...places.values()].slice(0, JUDGED);
}

/** Returns the share of vectors that are farther than a distance. Those at the same distance count half. */
function placeAmong(histogram: readonly number[], distance: number): number {
  let [all, farther] = [0, 0];
  for (const [at, count = 0] of histogram.entries()) {
    all += count;
    if (at > distance) farther += count;
    else if (at === distance) farther += count / 2;
  }
  return all === 0 ? 0 : farther / all;
}

/** Leaves out what the first group of candidates has shown because it is near. */
function withoutNear(near: Near, ranked: readonly RankedPassage[]): readonly RankedPassage[] {
  const shown = Map.groupBy(near.places, ({ id }) => id);
  return ranked.filter(({ candidate, from, to }) => {
    const numbers = shown.get(candidate.id);
    if (numbers === undefined) return true;
    const stretches = [...stretchesOf(candidate.analysis.units)];
    return !numbers.some(({ number }) => {
      const stretch = stretches[number];
      return stretch !== undefined && stretch.from < to && from < stretch.to;
    });
  });
}

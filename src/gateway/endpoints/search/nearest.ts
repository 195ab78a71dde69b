// The stretches of an account that are nearest to a query: a look at the signs of all vectors, then at the numbers of the best.

import {
  compareVectors,
  distances,
  type Nearness,
  type QueryVector,
} from '../../../embeddings/numbers.ts';
import { compareText } from '../../../lib/order.ts';
import type { PlacedMemory } from '../../../store/search/postings.ts';
import type { MemoryVectors, VectorKind } from '../../../store/vectors/vectors.ts';
import { step, type Steps } from '../../fair-share/time.ts';
import { filtersOf, type SearchFilters, type Searched } from './cached-postings.ts';

/** The vector of a query, and which vectors it can be compared with. */
export interface Meaning {
  readonly kind: VectorKind;
  /** Undefined: the endpoint does not respond, or this caller may not search by meaning. */
  readonly vector: QueryVector | undefined;
  /** Called if no vector of the account can be compared with it, because they have another length. */
  readonly reportOtherLength: () => void;
}

/** A stretch that is near, by its number in its memory. */
interface Place {
  readonly id: string;
  readonly number: number;
  readonly similarity: number;
}

interface Wanted {
  readonly kind: VectorKind;
  readonly vector: QueryVector;
}

/** How near the stretches of a memory are, in their order. */
interface MemoryNearness extends Pick<MemoryVectors, 'body_sha256'> {
  readonly nearness: readonly Nearness[];
}

/** What is near to a query. */
export interface Near extends Wanted {
  /** Whether it is one memory that is searched. */
  readonly isOne: boolean;
  /** How many memories were compared. */
  readonly compared: number;
  /** The nearest stretches, best first. */
  readonly places: readonly Place[];
  /** The memories that they are of. */
  readonly ids: readonly string[];
  /** The memories that were compared by all of their numbers, by their ids. */
  readonly known: ReadonlyMap<string, MemoryNearness>;
  /** How many vectors differ from the query in each number of signs. */
  readonly histogram: readonly number[];
}

/** How many memories are compared by all of their numbers, after a look at the signs of all memories. */
const BEST = 100;
/** How many stretches are joined with the passages of words, and of how many memories at most. */
const STRETCHES = 50;
const MEMORIES = 30;
/** How many memories are read at a time. */
const READ = 10;

/** Where to look: in all memories that match the filters, or only in some that do. */
interface Within {
  readonly filters: SearchFilters;
  /** The one that is searched, or none if the filters exclude it. Default: all. */
  readonly only?: readonly PlacedMemory[] | undefined;
}

/** Finds what is near. Reads a part at a time. Undefined: nothing can be compared. */
export function* findNear(
  searched: Searched,
  { filters, only }: Within,
  { kind, vector, reportOtherLength }: Meaning,
): Steps<Near | undefined> {
  if (vector === undefined) return undefined;
  const wanted = { kind, vector };
  const isOne = only !== undefined;
  const looked =
    only === undefined
      ? yield* lookAtSigns(searched, filters, wanted)
      : { compared: 0, histogram: [], best: only.map(({ id }) => id) };
  const histogram = [...looked.histogram];
  const all: Place[] = [];
  const known = yield* readNearness(searched, looked.best, wanted);
  if (known.size === 0) {
    if (!isOne && looked.best.length > 0) reportOtherLength();
    return undefined;
  }
  for (const [id, { nearness }] of known)
    for (const [number, { similarity, distance }] of nearness.entries()) {
      all.push({ id, number, similarity });
      if (isOne) histogram[distance] = (histogram[distance] ?? 0) + 1;
    }
  all.sort((a, b) => b.similarity - a.similarity || compareText(a.id, b.id) || a.number - b.number);
  const nearest = all.slice(0, STRETCHES);
  const ids = [...new Set(nearest.map(({ id }) => id))].slice(0, MEMORIES);
  const places = nearest.filter(({ id }) => ids.includes(id));
  const compared = isOne ? known.size : looked.compared;
  return { ...wanted, isOne, compared, places, ids, known, histogram };
}

/** Compares the signs of all vectors, and returns the memories with the nearest of them. */
function* lookAtSigns(
  { store, account_id, revision }: Searched,
  filters: SearchFilters,
  { kind, vector }: Wanted,
) {
  const histogram: number[] = [];
  let best: { readonly id: string; readonly distance: number }[] = [];
  let compared = 0;
  const keepBest = () => {
    best.sort((a, b) => a.distance - b.distance || compareText(a.id, b.id));
    best = best.slice(0, BEST);
  };
  const range = { ...kind, account_id, revision, ...filtersOf(filters) };
  for (let after: string | undefined; ;) {
    const read = yield* step(store.signs({ ...range, after }));
    for (const { memory_id: id, signs } of read.memories) {
      const found = distances(vector, signs);
      for (const distance of found) histogram[distance] = (histogram[distance] ?? 0) + 1;
      if (found.length > 0) best.push({ id, distance: Math.min(...found) });
      compared++;
    }
    if (best.length > 10 * BEST) keepBest();
    if (read.rest === undefined) break;
    after = read.rest;
  }
  keepBest();
  return { compared, histogram, best: best.map(({ id }) => id) };
}

/** Compares all numbers of the vectors of some memories. */
export function* readNearness(
  { store, account_id, revision }: Searched,
  ids: readonly string[],
  { kind, vector }: Wanted,
): Steps<Map<string, MemoryNearness>> {
  const found = new Map<string, MemoryNearness>();
  for (let i = 0; i < ids.length; i += READ) {
    const some = { ...kind, account_id, revision, ids: ids.slice(i, i + READ) };
    for (const { memory_id, body_sha256, ...stored } of yield* step(store.vectors(some))) {
      const nearness = compareVectors(vector, stored);
      if (nearness !== undefined) found.set(memory_id, { body_sha256, nearness });
      yield;
    }
  }
  return found;
}

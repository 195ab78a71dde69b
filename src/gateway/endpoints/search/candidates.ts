// Candidates of a search: the memories with the rarest words of the query, found in the index.

import { compareText } from '../../../lib/order.ts';
import { WEEK_MS } from '../../../lib/time.ts';
import type { ListPosition } from '../../../store/positions.ts';
import { TEXT_END, type MemoryKey, type PlacedMemory } from '../../../store/search/postings.ts';
import { boostOf, type Span } from '../../../text/question/closeness.ts';
import { nameTerm, type RankedQuery } from '../../../text/ranked-query.ts';
import { idf } from '../../../text/ranking/windows.ts';
import { step, type Steps } from '../../fair-share/time.ts';
import type { SearchFilters, Searched, WeekKeys } from './cached-postings.ts';
import {
  countFound,
  isRare,
  lookUp,
  lookUpAny,
  lookUpTerms,
  mostSelective,
  readSearchScope,
  type Looked,
} from './terms.ts';

/** What the index knows about a query. */
export interface FoundCandidates {
  /** How many memories match the filters, and how many of them have any word. */
  readonly memories: number;
  readonly found: number;
  /** How many memories have each term. */
  readonly withTerm: readonly number[];
  /** The memories by the start of their week. Of common words of many memories, only the newest are known. */
  readonly weeks: ReadonlyMap<number, Pick<ReadonlySet<MemoryKey>, 'size' | 'keys'>>;
  /** Groups of memories: best first, each of one week and one score, the newest week first. */
  readonly groups: readonly (readonly MemoryKey[])[];
  /** Whether everything was read at the caller's revision. */
  readonly isConsistent: boolean;
}

/** How many memories may have the rarest word of a name, because PostgreSQL reads the words of each. */
const MOST_NAMED = 5000;

/** The terms of each memory, as bits of a number: 2 ** term for each. By the start of the week. */
type Weeks = Map<number, Map<MemoryKey, number>>;

/** What is looked up: the terms of a query, and the dates that it names. */
export interface Sought extends Pick<RankedQuery, 'required' | 'terms' | 'row' | 'speaker'> {
  readonly near?: readonly Span[] | undefined;
  /** Whether all memories are wanted, also of common words. Default: false. */
  readonly isExact?: boolean | undefined;
}

/** Looks up the memories of a query and groups them by their score. */
export function* findCandidates(
  searched: Searched,
  filters: SearchFilters,
  { required: asked, terms, row, speaker, near = [], isExact }: Sought,
): Steps<FoundCandidates> {
  const scope = yield* readSearchScope(searched, filters, isExact);
  const weeks: Weeks = new Map();
  const bound: Looked[] = [];
  const required = speaker === undefined ? asked : [...asked, [nameTerm(speaker)]];
  for (const group of mostSelective(required)) bound.push(yield* lookUpAny(searched, scope, group));
  const { looked, typed } = yield* lookUpTerms(searched, scope, terms);
  const isAnyRare = [...bound, ...(required.length === 0 ? [...looked, ...typed] : [])].some(
    isRare,
  );
  // Of terms that are common, older memories are not known.
  const postingsOf = (one: Looked) => (isAnyRare ? one.all : one.newest) ?? NO_POSTINGS;
  const isBound = bound.length > 0;
  const first = isAnyRare ? bound.filter(isRare) : bound;
  for (const [i, one] of first.entries()) {
    const postings = postingsOf(one);
    if (i > 0) yield* intersect(weeks, postings);
    else
      for (const [start, keys] of postings) weeks.set(start, new Map(keys.map((key) => [key, 0])));
  }
  for (const [term, one] of looked.entries())
    yield* addTerm(weeks, postingsOf(one), { term, isBound });
  if (!isBound && isAnyRare && countOf(weeks) < TIER)
    for (const [term, one] of looked.entries())
      if (!isRare(one)) yield* addTerm(weeks, one.newest, { term, isBound });
  // More memories may have all words of a name than are ranked together, so those whose name, or another text, ends so come first.
  const least = Math.min(...looked.map(({ found }) => found));
  const isAsked = row.length > 0 && !isExact && least > TIER && least <= MOST_NAMED;
  const inRow = isAsked ? [yield* lookUp(searched, scope, { any: [[...row, TEXT_END]] })] : [];
  const alone = [...inRow, ...typed];
  for (const [i, one] of alone.entries())
    yield* addTerm(weeks, postingsOf(one), { term: looked.length + i, isBound });
  // A speaker alone is no match: a line with a word is wanted. Of common words, not all memories are known.
  if (speaker !== undefined && asked.length === 0 && looked.length > 0 && looked.every(isRare))
    removeWithoutTerm(weeks);
  const all = [...looked, ...alone];
  const withTerm = all.map(({ found }) => found);
  const groups = yield* groupByScore(weeks, { memories: scope.memories, withTerm, near });
  return {
    memories: scope.memories,
    found: yield* countFound(scope, { bound, looked, weeks }),
    withTerm: withTerm.slice(0, looked.length),
    weeks,
    groups,
    isConsistent: scope.isConsistent && [...bound, ...all].every((one) => one.isConsistent),
  };
}

const NO_POSTINGS: WeekKeys = new Map();

/** Removes the memories that do not have the term. */
function* intersect(weeks: Weeks, postings: WeekKeys): Steps<void> {
  for (const [start, known] of weeks) {
    const keys = new Set(postings.get(start));
    for (const key of known.keys()) if (!keys.has(key)) known.delete(key);
    if (known.size === 0) weeks.delete(start);
    yield;
  }
}

/** Removes the memories that have no term. */
function removeWithoutTerm(weeks: Weeks): void {
  for (const [, known] of weeks)
    for (const [key, terms] of known) if (terms === 0) known.delete(key);
}

interface Adding {
  readonly term: number;
  /** Whether memories that are not known yet are left out. */
  readonly isBound: boolean;
}

/** Adds a term to the memories that have it. */
function* addTerm(weeks: Weeks, postings: WeekKeys, { term, isBound }: Adding): Steps<void> {
  const bit = 2 ** term;
  for (const [start, keys] of postings) {
    let known = weeks.get(start);
    if (known === undefined) {
      if (isBound) continue;
      weeks.set(start, (known = new Map()));
    }
    for (const key of keys) {
      const terms = known.get(key);
      // Division, because there are more terms than an integer of bitwise operators has bits.
      if (terms === undefined ? isBound : Math.floor(terms / bit) % 2 === 1) continue;
      known.set(key, (terms ?? 0) + bit);
    }
    yield;
  }
}

function countOf(weeks: Weeks): number {
  let count = 0;
  for (const [, { size }] of weeks) count += size;
  return count;
}

interface Scoring {
  readonly memories: number;
  readonly withTerm: readonly number[];
  readonly near: readonly Span[];
}

function* groupByScore(weeks: Weeks, { memories, withTerm, near }: Scoring): Steps<MemoryKey[][]> {
  const scores = new Map<number, number>();
  const scoreOf = (terms: number) => {
    const known = scores.get(terms);
    if (known !== undefined) return known;
    let score = 0;
    for (let [term, rest] = [0, terms]; rest > 0; term++, rest = Math.floor(rest / 2))
      if (rest % 2 === 1) score += idf(withTerm[term] ?? 0, memories);
    scores.set(terms, score);
    return score;
  };
  const byScore = new Map<number, MemoryKey[][]>();
  for (const [start, week] of [...weeks].toSorted(([a], [b]) => b - a)) {
    const boost = boostOf(start, start + WEEK_MS, near);
    const groups = new Map<number, MemoryKey[]>();
    for (const [key, terms] of week) {
      const score = boost * scoreOf(terms);
      const group = groups.get(score);
      if (group === undefined) groups.set(score, [key]);
      else group.push(key);
    }
    for (const [score, group] of groups) {
      const known = byScore.get(score);
      if (known === undefined) byScore.set(score, [group]);
      else known.push(group);
    }
    yield;
  }
  return [...byScore].toSorted(([a], [b]) => b - a).flatMap(([, groups]) => groups);
}

/** How many memories are ranked at a time, and how many bytes they have at most. */
const TIER = 100;
const TIER_BYTES = 4 * 1024 * 1024;
/** How many places are read at a time. */
export const PLACES = 200;

/** Memories that are ranked together. */
export interface Tier {
  readonly memories: readonly PlacedMemory[];
  /** How many memories precede the next tier. */
  readonly next: number;
}

/** Reads the places of the best candidates behind the first `skip`: as many as are ranked at a time. */
export function* readTier(
  { store, account_id, revision }: Searched,
  { groups }: Pick<FoundCandidates, 'groups'>,
  skip: number,
): Steps<Tier> {
  const memories: PlacedMemory[] = [];
  let [before, bytes] = [0, 0];
  for (const group of groups) {
    if (before + group.length <= skip) {
      before += group.length;
      continue;
    }
    const placed: PlacedMemory[] = [];
    for (let from = 0; from < group.length; from += PLACES) {
      const keys = group.slice(from, from + PLACES);
      placed.push(...(yield* step(store.places(account_id, keys, revision))));
    }
    placed.sort(byNewest);
    for (const memory of placed.slice(Math.max(0, skip - before))) {
      const isFull = memories.length === TIER || bytes + memory.size > TIER_BYTES;
      if (isFull && memories.length > 0) return { memories, next: skip + memories.length };
      memories.push(memory);
      bytes += memory.size;
    }
    before += group.length;
  }
  return { memories, next: Infinity };
}

/** Compares memories: newest first, then by id. */
export function byNewest(a: ListPosition, b: ListPosition): number {
  return b.started_at - a.started_at || compareText(a.id, b.id);
}

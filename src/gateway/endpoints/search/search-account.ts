// Searches an account: candidates from the index, their passages ranked, and as many of these as were requested.

import { fromJson } from '../../../contract/json.ts';
import type { Memory } from '../../../contract/schemas/memory.ts';
import type { SearchResult } from '../../../contract/schemas/passages.ts';
import { failure } from '../../../contract/statuses.ts';
import { Refusal } from '../../../store/refusal.ts';
import type { PlacedMemory } from '../../../store/search/postings.ts';
import { analyse, createMatcher, type Matcher } from '../../../text/analysis.ts';
import { remaining } from '../../../text/join.ts';
import { boostOf } from '../../../text/question/closeness.ts';
import { rank, type RankedPassage } from '../../../text/rank.ts';
import {
  readRankedQuery,
  withoutCommonSplits,
  type RankedQuery,
} from '../../../text/ranked-query.ts';
import type { Candidate } from '../../../text/windows.ts';
import { step, type Steps } from '../../fair-share/time.ts';
import type { PassagePosition, PagedSearch } from '../cursor.ts';
import { filtersOf, type Searched } from './cached-postings.ts';
import { findCandidates, RARE, readTier, type FoundCandidates } from './candidates.ts';
import { findHints } from './hints.ts';
import { fill, toShown, type ShownPassage } from './search-response.ts';

/** A result of a search, and the position of its last passage if more follow. */
export interface Searching {
  readonly result: SearchResult;
  readonly last: PassagePosition | undefined;
  /** Whether everything was read at the caller's revision. */
  readonly isConsistent: boolean;
}

/** Where a search logs memories that it leaves out, because they are damaged. */
export type ReportDamage = (error: unknown) => void;

/** A memory with a longer body is searched by its name and summary alone: to read more holds the event loop. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

/** How many passages a response has at most if nothing else is requested. */
const DEFAULT_LIMIT = 10;

/** The maximum number of groups of candidates per response. */
const MAX_TIERS = 5;

const NOTHING: FoundCandidates = {
  memories: 0,
  found: 0,
  withTerm: [],
  groups: [],
  isConsistent: true,
};

/** Searches. Throws a 404 if the query is for one memory that does not exist. */
export function* searchAccount(
  searched: Searched,
  query: PagedSearch,
  reportDamage: ReportDamage,
): Steps<Searching> {
  const parsed = readRankedQuery(query.q);
  yield;
  const { memory_id, limit = DEFAULT_LIMIT, after } = query;
  const only = memory_id === undefined ? undefined : yield* readOne(searched, query, memory_id);
  const found =
    only === undefined
      ? yield* findCandidates(searched, filtersOf(query), { ...parsed, near: query.dates })
      : foundOne(only);
  const matcher = createMatcher(
    only === undefined ? withoutCommonSplits(parsed, found.withTerm, RARE) : parsed,
  );
  const passages: ShownPassage[] = [];
  let skip = after?.skip ?? 0;
  let isConsistent = found.isConsistent;
  const damage: unknown[] = [];
  let withTerm = found.withTerm;
  let hasMatch = false;
  for (let tiers = 0; skip < Infinity && passages.length <= limit && tiers < MAX_TIERS; tiers++) {
    const tier =
      only === undefined
        ? yield* readTier(searched, found, skip)
        : { memories: only.placed, next: Infinity };
    const read = yield* readMemories(searched, {
      tier: tier.memories,
      matcher,
      damage,
      dates: query.dates,
    });
    isConsistent &&= read.isConsistent;
    if (only !== undefined) withTerm = countOne(parsed, read.candidates);
    hasMatch ||= read.candidates.some(({ analysis }) => analysis.hits.length > 0);
    const statistics = {
      memories: found.memories,
      withTerm: [...parsed.required.map(() => found.found), ...withTerm],
    };
    const ranked = yield* rank(read.candidates, matcher, statistics);
    // Who asks within one memory may see all of it, unless a phrase must occur.
    const isWhole = only !== undefined && parsed.required.length === 0;
    const start = skip;
    for (const passage of isWhole ? withRest(ranked, read.candidates) : ranked) {
      if (passages.length > limit) break;
      const memory = read.memories.get(passage.candidate.id);
      if (memory === undefined) continue;
      if (after === undefined || start > after.skip || isAfter(passage, after))
        passages.push(toShown(passage, start, memory));
    }
    skip = tier.next;
  }
  for (const error of damage) reportDamage(error);
  if (passages.length === 0 && damage.length > 0) throw damage[0];
  const isWholeAccount =
    only === undefined && Object.values(filtersOf(query)).every((each) => each === undefined);
  const hints = yield* findHints(searched, parsed, withTerm, isWholeAccount);
  const empty: SearchResult = {
    passages: [],
    memories_found: only === undefined ? found.found : Number(hasMatch),
    memories_searched: found.memories,
    ...hints,
  };
  const { result, taken } = fill(empty, passages, { limit, max_tokens: query.max_tokens });
  const last = passages[taken - 1];
  const hasMore = taken < passages.length || skip < Infinity;
  return {
    result,
    last: hasMore && last !== undefined ? positionOf(last) : undefined,
    isConsistent,
  };
}

/** Yields the passages of memories, then the rest of their transcripts, as far as it is read. */
function* withRest(
  ranked: readonly RankedPassage[],
  candidates: readonly Candidate[],
): Generator<RankedPassage> {
  yield* ranked;
  for (const candidate of candidates)
    for (const rest of remaining(candidate.analysis.units, ranked))
      yield { candidate, ...rest, score: 0 };
}

interface One {
  readonly placed: readonly PlacedMemory[];
}

/** Reads the place of one memory: none if the filters exclude it. */
function* readOne(
  { store, account_id, revision }: Searched,
  { started_after, started_before, is_processing }: PagedSearch,
  id: string,
): Steps<One> {
  const wanted = { account_id, revision, id, projection: 'slim', known: '' } as const;
  const stored = yield* step(store.memory(wanted));
  if (stored === undefined || stored.bytes === null) throw failure(404);
  const memory = fromJson(stored.bytes) as Memory;
  const started_at = Date.parse(memory.started_at);
  const isIncluded =
    started_at >= (started_after ?? -Infinity) &&
    started_at < (started_before ?? Infinity) &&
    (is_processing === undefined || memory.is_processing === is_processing);
  return { placed: isIncluded ? yield* step(store.places(account_id, [id], revision)) : [] };
}

function foundOne({ placed }: One): FoundCandidates {
  return { ...NOTHING, memories: placed.length, found: placed.length };
}

function countOne({ required, terms }: RankedQuery, candidates: readonly Candidate[]): number[] {
  const hits = new Set(candidates.flatMap(({ analysis }) => analysis.hits.map(({ term }) => term)));
  return terms.map((_, i) => Number(hits.has(required.length + i)));
}

interface Reading {
  readonly tier: readonly PlacedMemory[];
  readonly matcher: Matcher;
  /** Gets the error of each memory that is damaged. */
  readonly damage: unknown[];
  readonly dates: PagedSearch['dates'];
}

/** How many memories an engine on a network reads at a time. */
const READ_AHEAD = 8;

/** Reads memories and finds the words of the query in them. */
function* readMemories(
  { store, account_id, revision, scope }: Searched,
  { tier, matcher, damage, dates = [] }: Reading,
) {
  const candidates: Candidate[] = [];
  const memories = new Map<string, Memory>();
  let isConsistent = true;
  const begin = ({ id, size }: PlacedMemory) => {
    const isSlim = size > MAX_BODY_BYTES || scope?.reads === 'summaries';
    const projection = isSlim ? 'slim' : 'body';
    try {
      const read = store.memory({ account_id, revision, id, projection, known: '' });
      // An error is a value until its turn comes: others may be read at the same time.
      return read instanceof Promise ? read.catch((error: unknown) => ({ error })) : read;
    } catch (error) {
      return { error };
    }
  };
  const begun: ReturnType<typeof begin>[] = [];
  for (const [i, placed] of tier.entries()) {
    if (begun.length <= i) {
      begun.push(begin(placed));
      if (begun[i] instanceof Promise)
        for (const next of tier.slice(i + 1, i + READ_AHEAD)) begun.push(begin(next));
    }
    const stored = yield* step(begun[i]);
    if (stored === undefined) continue; // deleted meanwhile
    if ('error' in stored) {
      if (!isDamage(stored.error)) throw stored.error;
      damage.push(stored.error);
      continue;
    }
    if (stored.revision !== revision) isConsistent = false;
    if (stored.bytes === null) continue;
    const memory = fromJson(stored.bytes) as Memory;
    const analysis = yield* analyse({ ...memory, transcript: memory.transcript ?? '' }, matcher);
    const { id, started_at } = placed;
    const boost = boostOf(started_at, started_at + 1, dates);
    memories.set(id, memory);
    candidates.push({ id, started_at, boost, analysis });
  }
  return { candidates, memories, isConsistent };
}

function isDamage(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'damaged';
}

function positionOf({ skip, score, started_at, id, from }: ShownPassage): PassagePosition {
  return { skip, score, started_at, id, from };
}

/** Returns whether a passage follows a position in the same group. */
function isAfter({ score, candidate, from }: RankedPassage, after: PassagePosition): boolean {
  if (score !== after.score) return score < after.score;
  if (candidate.started_at !== after.started_at) return candidate.started_at < after.started_at;
  return candidate.id === after.id ? from > after.from : candidate.id > after.id;
}

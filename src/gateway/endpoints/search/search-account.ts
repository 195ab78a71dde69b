// Searches an account: candidates from the index, their passages ranked, and as many of these as were requested.

import { fromJson } from '../../../contract/json.ts';
import type { Memory } from '../../../contract/schemas/memory.ts';
import type { SearchResult } from '../../../contract/schemas/passages.ts';
import { failure } from '../../../contract/statuses.ts';
import { facetKey } from '../../../store/details/facets.ts';
import { isInTime } from '../../../store/scope.ts';
import type { PlacedMemory } from '../../../store/search/postings.ts';
import { createMatcher } from '../../../text/passages/matcher.ts';
import { haveLinesOf } from '../../../text/passages/units.ts';
import { withInflections } from '../../../text/question/inflections.ts';
import { isPlain } from '../../../text/question/operators.ts';
import { readRankedQuery, type RankedQuery } from '../../../text/ranked-query.ts';
import { rank, type RankedPassage } from '../../../text/ranking/rank.ts';
import type { Candidate } from '../../../text/ranking/windows.ts';
import { step, type Steps } from '../../fair-share/time.ts';
import type { PassagePosition, PagedSearch } from '../cursor.ts';
import { filtersOf, type Searched } from './cached-postings.ts';
import { findCandidates, readTier, type FoundCandidates, type Sought } from './candidates.ts';
import { namedFirst, openings, withAround, withOneSummary, withRest } from './chosen-passages.ts';
import { findHints, type Hints } from './hints.ts';
import { findInTime } from './in-time.ts';
import { insteadOf, lastPartsOf, withInstead, wordsInstead } from './instead.ts';
import type { LongMemories } from './long-memories.ts';
import { addNear, amongPlaced, joinNear } from './meaning.ts';
import { findNear, type Meaning } from './nearest.ts';
import { readMemories } from './read-memories.ts';
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

/** How many passages a response has at most if nothing else is requested, and if its budget is to be filled from one memory. */
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

/** The maximum number of groups of candidates per response that has a passage. Without one it would say that there is nothing. */
const MAX_TIERS = 5;

const NOTHING: FoundCandidates = {
  memories: 0,
  found: 0,
  withTerm: [],
  weeks: new Map(),
  groups: [],
  isConsistent: true,
};

/** How an account is searched, besides its words. */
export interface SearchOptions {
  readonly reportDamage: ReportDamage;
  readonly long: LongMemories;
  /** Undefined: this gateway does not search by meaning. */
  readonly meaning?: Meaning | undefined;
}

/** Searches. Throws a 404 if the query is for one memory that does not exist. */
export function* searchAccount(
  searched: Searched,
  query: PagedSearch,
  { reportDamage, long, meaning }: SearchOptions,
): Steps<Searching> {
  const asked = yield* step(withInflections(readRankedQuery(query.q)));
  const { memory_id, max_tokens, after, dates } = query;
  const isFilled = memory_id !== undefined && max_tokens !== undefined;
  const { limit = isFilled ? MAX_LIMIT : DEFAULT_LIMIT } = query;
  const only = memory_id === undefined ? undefined : yield* readOne(searched, query, memory_id);
  const { parsed, found, hints, searched_instead, isOnlyTime } =
    only === undefined ? yield* lookUpAll(searched, query, asked) : withinOne(only, asked);
  const within = { filters: query, only: only?.placed };
  const near = isOnlyTime ? undefined : meaning && (yield* findNear(searched, within, meaning));
  const matcher = createMatcher(parsed);
  // Memories of a time have these people already, and begin with anybody.
  const people = isOnlyTime ? [] : peopleIn(query);
  // Who asks within one memory may see all of it, unless a phrase must occur.
  const isWhole = only !== undefined && isPlain(parsed);
  const firstAround = !isPlain(parsed) ? Infinity : isWhole ? 0 : DEFAULT_LIMIT;
  const passages: ShownPassage[] = [];
  let [skip, isConsistent] = [after?.skip ?? 0, found.isConsistent];
  const damage: unknown[] = [];
  let withTerm = found.withTerm;
  let hasMatch = false;
  for (let tiers = 0; skip < Infinity && passages.length <= limit; tiers++) {
    if (tiers >= MAX_TIERS && passages.length > 0) break;
    const tier =
      only === undefined
        ? yield* readTier(searched, found, skip)
        : { memories: only.placed, next: Infinity };
    const isFirst = skip === 0;
    const wanted = near && isFirst ? yield* addNear(searched, near, tier.memories) : tier.memories;
    const read = yield* readMemories(searched, { tier: wanted, matcher, long, damage, dates });
    isConsistent &&= read.isConsistent;
    if (only !== undefined) withTerm = countOne(parsed, read.candidates);
    hasMatch ||= read.candidates.some(({ analysis }) => analysis.hits.length > 0);
    const statistics = {
      memories: found.memories,
      withTerm: [...parsed.required.map(() => found.found), ...withTerm],
    };
    const byWords = amongPlaced(read.candidates, tier.memories);
    const ofWords = isOnlyTime
      ? [...openings(byWords)]
      : withAround(yield* rank(byWords, matcher, statistics), firstAround);
    const ranked = near
      ? yield* joinNear(searched, near, { ranked: ofWords, candidates: read.candidates, isFirst })
      : ofWords;
    const isShown = (passage: RankedPassage) => isOfPeople(passage, people);
    const chosen = isWhole
      ? withRest(ranked, read.candidates)
      : withOneSummary(namedFirst(ranked, wordsInstead(query.q, searched_instead), isShown));
    const isOther = isFirst && (after?.fused === true) !== (near !== undefined);
    for (const passage of chosen) {
      if (passages.length > limit) break;
      const memory = read.memories.get(passage.candidate.id);
      if (memory === undefined || !isShown(passage)) continue;
      if (after === undefined || skip > after.skip || isOther || isAfter(passage, after))
        passages.push(toShown(passage, skip, memory));
    }
    skip = tier.next;
  }
  for (const error of damage) reportDamage(error);
  if (passages.length === 0 && damage.length > 0) throw damage[0];
  const empty: SearchResult = {
    passages: [],
    memories_found: only === undefined ? found.found : Number(hasMatch),
    memories_searched: found.memories,
    ...(hints ?? (yield* findHints(searched, parsed, withTerm, false))),
    searched_instead,
    ...(meaning && {
      mode: near ? ('meaning' as const) : ('words' as const),
      memories_compared: near?.compared ?? 0,
    }),
  };
  const { result, taken } = fill(empty, passages, { limit, max_tokens });
  const last = passages[taken - 1];
  const hasMore = taken < passages.length || skip < Infinity;
  return {
    result,
    last:
      hasMore && last !== undefined
        ? { ...positionOf(last), fused: near && last.skip === 0 ? true : undefined }
        : undefined,
    isConsistent,
  };
}

/** Returns the people of whom each passage must have a line, by their names as they are compared. */
function peopleIn({ facets = [] }: PagedSearch): string[] {
  return facets.flatMap(({ kind, folded }) => (kind === 'person' ? [folded] : []));
}

function isOfPeople({ candidate, from, to }: RankedPassage, people: readonly string[]): boolean {
  if (people.length === 0) return true;
  return haveLinesOf(candidate.analysis.units.slice(from, to), people, facetKey);
}

/** What is searched for the words of a query, and what the index knows about it. */
interface LookedUp extends Pick<SearchResult, 'searched_instead'> {
  readonly parsed: RankedQuery;
  readonly found: FoundCandidates;
  /** Undefined: they are not known before the memory was read. */
  readonly hints: Hints | undefined;
  /** Whether all memories of a time or within limits were found, because nothing else is asked for. */
  readonly isOnlyTime: boolean;
}

/** All of time, in milliseconds. */
const ALWAYS = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const;

/** Looks up the words of a query in the account, and words that are spelled alike instead of absent ones. */
export function* lookUpAll(
  searched: Searched,
  query: PagedSearch & Pick<Sought, 'isExact'>,
  asked: RankedQuery,
): Steps<LookedUp> {
  const { isExact } = query;
  const filters = filtersOf(query);
  const near = query.dates;
  const spans = asked.isOnlyLimits ? [ALWAYS] : asked.isOnlyTime ? near : undefined;
  if (spans !== undefined) {
    const found = yield* findInTime(searched, filters, { spans, isExact });
    const hints = { absent_words: [], nearest_words: {} };
    return { parsed: asked, found, hints, searched_instead: {}, isOnlyTime: true };
  }
  const found = yield* findCandidates(searched, filters, { ...asked, near, isExact });
  const isWholeAccount = Object.values(filters).every((each) => each === undefined);
  const hints = yield* findHints(searched, asked, found.withTerm, isWholeAccount);
  const searched_instead = {
    ...insteadOf(asked, hints, found.found),
    ...(found.found === 0 ? yield* lastPartsOf(searched, hints) : {}),
  };
  if (Object.keys(searched_instead).length === 0)
    return { parsed: asked, found, hints, searched_instead, isOnlyTime: false };
  const parsed = withInstead(asked, searched_instead);
  const foundInstead = yield* findCandidates(searched, filters, { ...parsed, near, isExact });
  return { parsed, found: foundInstead, hints, searched_instead, isOnlyTime: false };
}

interface One {
  readonly placed: readonly PlacedMemory[];
}

/** Reads the place of one memory: none if the filters exclude it. */
function* readOne(
  { store, account_id, revision }: Searched,
  query: PagedSearch,
  id: string,
): Steps<One> {
  const wanted = { account_id, revision, id, projection: 'slim', known: '' } as const;
  const stored = yield* step(store.memory(wanted));
  if (stored === undefined || stored.bytes === null) throw failure(404);
  const memory = fromJson(stored.bytes) as Memory;
  const { is_processing = memory.is_processing } = query;
  const isIncluded =
    isInTime(Date.parse(memory.started_at), query) &&
    memory.is_processing === is_processing &&
    (query.facets === undefined ||
      (yield* step(store.memory({ ...wanted, window: { facets: query.facets } }))) !== undefined);
  return { placed: isIncluded ? yield* step(store.places(account_id, [id], revision)) : [] };
}

/** Takes words as they are: one memory is read without the index. */
function withinOne({ placed }: One, parsed: RankedQuery): LookedUp {
  const found = { ...NOTHING, memories: placed.length, found: placed.length };
  return { parsed, found, hints: undefined, searched_instead: {}, isOnlyTime: false };
}

function countOne({ required, terms }: RankedQuery, candidates: readonly Candidate[]): number[] {
  const hits = new Set(candidates.flatMap(({ analysis }) => analysis.hits.map(({ term }) => term)));
  return terms.map((_, i) => Number(hits.has(required.length + i)));
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

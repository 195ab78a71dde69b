// What a search finds besides its passages: how many memories of each month, the newest ones, and the words that a memory lacks. Nothing is ranked.

import type { ValidInput } from '../../../contract/handlers.ts';
import { routes } from '../../../contract/routes.ts';
import type { SearchResult } from '../../../contract/schemas/passages.ts';
import { andThen, type Awaitable } from '../../../lib/async.ts';
import { WEEK_MS } from '../../../lib/time.ts';
import { dayReader } from '../../../lib/timezone.ts';
import type { ListPosition } from '../../../store/positions.ts';
import type { PlacedMemory } from '../../../store/search/postings.ts';
import { startOfWeek, weekOf } from '../../../store/search/weeks.ts';
import type { Store } from '../../../store/store.ts';
import { withInflections } from '../../../text/question/inflections.ts';
import { readRankedQuery } from '../../../text/ranked-query.ts';
import { step, type FairTime, type Steps, type Worker } from '../../fair-share/time.ts';
import type { Caller } from '../../request/auth.ts';
import type { PagedSearch } from '../cursor.ts';
import { filtersOf, type PostingsCache, type Searched } from './cached-postings.ts';
import { byNewest, PLACES, type FoundCandidates } from './candidates.ts';
import { lookUpAll } from './search-account.ts';
import { searchQuery } from './search-input.ts';
import { lookUpTerms, readSearchScope } from './terms.ts';

/** How many memories each month has, such as `2026-11`. Months without any are left out. */
export type MonthCounts = Readonly<Record<string, number>>;

/** The words that memories lack, by their ids. Memories with all words are left out. */
export type LackedWords = Record<string, string[]>;

type Input = ValidInput<typeof routes.search.passages>;
type CallerAtWork = Worker & { readonly caller: Caller };

/** A page of the newest memories that a search finds, and what it says about its words. */
export interface FoundNewest extends Omit<SearchResult, 'passages'> {
  readonly memories: readonly ListPosition[];
  readonly hasMore: boolean;
}

/** Which page of them: as many as these, behind a position. */
interface PageByTime {
  readonly limit: number;
  readonly after?: ListPosition | undefined;
}

/** What a search finds by time, whatever its number of pages is. Nothing is estimated, unlike `memories_found` of many memories. */
export interface FindByTime {
  /** Counts the memories by the months of the time zone of the search. */
  readonly months: (worker: CallerAtWork, input: Input) => Awaitable<MonthCounts>;
  /** Finds the newest memories. */
  readonly newest: (worker: CallerAtWork, input: Input, page: PageByTime) => Awaitable<FoundNewest>;
  /** Finds which words some of the memories lack. */
  readonly lacked: (
    worker: CallerAtWork,
    input: Input,
    ids: readonly string[],
  ) => Awaitable<LackedWords>;
}

/** What it needs. */
interface ByTimeOptions {
  readonly time: Pick<FairTime, 'runSteps'>;
  readonly now: () => number;
  readonly postings: PostingsCache;
}

/** Creates it over a store, for callers who may read all memories of an account. */
export function createFindByTime(store: Store, { time, now, postings }: ByTimeOptions): FindByTime {
  const searchedBy = ({ caller: { account_id, revision } }: CallerAtWork) => ({
    store,
    account_id,
    revision,
    cache: postings,
  });
  return {
    months: (worker, input) =>
      andThen(searchQuery(input, now()), ({ query }) =>
        andThen(dayReader(input.timezone ?? 'UTC'), (dayOf) => {
          const monthOf = (ms: number) => dayOf(new Date(ms).toISOString()).slice(0, -'-DD'.length);
          return time.runSteps(worker, countMonths(searchedBy(worker), query, monthOf));
        }),
      ),
    newest: (worker, input, page) =>
      andThen(searchQuery(input, now()), ({ query }) =>
        time.runSteps(worker, findNewest(searchedBy(worker), query, page)),
      ),
    lacked: (worker, input, ids) =>
      andThen(searchQuery(input, now()), ({ query }) =>
        time.runSteps(worker, findLacked(searchedBy(worker), query, ids)),
      ),
  };
}

function* lookUpExactly(searched: Searched, query: PagedSearch) {
  const asked = yield* step(withInflections(readRankedQuery(query.q)));
  return yield* lookUpAll(searched, { ...query, isExact: true }, asked);
}

function* countMonths(
  searched: Searched,
  query: PagedSearch,
  monthOf: (ms: number) => string,
): Steps<MonthCounts> {
  const { found } = yield* lookUpExactly(searched, query);
  const months: Record<string, number> = {};
  const add = (month: string, count: number) => (months[month] = (months[month] ?? 0) + count);
  for (const [start, week] of found.weeks) {
    const first = monthOf(start);
    if (first === monthOf(start + WEEK_MS - 1)) {
      add(first, week.size);
      yield;
      continue;
    }
    // Of the weeks in two months, the memories themselves are looked at: about every fourth one.
    for (const { started_at } of yield* readPlaces(searched, week)) add(monthOf(started_at), 1);
  }
  return months;
}

/** Looks at the memories of as many weeks as a page needs, so that a late page costs no more than the first one. */
function* findNewest(
  searched: Searched,
  query: PagedSearch,
  { limit, after }: PageByTime,
): Steps<FoundNewest> {
  const { found, hints, searched_instead } = yield* lookUpExactly(searched, query);
  const memories: PlacedMemory[] = [];
  let memories_found = 0;
  for (const [start, week] of [...found.weeks].toSorted(([a], [b]) => b - a)) {
    memories_found += week.size;
    if (memories.length > limit || (after && start > after.started_at)) continue;
    const placed = yield* readPlaces(searched, week);
    const rest = after ? placed.filter((each) => byNewest(after, each) < 0) : placed;
    memories.push(...rest.toSorted(byNewest));
  }
  return {
    memories_found,
    memories_searched: found.memories,
    ...(hints ?? { absent_words: [], nearest_words: {} }),
    searched_instead,
    memories: memories.slice(0, limit),
    hasMore: memories.length > limit,
  };
}

/** A sentence has more words, and nobody expects a memory to have all of them. */
const MOST_WORDS = 6;

function* findLacked(
  searched: Searched,
  query: PagedSearch,
  ids: readonly string[],
): Steps<LackedWords> {
  const { parsed, hints } = yield* lookUpExactly(searched, query);
  const { terms, dates } = parsed;
  const scope = yield* readSearchScope(searched, filtersOf(query), true);
  const { looked } = yield* lookUpTerms(searched, scope, terms);
  const all = terms.flatMap(({ word, isWord }, i) =>
    isWord && !dates.has(word) ? [{ word, weeks: looked[i]?.all }] : [],
  );
  if (all.length > MOST_WORDS) return {};
  // The response of the search says already which words nothing has.
  const words = all.filter(({ word }) => hints?.absent_words.includes(word) !== true);
  const { store, account_id, revision } = searched;
  const placed = yield* step(store.places(account_id, ids, revision));
  const lacked = placed.map(({ key, id, started_at }) => {
    const start = startOfWeek(weekOf(started_at));
    const without = words.filter(({ weeks }) => weeks?.get(start)?.includes(key) !== true);
    return [id, without.map(({ word }) => word)] as const;
  });
  return Object.fromEntries(lacked.filter(([, without]) => without.length > 0));
}

type Week = FoundCandidates['weeks'] extends ReadonlyMap<number, infer W> ? W : never;

function* readPlaces({ store, account_id, revision }: Searched, week: Week): Steps<PlacedMemory[]> {
  const keys = [...week.keys()];
  const placed: PlacedMemory[] = [];
  for (let from = 0; from < keys.length; from += PLACES) {
    const some = keys.slice(from, from + PLACES);
    placed.push(...(yield* step(store.places(account_id, some, revision))));
  }
  return placed;
}

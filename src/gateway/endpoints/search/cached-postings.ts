// Reads postings for a search, and caches the postings of recent words.

import { LRUCache } from 'lru-cache';

import type { RevisionResult } from '../../../store/positions.ts';
import type { FacetName, Scope } from '../../../store/scope.ts';
import type { MemoryKey, Postings, Sought, WeekPostings } from '../../../store/search/postings.ts';
import type { Store } from '../../../store/store.ts';
import { step, type Steps } from '../../fair-share/time.ts';

/** Which memories are searched. Times are in milliseconds since 1970. */
export interface SearchFilters {
  readonly started_after?: number | undefined;
  readonly started_before?: number | undefined;
  readonly is_processing?: boolean | undefined;
  /** People, tags and sources that all memories have. */
  readonly facets?: readonly FacetName[] | undefined;
}

/** Returns the filters of a query without its other properties, because look-ups are cached by their filters. */
export function filtersOf({
  started_after,
  started_before,
  is_processing,
  facets,
}: SearchFilters): SearchFilters {
  return { started_after, started_before, is_processing, facets };
}

/** Whose memories are searched, and in which state. */
export interface Searched {
  readonly store: Store;
  readonly account_id: string;
  readonly revision: string;
  readonly cache: PostingsCache;
  /** What the caller may read. The store has it already. */
  readonly scope?: Scope | undefined;
}

/** Memories by the start of their week. */
export type WeekKeys = ReadonlyMap<number, readonly MemoryKey[]>;

/** The memories with a term. */
export interface TermPostings {
  readonly weeks: WeekKeys;
  readonly found: number;
  /** Whether everything was read at the caller's revision. */
  readonly isConsistent: boolean;
}

/** Postings of whole accounts or ranges, under the revision that they were looked up for. */
export type PostingsCache = LRUCache<string, TermPostings>;

/** How many bytes the cache holds at most, about. A number takes 8 bytes, an id about 64. */
const CACHE_BYTES = 16_000_000;
const ENTRY_BYTES = 500;
const WEEK_BYTES = 100;

/** Creates the cache of a gateway. Somebody who types a query looks most of its words up again and again. */
export function createPostingsCache(): PostingsCache {
  return new LRUCache({
    maxSize: CACHE_BYTES,
    sizeCalculation({ weeks }, key) {
      let size = ENTRY_BYTES + key.length + weeks.size * WEEK_BYTES;
      for (const [, keys] of weeks) size += keys.length * (typeof keys[0] === 'number' ? 8 : 64);
      return size;
    },
  });
}

/** Reads the memories with a term. */
export function* readPostings(
  searched: Searched,
  filters: SearchFilters,
  sought: Sought,
): Steps<TermPostings> {
  const { store, account_id, revision, cache, scope } = searched;
  const key = JSON.stringify([account_id, revision, filters, sought, scope]);
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const weeks = new Map<number, readonly MemoryKey[]>();
  let isConsistent = true;
  for (let before: Postings['rest']; ;) {
    const range = { ...filters, account_id, revision, sought, before };
    const read = yield* step(store.postings(range));
    isConsistent &&= isAt(store, read, revision);
    for (const { start, keys } of read.weeks) weeks.set(start, joined(weeks.get(start), keys));
    if (read.rest === undefined) break;
    before = read.rest;
  }
  const found = weeks.values().reduce((sum, { length }) => sum + length, 0);
  const postings = { weeks, found, isConsistent };
  if (isConsistent && (yield* isStillCurrent(searched))) cache.set(key, postings);
  return postings;
}

/** Returns whether a read is of the wanted state, if it says so. A store that reads in transactions does not; see `isStillCurrent`. */
export function isAt(store: Store, read: RevisionResult, revision: string): boolean {
  return read.revision === revision || store.readTransaction !== undefined;
}

/**
 * Returns whether the account still has the revision, if reads do not say so themselves. Then all reads
 * before were of that state, because a revision never comes back.
 */
function* isStillCurrent({ store, account_id, revision }: Searched): Steps<boolean> {
  if (store.readTransaction === undefined) return true;
  const account = yield* step(store.account(account_id));
  return account?.revision === revision;
}

function joined(
  some: WeekPostings['keys'] | undefined,
  more: WeekPostings['keys'],
): WeekPostings['keys'] {
  return some === undefined ? more : [...some, ...more];
}

/** How many memories are counted at a time: in an index, in less than a millisecond. */
const COUNT = 2000;

/** Counts the memories that match filters. */
export function* countMemories(
  searched: Searched,
  filters: SearchFilters,
): Steps<{ memories: number; isConsistent: boolean }> {
  const { store, account_id, revision, cache, scope } = searched;
  const key = JSON.stringify([account_id, revision, filters, null, scope]);
  const cached = cache.get(key);
  if (cached !== undefined) return { memories: cached.found, isConsistent: true };
  let memories = 0;
  let isConsistent = true;
  for (let before: Postings['rest']; ;) {
    const range = { ...filters, account_id, revision, before };
    const read = yield* step(store.memoryCount(range, COUNT));
    memories += read.memories;
    isConsistent &&= isAt(store, read, revision);
    if (read.rest === undefined) break;
    before = read.rest;
  }
  if (isConsistent && (yield* isStillCurrent(searched)))
    cache.set(key, { weeks: new Map(), found: memories, isConsistent });
  return { memories, isConsistent };
}

/** Narrows filters to about this number of the newest memories, and all that start when the last of them does. */
export function* narrowToNewest(
  { store, account_id, revision }: Searched,
  filters: SearchFilters,
  most: number,
): Steps<SearchFilters> {
  const { rest } = yield* step(store.memoryCount({ ...filters, account_id, revision }, most));
  return rest === undefined ? filters : { ...filters, started_after: rest.started_at };
}

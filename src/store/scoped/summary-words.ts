// The words of names and summaries, read from memories without their transcripts, and cached.

import { LRUCache } from 'lru-cache';

import { fromJson } from '../../contract/json.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { andThen, type Awaitable } from '../../lib/async.ts';
import type { QueryTerm } from '../../text/search-query.ts';
import { BATCH_BYTES } from '../bytes.ts';
import type { ListPosition, RevisionResult } from '../positions.ts';
import type { Window } from '../scope.ts';
import { indexTerms, phraseOf, summaryTexts } from '../search/index-terms.ts';
import type { SearchRange, Sought } from '../search/postings.ts';
import type { ListEntry, Store } from '../store.ts';

/** How many memories are read at a time. SQLite reads so many without their transcripts as one row. */
export const BATCH = 256;

/** A memory with the words of its name and summary: a space around each, and `_` between texts. */
interface Summarised extends ListPosition {
  readonly words: string;
}

/** A part of a range, the newest memories first. */
export interface SummaryBatch extends RevisionResult {
  readonly memories: readonly Summarised[];
  /** The position after which the rest of the range lies. Undefined at the end. */
  readonly rest: ListPosition | undefined;
}

/** Words of names and summaries, under the revision of their account. */
export type SummaryCache = LRUCache<string, SummaryBatch>;

/** How many bytes the cache holds at most, about: the words of 30,000 memories. */
const CACHE_BYTES = 32_000_000;
const ENTRY_BYTES = 500;
const MEMORY_BYTES = 200;

/** Creates the cache of a gateway. One search looks at the same words for each of its terms. */
export function createSummaryCache(): SummaryCache {
  return new LRUCache({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ memories }, key) =>
      memories.reduce((sum, { words }) => sum + words.length + MEMORY_BYTES, key.length) +
      ENTRY_BYTES,
  });
}

/** Creates the read of words in a store whose reads have this window. */
export function summaryReads(store: Store, cache: SummaryCache, window: Window | undefined) {
  return (range: SearchRange): Awaitable<SummaryBatch> => {
    const { account_id, revision, before, started_after, started_before } = range;
    const { is_processing, facets } = range;
    const filters = { started_after, started_before, is_processing, facets };
    const key = JSON.stringify([account_id, revision, window, filters, before]);
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const wanted = { ...filters, account_id, revision, after: before, limit: BATCH } as const;
    const read = store.items({ ...wanted, order: 'desc', projection: 'slim' }, BATCH_BYTES);
    return andThen(read, ({ items, rest, release, revision: found }) => {
      const memories = items.map(toSummarised);
      release?.();
      const batch = { memories, rest, revision: found };
      return andThen(isAt(found, { account_id, revision }), (isCurrent) => {
        if (isCurrent) cache.set(key, batch);
        return batch;
      });
    });
  };

  /** Returns whether a read was of the wanted state. A store that reads in transactions does not say so. */
  function isAt(
    found: string | undefined,
    { account_id, revision }: { account_id: string; revision: string | undefined },
  ): Awaitable<boolean> {
    if (revision === undefined) return false;
    if (store.readTransaction === undefined) return found === revision;
    return andThen(store.account(account_id), (account) => account?.revision === revision);
  }
}

function toSummarised({ id, started_at, bytes }: ListEntry): Summarised {
  return { id, started_at, words: summaryWords(bytes) };
}

/** Returns the words of the name and the summary of a memory. */
export function summaryWords(bytes: ListEntry['bytes']): string {
  return indexTerms('', summaryTexts(fromJson(bytes) as Memory), '_').toString('utf8');
}

/** Creates the check whether words have the wanted terms. */
export function createMatch(sought: Sought): (words: string) => boolean {
  if ('all' in sought) return hasAll(sought.all);
  const any = sought.any.map((words) => phraseOf({ words, isPrefix: false }));
  return (words) => any.some((phrase) => words.includes(phrase));
}

/** Creates the check whether words have all terms. */
export function hasAll(terms: readonly QueryTerm[]): (words: string) => boolean {
  const all = terms.map(phraseOf);
  return (words) => all.every((phrase) => words.includes(phrase));
}

// Searches names and summaries alone.
// The index has the words of transcripts as well, so it is not used: nothing that a transcript says
// can change a result, or how long it takes.

import { andThen, type Awaitable } from '../../lib/async.ts';
import { readQuery } from '../../text/search-query.ts';
import { BATCH_BYTES, joinParts } from '../bytes.ts';
import type { Window } from '../scope.ts';
import { byWeek } from '../search/postings.ts';
import type { ListBatch, ListRange, Store } from '../store.ts';
import { forward } from './forward.ts';
import {
  BATCH,
  createMatch,
  hasAll,
  summaryReads,
  summaryWords,
  type SummaryCache,
} from './summary-words.ts';

/** Returns a store whose searches and filters by words look at names and summaries alone. */
export function searchSummaries(
  store: Store,
  cache: SummaryCache,
  window: Window | undefined,
): Store {
  const read = summaryReads(store, cache, window);
  return {
    ...forward(store),
    items: (range, maxBytes) =>
      range.q === undefined ? store.items(range, maxBytes) : filtered(range, range.q, maxBytes),
    chunk: (range, maxBytes) =>
      range.q === undefined
        ? store.chunk(range, maxBytes)
        : andThen(filtered(range, range.q, maxBytes), ({ items, rest, release }) => {
            const bytes = joinParts(items.map((item) => item.bytes));
            release?.();
            return { bytes, rest };
          }),
    positions: (range) =>
      range.q === undefined
        ? store.positions(range)
        : andThen(
            filtered({ ...range, projection: 'slim' }, range.q, BATCH_BYTES),
            ({ items, rest, revision, release }) => {
              release?.();
              return {
                items: items.map(({ id, started_at }) => ({ id, started_at })),
                rest,
                revision,
              };
            },
          ),
    postings: ({ sought, ...range }) =>
      andThen(read(range), ({ memories, rest, revision }) => {
        const matches = createMatch(sought);
        return { weeks: byWeek(memories.filter(({ words }) => matches(words))), rest, revision };
      }),
    // The size is of the body, which is not read.
    places: (account_id, keys, revision) =>
      andThen(store.places(account_id, keys, revision), (places) =>
        places.map((place) => ({ ...place, size: 0 })),
      ),
    vocabulary: ({ prefix, ...range }) =>
      andThen(read(range), ({ memories, rest, revision }) => {
        const all = new Set(memories.flatMap(({ words }) => words.split(' ')));
        const words = [...all].filter((word) => isWord(word) && word.startsWith(prefix));
        return { words, postings: words.length, rest, revision };
      }),
  };

  /** Reads a part of a list without its filter by words, and filters it by names and summaries. */
  function filtered(
    { q: _, limit = Infinity, ...range }: ListRange,
    q: string,
    maxBytes: number,
  ): Awaitable<ListBatch> {
    const terms = readQuery(q);
    if (terms.length === 0) return { items: [], rest: undefined, revision: range.revision };
    const matches = hasAll(terms);
    return andThen(store.items({ ...range, limit: BATCH }, maxBytes), (batch) => {
      const found = batch.items.filter(({ bytes }) => matches(summaryWords(bytes)));
      if (found.length < limit) return { ...batch, items: found };
      const items = found.slice(0, limit);
      return { ...batch, items, rest: items.at(-1) };
    });
  }
}

/** Returns whether an entry of `words.split(' ')` is a word: neither what is around them nor a mark between texts. */
function isWord(word: string): boolean {
  return word !== '' && word !== '_';
}

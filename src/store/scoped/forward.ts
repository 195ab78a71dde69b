// A store that forwards every read to another, for stores that change some of them.

import type { Store } from '../store.ts';

/** Returns an object with all reads of a store, which may be a class, so that its methods cannot be spread. */
export function forward(store: Store): Store {
  return {
    apiKey: (keySha256, now) => store.apiKey(keySha256, now),
    account: (id) => store.account(id),
    memory: (query) => store.memory(query),
    items: (range, maxBytes) => store.items(range, maxBytes),
    chunk: (range, maxBytes) => store.chunk(range, maxBytes),
    positions: (range) => store.positions(range),
    changes: (range) => store.changes(range),
    days: (range) => store.days(range),
    memoryCount: (range, most) => store.memoryCount(range, most),
    postings: (range) => store.postings(range),
    places: (account_id, keys, revision) => store.places(account_id, keys, revision),
    vocabulary: (range) => store.vocabulary(range),
    details: (query) => store.details(query),
    original: (query) => store.original(query),
    facets: (range) => store.facets(range),
    actionItems: (range) => store.actionItems(range),
    signs: (range) => store.signs(range),
    vectors: (wanted) => store.vectors(wanted),
    ...(store.readTransaction && { readTransaction: (work) => store.readTransaction?.(work) }),
    ...(store.servers && { servers: () => store.servers?.() ?? [] }),
    check: () => store.check(),
    close: () => store.close(),
  };
}

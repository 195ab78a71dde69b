// A scoped store: the reads of an account through a scope, so that no handler has to think of one.

import { andThen } from '../../lib/async.ts';
import type { OffsetSpan } from '../../lib/timezone.ts';
import { toFacets } from '../details/facets.ts';
import { isInTime, narrow, type Scope, type Window } from '../scope.ts';
import type { Projection, Store } from '../store.ts';
import { forward } from './forward.ts';
import { searchSummaries } from './summaries.ts';
import type { SummaryCache } from './summary-words.ts';

/** Returns a store that reads what a scope allows, and nothing else of an account. */
export function scopedStore(store: Store, scope: Scope, cache: SummaryCache): Store {
  const window = windowOf(scope);
  const inside = window === undefined ? store : throughWindow(store, window);
  return scope.reads === 'all' ? inside : searchSummaries(withoutBodies(inside), cache, window);
}

/** Returns the window of a scope, or undefined if it has none. */
function windowOf({ started_after, started_before, source, tags }: Scope): Window | undefined {
  const facets = toFacets({ source: source ?? undefined, tag: tags });
  if (started_after === null && started_before === null && facets === undefined) return undefined;
  return {
    started_after: started_after ?? undefined,
    started_before: started_before ?? undefined,
    facets,
  };
}

/** Adds a window to every read. Memories outside do not exist: the engine leaves them out. */
function throughWindow(store: Store, window: Window): Store {
  const within = <Range extends Window>(range: Range): Range => ({
    ...range,
    ...narrow(range, window),
  });
  return {
    ...forward(store),
    memory: (query) =>
      store.memory({
        ...query,
        window: query.window === undefined ? window : narrow(query.window, window),
      }),
    items: (range, maxBytes) => store.items(within(range), maxBytes),
    chunk: (range, maxBytes) => store.chunk(within(range), maxBytes),
    positions: (range) => store.positions(within(range)),
    changes: (range) => store.changes({ ...range, window }),
    days: (range) => store.days({ ...within(range), spans: cutSpans(range.spans, window) }),
    memoryCount: (range, most) => store.memoryCount(within(range), most),
    postings: (range) => store.postings(within(range)),
    places: (account_id, keys, revision) =>
      andThen(store.places(account_id, keys, revision), (places) =>
        places.filter(({ started_at }) => isInTime(started_at, window)),
      ),
    vocabulary: (range) => store.vocabulary(within(range)),
    facets: (range) => store.facets(within(range)),
    actionItems: (range) => store.actionItems(within(range)),
    signs: (range) => store.signs(within(range)),
  };
}

/** Returns the parts of spans that are in a window. */
function cutSpans(spans: readonly OffsetSpan[], window: Window): OffsetSpan[] {
  return spans.flatMap((span) => {
    const all = { started_after: span.from, started_before: span.before };
    const { started_after: from, started_before: before } = narrow(all, window);
    return from < before ? [{ ...span, from, before }] : [];
  });
}

/** Returns a store that reads no bodies, which have transcripts. To try it is a bug, and then there is no response. */
function withoutBodies(store: Store): Store {
  return {
    ...forward(store),
    memory: (query) => store.memory(slim(query)),
    items: (range, maxBytes) => store.items(slim(range), maxBytes),
    chunk: (range, maxBytes) => store.chunk(slim(range), maxBytes),
    // Vectors are made of transcripts, too.
    signs: () => ({ memories: [], rest: undefined }),
    vectors: () => [],
  };
}

function slim<Read extends { readonly projection: Projection }>(read: Read): Read {
  if (read.projection === 'slim') return read;
  throw new TypeError('a caller who may read summaries alone reads no bodies');
}

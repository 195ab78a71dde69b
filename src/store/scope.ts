// Scopes: what a key or a grant may read of its account.

import { LAST_MOMENT } from '../lib/time.ts';

/** What a scope lets its caller read of a memory. `summaries`: everything except the transcript. */
export type Reads = 'all' | 'summaries';

/** Returns whether a text is what a scope may let its caller read. */
export function isReads(text: string): text is Reads {
  return text === 'all' || text === 'summaries';
}

/** What a credential may read of its account. A credential without a scope may read everything. */
export interface Scope {
  readonly reads: Reads;
  /** Only memories that started at this time or later, in milliseconds since 1970. Null: from the first on. */
  readonly started_after: number | null;
  /** Only memories that started before this time, in milliseconds since 1970. Null: to the latest. */
  readonly started_before: number | null;
}

/** A scope as columns of a table. */
export interface ScopeColumns {
  reads: Reads;
  started_after: number | null;
  started_before: number | null;
}

/** The columns of a credential that may read everything. */
export const NO_SCOPE: Readonly<ScopeColumns> = {
  reads: 'all',
  started_after: null,
  started_before: null,
};

/** A person, a tag or a source, by its name as it is compared: see `facetKey`. */
export interface FacetName {
  readonly kind: 'person' | 'tag' | 'source';
  readonly folded: string;
}

/** A window: the memories that start in a time, and have some facets. Times are in milliseconds since 1970. */
export interface Window {
  /** Inclusive. Default: from the first on. */
  readonly started_after?: number | undefined;
  /** Exclusive. Default: to the latest. */
  readonly started_before?: number | undefined;
  /** Only memories with all of these people, tags and sources. Default: with any. */
  readonly facets?: readonly FacetName[] | undefined;
}

/** Returns the window of a scope, or undefined if it has none. */
export function windowOf({ started_after, started_before }: Scope): Window | undefined {
  if (started_after === null && started_before === null) return undefined;
  return {
    started_after: started_after ?? undefined,
    started_before: started_before ?? undefined,
  };
}

/** Returns whether a time is in a window, whatever facets that has. */
export function isInTime(started_at: number, { started_after, started_before }: Window): boolean {
  return started_at >= (started_after ?? -Infinity) && started_at < (started_before ?? Infinity);
}

/** Returns the part of a window that is in another. It may be empty. */
export function narrow(window: Window, { started_after, started_before, facets }: Window) {
  return {
    started_after: Math.max(window.started_after ?? -LAST_MOMENT, started_after ?? -LAST_MOMENT),
    started_before: Math.min(window.started_before ?? LAST_MOMENT, started_before ?? LAST_MOMENT),
    facets: window.facets && facets ? [...facets, ...window.facets] : (facets ?? window.facets),
  };
}

/** Returns the scope that columns hold, or undefined if they allow everything. */
export function scopeOf({ reads, started_after, started_before }: ScopeColumns): Scope | undefined {
  if (reads === 'all' && started_after === null && started_before === null) return undefined;
  // Of a row that people have edited, any other word means less, not more.
  return { reads: reads === 'all' ? 'all' : 'summaries', started_after, started_before };
}

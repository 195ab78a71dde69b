// Scopes: what a key or a grant may read of its account.

import * as v from 'valibot';

import { LAST_MOMENT } from '../lib/time.ts';
import { Refusal } from './refusal.ts';

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
  /** Only memories from this product. Null: from any. */
  readonly source: string | null;
  /** Only memories with all of these tags. Empty: with any. */
  readonly tags: readonly string[];
}

/** The scope of a credential that may read everything. */
export const NO_SCOPE: Scope = {
  reads: 'all',
  started_after: null,
  started_before: null,
  source: null,
  tags: [],
};

/** A scope as columns of a table. `tags` is a JSON array, or null for none. */
export interface ScopeColumns {
  reads: Reads;
  started_after: number | null;
  started_before: number | null;
  source: string | null;
  tags: string | null;
}

/** The names of these columns. */
export const SCOPE_COLUMNS = [
  'reads',
  'started_after',
  'started_before',
  'source',
  'tags',
] as const satisfies readonly (keyof ScopeColumns)[];

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
  /** Only memories with all of these people, tags and sources; never empty. Default: with any. */
  readonly facets?: readonly FacetName[] | undefined;
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

/** Returns a scope as columns. Undefined: they allow everything. */
export function toScopeColumns({ tags, ...scope }: Scope = NO_SCOPE): ScopeColumns {
  return { ...scope, tags: tags.length === 0 ? null : JSON.stringify(tags) };
}

const Tags = v.pipe(v.string(), v.parseJson(), v.array(v.string()));

/**
 * Returns the scope that columns hold, or undefined if they allow everything. Throws `Refusal` if they hold no scope: a
 * damaged row may hold anything, and less than a caller may read would look like all there is.
 */
export function scopeOf(columns: ScopeColumns): Scope | undefined {
  const { reads, started_after, started_before, source, tags } = columns;
  const read = tags === null ? { success: true, output: [] } : v.safeParse(Tags, tags);
  // As the tables check it when it is written.
  const isWindow = (started_after ?? -Infinity) < (started_before ?? Infinity);
  if (!isReads(reads) || !read.success || !isWindow)
    throw new Refusal(
      'What an API key or a client may read is damaged; find the damage with: memory-gateway verify',
      { code: 'damaged' },
    );
  const bound = started_after ?? started_before ?? source ?? tags;
  if (reads === 'all' && bound === null) return undefined;
  return { reads, started_after, started_before, source, tags: read.output };
}

// Scopes: what a key or a grant may read of its account.

/** What a scope lets its caller read of a memory. `summaries`: everything except the transcript. */
export type Reads = 'all' | 'summaries';

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

/** Returns the scope that columns hold, or undefined if they allow everything. */
export function scopeOf({ reads, started_after, started_before }: ScopeColumns): Scope | undefined {
  if (reads === 'all' && started_after === null && started_before === null) return undefined;
  // Of a row that people have edited, any other word means less, not more.
  return { reads: reads === 'all' ? 'all' : 'summaries', started_after, started_before };
}

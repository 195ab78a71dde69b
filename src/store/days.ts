// Totals per day: what the store is asked for, and what it returns.

import type { OffsetSpan } from '../lib/timezone.ts';
import type { RevisionQuery, RevisionResult } from './positions.ts';
import type { Window } from './scope.ts';

/** Which memories of an account to total. */
export interface DaysRange extends RevisionQuery, Pick<Window, 'facets'> {
  readonly account_id: string;
  /** Each begins where the one before it ends. */
  readonly spans: readonly OffsetSpan[];
}

/** The totals of a local day. */
export interface DayTotal {
  /** Counted from 1970-01-01. */
  readonly day: number;
  readonly memories: number;
  readonly seconds: number;
}

/** Totals of memories by local day. A day in two spans may appear twice. */
export interface DayTotals extends RevisionResult {
  readonly totals: readonly DayTotal[];
  /** Where the rest begins, in milliseconds since 1970. Undefined at the end. */
  readonly rest: number | undefined;
}

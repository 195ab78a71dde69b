// The state of a list of memories, and the state with which a list begins.

import type { Failure } from '../../../../contract/failure.ts';
import type { Kept } from '../router.ts';
import type { DayCount } from './layout.ts';
import type { RowSource } from './list-source.ts';

/** A list whose rows can be read. */
export interface Opened {
  readonly source: RowSource;
  /** All days with memories, newest first. Undefined if nothing counts them. */
  readonly days: readonly DayCount[] | undefined;
  /** The year that is shown alone, because all would be higher than browsers can show. */
  readonly year: string | undefined;
}

/** The list so far. */
export interface List {
  readonly key: string;
  readonly opened?: Opened | undefined;
  readonly failure?: Failure | undefined;
  /** How many memories are new, which are not shown yet. 0: some changed, and it is not known how many. */
  readonly added?: number | undefined;
  /** The row to scroll to, once. */
  readonly target?: { readonly row: number; readonly below: number } | undefined;
  /** The entry of the history that the list has returned to. */
  readonly kept?: Kept | undefined;
}

/** The list before anything is loaded. */
export const EMPTY: List = { key: '' };

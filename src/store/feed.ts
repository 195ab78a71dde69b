// Feed: the changes of an account, as the store gives them.

import type { Change } from '../contract/change.ts';
import type { Dated, Wanting } from './state.ts';

/** A place in the feed of an account: how many changes it has had, and who wrote the latest of them. */
export interface Mark {
  readonly seq: number;
  readonly epoch: string;
}

/** The latest change of a memory. `changed_at` is in milliseconds since 1970. */
export interface StoredChange extends Omit<Change, 'changed_at'> {
  readonly changed_at: number;
}

/** The changes behind a place, at most `limit` of them. */
export interface Since extends Wanting {
  readonly account_id: string;
  readonly mark: Mark;
  readonly limit: number;
}

/** A part of the feed, oldest first, and the place where it ends. */
export interface Feed extends Dated {
  readonly changes: readonly StoredChange[];
  readonly mark: Mark;
}

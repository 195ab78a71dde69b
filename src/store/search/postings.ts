// Postings: which memories of an account have a term, as both engines return it for a ranked search.

import type { QueryTerm } from '../../text/search-query.ts';
import type { ListPosition, RevisionQuery, RevisionResult } from '../positions.ts';
import type { Window } from '../scope.ts';
import { startOfWeek, weekOf } from './weeks.ts';

/** How an engine names a memory between two reads of one search: by its row, or by its id. */
export type MemoryKey = number | string;

/** In place of the last word of a sequence: a text of the memory ends there. A transcript, which is the last one, has no such end. */
export const TEXT_END = '';

/** The words that a look-up may find: any of these sequences. */
export type Alternatives = readonly (readonly string[])[];

/** The terms that a memory must have: all of some terms, or any of some sequences. */
export type Sought = { readonly all: readonly QueryTerm[] } | { readonly any: Alternatives };

/** Which memories of an account are searched, the newest first. */
export interface SearchRange extends RevisionQuery, Window {
  readonly account_id: string;
  readonly is_processing?: boolean | undefined;
  /** The `rest` of the read before. */
  readonly before?: ListPosition | undefined;
}

/** Which memories are looked up, and for what. */
export interface PostingsRange extends SearchRange {
  readonly sought: Sought;
}

/** Memories of a week. Within a week they have no order. */
export interface WeekPostings {
  /** The start of the week, in milliseconds. */
  readonly start: number;
  readonly keys: readonly MemoryKey[];
}

/** The memories found in some weeks, the newest week first. A week may continue in the next read. */
export interface Postings extends RevisionResult {
  readonly weeks: readonly WeekPostings[];
  /** The position that the next read starts before. Undefined: everything was read. */
  readonly rest: ListPosition | undefined;
}

/** Groups memories by week, the newest week first. Their ids are their keys. */
export function byWeek(found: readonly ListPosition[]): WeekPostings[] {
  const weeks = Map.groupBy(found, ({ started_at }) => startOfWeek(weekOf(started_at)));
  return Array.from(weeks, ([start, stored]) => ({
    start,
    keys: stored.map(({ id }) => id),
  })).toSorted((a, b) => b.start - a.start);
}

/** How many memories a range has. */
export interface MemoryCount extends RevisionResult {
  readonly memories: number;
  /** The first position that was not counted. Undefined: everything was counted. */
  readonly rest: ListPosition | undefined;
}

/** A memory with its key, its position and its size. */
export interface PlacedMemory {
  readonly key: MemoryKey;
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly started_at: number;
  /** The bytes of its body. */
  readonly size: number;
}

/** Which words of an account are wanted. The words of the newest memories come first. An engine may return others of the same week. */
export interface VocabularyRange extends RevisionQuery, Window {
  readonly account_id: string;
  /** The `rest` of the read before. */
  readonly before?: ListPosition | undefined;
  /** Only words that begin with this. */
  readonly prefix: string;
  /** A read ends with the word that makes it so many words or postings, if it takes no less for another reason. */
  readonly mostWords: number;
  readonly mostPostings: number;
}

/** Words of an account. A word may repeat. */
export interface Vocabulary extends RevisionResult {
  readonly words: readonly string[];
  /** How many memories have each word, summed up. It tells how much an engine has to read for the words. */
  readonly postings: number;
  /** The position that the next read starts before. Undefined: everything was read. */
  readonly rest: ListPosition | undefined;
}

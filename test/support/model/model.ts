// A model of the service as its specification describes it, over plain arrays in memory.

import type { Memory } from '../../../src/contract/schemas/memory.ts';
import type { Text } from './vocabulary.ts';

/** A memory, with the words of each of its texts. */
export interface Kept {
  readonly memory: Memory;
  readonly texts: readonly Text[];
}

/** The latest change of a memory. `at` counts the changes of the account. */
export interface Told {
  readonly at: number;
  readonly memory_id: string;
  readonly change: 'upsert' | 'delete';
}

/** An account: its memories by id, and the latest change of each, oldest first. */
export interface Account {
  readonly id: string;
  readonly isDisabled: boolean;
  readonly kept: ReadonlyMap<string, Kept>;
  readonly told: readonly Told[];
  /** The number of changes so far. */
  readonly count: number;
}

/** A search term: a sequence of words, whose last word may be a prefix. */
export interface Term {
  readonly words: readonly string[];
  readonly isBeginning: boolean;
}

/** The filters of a list, in milliseconds and words. */
export interface ListQuery {
  readonly order: 'desc' | 'asc';
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly is_processing?: boolean | undefined;
  readonly terms?: readonly Term[] | undefined;
  readonly fields?: readonly string[] | undefined;
}

/** A position in a list. */
export interface Place {
  readonly time: number;
  readonly id: string;
}

export function newAccount(id: string): Account {
  return { id, isDisabled: false, kept: new Map(), told: [], count: 0 };
}

/** Writes a memory. An unchanged memory causes no change. */
export function put(account: Account, { memory, texts }: Kept): Account {
  const own = { ...memory, user_id: account.id };
  const old = account.kept.get(own.id);
  if (old !== undefined && JSON.stringify(old.memory) === JSON.stringify(own)) return account;
  const kept = new Map(account.kept).set(own.id, { memory: own, texts });
  return { ...tell(account, own.id, 'upsert'), kept };
}

/** Deletes a memory. An unknown id causes no change. */
export function erase(account: Account, id: string): Account {
  if (!account.kept.has(id)) return account;
  const kept = new Map(account.kept);
  kept.delete(id);
  return { ...tell(account, id, 'delete'), kept };
}

function tell(account: Account, memory_id: string, change: Told['change']): Account {
  const others = account.told.filter((each) => each.memory_id !== memory_id);
  const at = account.count + 1;
  return { ...account, told: [...others, { at, memory_id, change }], count: at };
}

/** Lists the matching memories in order, after a position. */
export function list({ kept }: Account, query: ListQuery, after?: Place): Memory[] {
  const sign = query.order === 'asc' ? 1 : -1;
  const found = Array.from(kept.values())
    .filter(({ memory, texts }) => {
      const time = Date.parse(memory.started_at);
      if (query.from !== undefined && time < query.from) return false;
      if (query.to !== undefined && time >= query.to) return false;
      if (query.is_processing !== undefined && memory.is_processing !== query.is_processing)
        return false;
      return query.terms === undefined || isFound(query.terms, texts);
    })
    .map(({ memory }) => memory)
    .toSorted((a, b) => sign * compare(placeOf(a), placeOf(b)));
  if (after === undefined) return found;
  return found.filter((memory) => sign * compare(placeOf(memory), after) > 0);
}

/** Reduces a memory to its id and some fields, in their usual order. */
export function cut(memory: Memory, fields?: readonly string[]): Partial<Memory> {
  if (fields === undefined) return memory;
  const wanted = Object.entries(memory).filter(([name]) => name === 'id' || fields.includes(name));
  return Object.fromEntries(wanted);
}

/** Returns the changes after a position of the feed, and the next position. */
export function changes(
  { told }: Account,
  since: number,
  limit: number,
): { readonly told: readonly Told[]; readonly next: number } {
  const some = told.filter(({ at }) => at > since).slice(0, limit);
  return { told: some, next: some.at(-1)?.at ?? since };
}

export function placeOf({ started_at, id }: Memory): Place {
  return { time: Date.parse(started_at), id };
}

function compare(a: Place, b: Place): number {
  if (a.time !== b.time) return a.time - b.time;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

/**
 * Returns whether all terms match, each within one text. A search without words matches nothing.
 */
function isFound(terms: readonly Term[], texts: readonly Text[]): boolean {
  if (terms.length === 0) return false;
  return terms.every((term) => texts.some(({ words }) => isIn(term, words)));
}

function isIn({ words: wanted, isBeginning }: Term, words: readonly string[]): boolean {
  const last = wanted.length - 1;
  return words.some((_, start) =>
    wanted.every((word, i) => {
      const there = words[start + i];
      return isBeginning && i === last ? there?.startsWith(word) : there === word;
    }),
  );
}

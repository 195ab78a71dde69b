// Terms of a search: looks each of them up in the whole account, or only in its newest memories if it is common there.

import type { MemoryKey, Sought } from '../../../store/search/postings.ts';
import type { RankedQuery } from '../../../text/ranked-query.ts';
import type { QueryTerm } from '../../../text/search-query.ts';
import type { Steps } from '../../fair-share/time.ts';
import {
  countMemories,
  narrowToNewest,
  readPostings,
  type SearchFilters,
  type Searched,
  type WeekKeys,
} from './cached-postings.ts';

/** How many of the newest memories tell whether a term is common. */
const NEWEST = 5000;

/** In accounts with fewer memories, all terms are looked up everywhere. */
const MANY = 20_000;

/** A term is common if more than this share of the newest memories has it. To rank by such a term costs much and tells little. */
const COMMON = 0.25;

/** How many phrases and prefixes are looked up, the longest first. Passages are checked for all of them. */
const MAX_REQUIRED = 8;

/** The memories that match the filters, and the newest of them if they are many. */
export interface SearchScope {
  readonly filters: SearchFilters;
  readonly memories: number;
  readonly newest: { readonly filters: SearchFilters; readonly memories: number } | undefined;
  readonly isConsistent: boolean;
}

/** Counts the memories that match filters. If an exact result is wanted, all terms are looked up in all of them. */
export function* readSearchScope(
  searched: Searched,
  filters: SearchFilters,
  isExact = false,
): Steps<SearchScope> {
  const { memories, isConsistent } = yield* countMemories(searched, filters);
  if (isExact || memories <= MANY) return { filters, memories, newest: undefined, isConsistent };
  const narrowed = yield* narrowToNewest(searched, filters, NEWEST);
  const newest = yield* countMemories(searched, narrowed);
  return {
    filters,
    memories,
    newest: { filters: narrowed, memories: newest.memories },
    isConsistent: isConsistent && newest.isConsistent,
  };
}

/** Where a term was found. */
export interface Looked {
  /** All memories that have it. Undefined: it is common, and only the newest memories were looked at. */
  readonly all: WeekKeys | undefined;
  readonly newest: WeekKeys;
  /** How many memories have it: if it is common, an estimate from the newest. */
  readonly found: number;
  readonly isConsistent: boolean;
}

/** Returns whether all memories with a term are known. */
export function isRare({ all }: Looked): boolean {
  return all !== undefined;
}

/** Looks a term up. */
export function* lookUp(searched: Searched, scope: SearchScope, sought: Sought): Steps<Looked> {
  const { filters, memories, newest } = scope;
  const some = newest && (yield* readPostings(searched, newest.filters, sought));
  if (newest !== undefined && some !== undefined && some.found > COMMON * newest.memories) {
    const found = Math.round((some.found / newest.memories) * memories);
    return { all: undefined, newest: some.weeks, found, isConsistent: some.isConsistent };
  }
  const { weeks, found, isConsistent } = yield* readPostings(searched, filters, sought);
  return { all: weeks, newest: some?.weeks ?? weeks, found, isConsistent };
}

/** Looks up alternatives, one of which must occur. If one is common, they all are. */
export function* lookUpAny(
  searched: Searched,
  scope: SearchScope,
  group: readonly QueryTerm[],
): Steps<Looked> {
  const looked: Looked[] = [];
  for (const term of group) looked.push(yield* lookUp(searched, scope, { all: [term] }));
  const [first, ...others] = looked;
  if (first === undefined) throw new RangeError('a group has no terms');
  return others.reduce((some, more) => eitherOf(scope, some, more), first);
}

/** A word that fewer memories have is looked up as two words as well: standup, stand up. */
const RARE = 20;

/** The look-ups of terms. */
interface LookedTerms {
  readonly looked: readonly Looked[];
  /** Those of half-typed words alone, which count for themselves as well: so they come before the words that they begin. */
  readonly typed: readonly Looked[];
}

/** Looks terms up in all their forms. */
export function* lookUpTerms(
  searched: Searched,
  scope: SearchScope,
  terms: RankedQuery['terms'],
): Steps<LookedTerms> {
  const looked: Looked[] = [];
  const typed: Looked[] = [];
  for (const { exact, forms, splits, begins } of terms) {
    let one = yield* lookUp(searched, scope, { any: [...exact, ...forms] });
    if (splits.length > 0 && one.found < RARE) {
      const parts = yield* lookUp(searched, scope, { any: splits });
      if (isRare(one) && isRare(parts)) one = eitherOf(scope, one, parts);
    }
    if (begins !== undefined) {
      typed.push(one);
      const begun = { all: [{ words: begins, isPrefix: true }] };
      one = eitherOf(scope, one, yield* lookUp(searched, scope, begun));
    }
    looked.push(one);
    yield;
  }
  return { looked, typed };
}

/** Joins two look-ups. If one is common, both are. */
function eitherOf({ memories }: SearchScope, some: Looked, more: Looked): Looked {
  const all = some.all && more.all && union(some.all, more.all);
  const found = all
    ? all.values().reduce((sum, { length }) => sum + length, 0)
    : Math.min(memories, some.found + more.found);
  const newest = union(some.newest, more.newest);
  return { all, newest, found, isConsistent: some.isConsistent && more.isConsistent };
}

/** The length of the shortest of some alternatives. */
function lengthOf(group: readonly QueryTerm[]): number {
  return Math.min(...group.map(({ words }) => words.join(' ').length));
}

/** Returns the phrases and prefixes that are looked up. */
export function mostSelective(required: RankedQuery['required']): RankedQuery['required'] {
  return required.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, MAX_REQUIRED);
}

function union(some: WeekKeys, more: WeekKeys): WeekKeys {
  const all = new Map(some);
  for (const [start, keys] of more)
    all.set(start, [...new Set([...(some.get(start) ?? []), ...keys])]);
  return all;
}

/** A look-up and the memories that it found. */
interface Results {
  readonly bound: readonly Looked[];
  readonly looked: readonly Looked[];
  readonly weeks: ReadonlyMap<number, ReadonlyMap<MemoryKey, number>>;
}

/** Counts the memories with any term, and all that are required. If any term is common, this is an estimate from the newest. */
export function* countFound(
  { memories, newest }: SearchScope,
  { bound, looked, weeks }: Results,
): Steps<number> {
  let found = 0;
  for (const [, { size }] of weeks) found += size;
  const deciding = bound.length > 0 ? bound : looked;
  if (newest === undefined || deciding.every(isRare)) return found;
  const some = new Map<MemoryKey, number>();
  for (const one of deciding) {
    for (const keys of one.newest.values())
      for (const key of keys) some.set(key, (some.get(key) ?? 0) + 1);
    yield;
  }
  const least = bound.length > 0 ? bound.length : 1;
  const withAll = some.values().reduce((sum, count) => sum + Number(count >= least), 0);
  return Math.max(found, Math.round((withAll / newest.memories) * memories));
}

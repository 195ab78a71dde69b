// All talks of a time: the memories of the dates in a question such as "meetings last week".

import type { ListPosition } from '../../../store/positions.ts';
import { narrow } from '../../../store/scope.ts';
import { byWeek } from '../../../store/search/postings.ts';
import type { Span } from '../../../text/question/closeness.ts';
import { step, type Steps } from '../../fair-share/time.ts';
import { countMemories, isAt, type SearchFilters, type Searched } from './cached-postings.ts';
import type { FoundCandidates } from './candidates.ts';

/** How many memories of each span are found at most, the newest. */
const MOST = 500;

interface InTime {
  readonly spans: readonly Span[];
  /** Whether all of them are wanted. */
  readonly isExact?: boolean | undefined;
}

/** Finds the memories that started in some spans of time. */
export function* findInTime(
  searched: Searched,
  filters: SearchFilters,
  { spans, isExact = false }: InTime,
): Steps<FoundCandidates> {
  const { store, account_id, revision } = searched;
  const all = yield* countMemories(searched, filters);
  const items: ListPosition[] = [];
  let { isConsistent } = all;
  let found = 0;
  let end = -Infinity;
  for (const [from, before] of spans.toSorted(([one], [other]) => one - other)) {
    // Spans may overlap: today is in this week.
    const span = { started_after: Math.max(from, end), started_before: before };
    end = Math.max(end, before);
    const within = { ...filters, ...narrow(filters, span) };
    const count = yield* countMemories(searched, within);
    found += count.memories;
    isConsistent &&= count.isConsistent;
    const range = { ...within, account_id, revision, order: 'desc', projection: 'slim' } as const;
    let left = isExact ? count.memories : Math.min(MOST, count.memories);
    for (let after: ListPosition | undefined; left > 0;) {
      const read = yield* step(store.positions({ ...range, after, limit: Math.min(MOST, left) }));
      items.push(...read.items);
      isConsistent &&= isAt(store, read, revision);
      after = read.rest;
      if (after === undefined) break;
      left -= read.items.length;
    }
  }
  const ids = new Set(items.map(({ id }) => id));
  const groups = ids.size === 0 ? [] : [[...ids]];
  const weeks = new Map(byWeek(items).map(({ start, keys }) => [start, new Set(keys)]));
  return { memories: all.memories, found, withTerm: [], weeks, groups, isConsistent };
}

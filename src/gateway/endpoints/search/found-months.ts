// When what a search finds was recorded: how many memories of each month it finds, however many pages it has.

import type { ValidInput } from '../../../contract/handlers.ts';
import { routes } from '../../../contract/routes.ts';
import { andThen, type Awaitable } from '../../../lib/async.ts';
import { WEEK_MS } from '../../../lib/time.ts';
import { dayReader } from '../../../lib/timezone.ts';
import type { Store } from '../../../store/store.ts';
import { withInflections } from '../../../text/question/inflections.ts';
import { readRankedQuery } from '../../../text/ranked-query.ts';
import { step, type FairTime, type Steps, type Worker } from '../../fair-share/time.ts';
import type { Caller } from '../../request/auth.ts';
import type { PagedSearch } from '../cursor.ts';
import type { PostingsCache, Searched } from './cached-postings.ts';
import { PLACES } from './candidates.ts';
import { lookUpAll } from './search-account.ts';
import { searchQuery } from './search-input.ts';

/** How many memories each month has, such as `2026-11`. Months without any are left out. */
export type MonthCounts = Readonly<Record<string, number>>;

/** Counts the memories that a search finds, in its time zone. Nothing is estimated, unlike `memories_found` of many memories. */
export type CountMonths = (
  worker: Worker & { readonly caller: Caller },
  input: ValidInput<typeof routes.search.passages>,
) => Awaitable<MonthCounts>;

/** What the counts need. */
interface MonthsOptions {
  readonly time: Pick<FairTime, 'runSteps'>;
  readonly now: () => number;
  readonly postings: PostingsCache;
}

/** Creates the function that counts over a store, for callers who may read all memories of an account. */
export function createCountMonths(
  store: Store,
  { time, now, postings }: MonthsOptions,
): CountMonths {
  return (worker, input) =>
    andThen(searchQuery(input, now()), ({ query }) =>
      andThen(dayReader(input.timezone ?? 'UTC'), (dayOf) => {
        const { account_id, revision } = worker.caller;
        const searched = { store, account_id, revision, cache: postings };
        const monthOf = (ms: number) => dayOf(new Date(ms).toISOString()).slice(0, -'-DD'.length);
        return time.runSteps(worker, countMonths(searched, query, monthOf));
      }),
    );
}

function* countMonths(
  searched: Searched,
  query: PagedSearch,
  monthOf: (ms: number) => string,
): Steps<MonthCounts> {
  const { store, account_id, revision } = searched;
  const asked = yield* step(withInflections(readRankedQuery(query.q)));
  const { found } = yield* lookUpAll(searched, { ...query, isExact: true }, asked);
  const months: Record<string, number> = {};
  const add = (month: string, count: number) => (months[month] = (months[month] ?? 0) + count);
  for (const [start, week] of found.weeks) {
    const first = monthOf(start);
    if (first === monthOf(start + WEEK_MS - 1)) {
      add(first, week.size);
      yield;
      continue;
    }
    // Of the weeks in two months, the memories themselves are looked at: about every fourth one.
    const keys = [...week.keys()];
    for (let from = 0; from < keys.length; from += PLACES) {
      const some = keys.slice(from, from + PLACES);
      for (const { started_at } of yield* step(store.places(account_id, some, revision)))
        add(monthOf(started_at), 1);
    }
  }
  return months;
}

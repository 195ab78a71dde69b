// The feed: what has changed since a mark, and the cursor to come back with.

import { andThen, type Awaitable } from '../contract/awaitable.ts';
import type { Change } from '../contract/change.ts';
import type { Answer } from '../contract/handlers.ts';
import { toJson } from '../contract/json.ts';
import type { Store } from '../store/store.ts';
import type { Caller } from './auth.ts';
import { feedCursor, type FeedQuery } from './cursor.ts';

/** How many changes are given where nobody says. */
const LIMIT = 1000;

/** Reads changes; there is always a next cursor, as more may come. */
export function readFeed(
  store: Store,
  { account_id, revision }: Caller,
  { limit, mark }: FeedQuery,
): Awaitable<Omit<Answer<Change[]>, 'etag'>> {
  const since = { account_id, revision, mark, limit: limit ?? LIMIT };
  return andThen(store.changes(since), (feed) => ({
    revision: feed.revision,
    body: toJson(
      feed.changes.map(({ memory_id, change, changed_at }) => ({
        memory_id,
        change,
        changed_at: new Date(changed_at).toISOString(),
      })),
    ),
    next: feedCursor({ limit, mark: feed.mark }),
  }));
}

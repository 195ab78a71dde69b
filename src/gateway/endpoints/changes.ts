// Changes: the feed, which always has a next cursor, and the latest changes first, in pages that end.

import { Failure } from '../../contract/failure.ts';
import type { HandlerResult, ValidInput } from '../../contract/handlers.ts';
import { toJson } from '../../contract/json.ts';
import type { Change } from '../../contract/memory.ts';
import { routes } from '../../contract/routes.ts';
import { failure } from '../../contract/statuses.ts';
import { andThen, type Awaitable } from '../../lib/async.ts';
import type { FeedPage, Store } from '../../store/store.ts';
import type { Caller } from '../request/auth.ts';
import { malformedParameter } from '../request/input.ts';
import { feedCursor, readFeedCursor, type FeedQuery } from './cursor.ts';
import type { EndpointResult } from './endpoint.ts';

/** The default number of changes in a response. */
const FEED_LIMIT = 1000;

/** Reads the query of a request. Throws a 422 if its cursor is not one of this order, and a 410 if it is too old. */
export function feedQuery({
  since,
  cursor,
  order = 'asc',
  limit,
}: ValidInput<typeof routes.changes.list>): FeedQuery {
  const text = since ?? cursor;
  if (text === undefined) return { limit, order };
  const query = readFeedCursor(text);
  const isOfOrder = query?.order === (since === undefined ? 'desc' : 'asc');
  if (query === undefined || !isOfOrder)
    throw malformedParameter(routes.changes.list, since === undefined ? 'cursor' : 'since');
  if (query.position === undefined) throw undone(query);
  return { ...query, limit: limit ?? query.limit };
}

type Feed = Omit<HandlerResult<Change[]>, 'etag'> & Pick<EndpointResult, 'cursorParameter'>;

/** Reads changes. Oldest first, there is always a next cursor, because more changes may come. */
export function readFeed(
  store: Store,
  { account_id, revision }: Caller,
  query: FeedQuery,
): Awaitable<Feed> {
  const { limit = FEED_LIMIT, order, position } = query;
  const range = { account_id, revision, order, position, limit };
  return andThen(store.changes(range), (feed) => {
    if (feed.position === undefined) throw undone(query);
    const body = toBody(feed.changes);
    // More changes may come at the end of the feed, but none at its beginning.
    if (order === 'desc' && !feed.hasMore) return { revision: feed.revision, body };
    return {
      revision: feed.revision,
      body,
      next: feedCursor(query, feed.position),
      cursorParameter: order === 'desc' ? 'cursor' : 'since',
    };
  });
}

function toBody(changes: FeedPage['changes']) {
  return toJson(
    changes.map(({ memory_id, change, changed_at }) => ({
      memory_id,
      change,
      changed_at: new Date(changed_at).toISOString(),
    })),
  );
}

/** The 410 of a cursor that a restore has undone. */
function undone({ order }: FeedQuery): Failure {
  return order === 'asc' ? failure(410) : UNDONE_WALK;
}

const UNDONE_WALK = new Failure(
  410,
  'The database was restored, and this cursor belongs to changes that the restore has undone; start again without "cursor".',
);

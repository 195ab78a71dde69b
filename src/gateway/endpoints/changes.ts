// Changes: the feed, which always has a next cursor, and the latest changes first, in pages that end.

import { malformedParameter } from '../../contract/check-input.ts';
import { Failure } from '../../contract/failure.ts';
import type { HandlerResult, ValidInput } from '../../contract/handlers.ts';
import { toJson } from '../../contract/json.ts';
import { routes } from '../../contract/routes.ts';
import type { Change } from '../../contract/schemas/memory.ts';
import { failure } from '../../contract/statuses.ts';
import { andThen, type Awaitable } from '../../lib/async.ts';
import type { FeedPage, FeedPosition, Store, StoredChange } from '../../store/store.ts';
import { step, type Steps } from '../fair-share/time.ts';
import type { Caller } from '../request/auth.ts';
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
  return andThen(store.changes(range), (feed) => toFeed(query, feed));
}

/**
 * Reads changes through the window of a caller: several stretches of the feed, until a page is full. Where changes
 * outside are many, each stretch is short.
 */
export function* readThroughWindow(
  store: Store,
  { account_id, revision }: Caller,
  query: FeedQuery,
): Steps<Feed> {
  const { limit = FEED_LIMIT, order } = query;
  const changes: StoredChange[] = [];
  const revisions = new Set<string | undefined>();
  const read = function* (position: FeedPosition | undefined, most: number): Steps<FeedPage> {
    const feed = yield* step(store.changes({ account_id, revision, order, position, limit: most }));
    revisions.add(feed.revision);
    return feed;
  };
  let feed = yield* read(query.position, limit);
  changes.push(...feed.changes);
  while (feed.hasMore && feed.position !== undefined && changes.length < limit) {
    feed = yield* read(feed.position, limit - changes.length);
    changes.push(...feed.changes);
  }
  // Of the latest changes, a page that no other follows has no link.
  let ahead = feed;
  if (order === 'desc')
    do {
      if (!ahead.hasMore || ahead.position === undefined) break;
      ahead = yield* read(ahead.position, 1);
    } while (ahead.changes.length === 0);
  const hasMore = order === 'desc' && feed.hasMore && ahead.changes.length > 0;
  const [only] = revisions.size === 1 ? revisions : [];
  return toFeed(query, { changes, position: feed.position, hasMore, revision: only });
}

function toFeed(query: FeedQuery, { changes, position, hasMore, revision }: FeedPage): Feed {
  if (position === undefined) throw undone(query);
  const body = toBody(changes);
  // More changes may come at the end of the feed, but none at its beginning.
  if (query.order === 'desc' && !hasMore) return { revision, body };
  return {
    revision,
    body,
    next: feedCursor(query, position),
    cursorParameter: query.order === 'desc' ? 'cursor' : 'since',
  };
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

// Queries: what a list or a feed is asked for, with its cursor opened and its days counted in milliseconds.

import { andThen, type Awaitable } from '../contract/awaitable.ts';
import type { Checked } from '../contract/handlers.ts';
import { routes } from '../contract/routes.ts';
import { readFeedCursor, readListCursor, type FeedQuery, type ListQuery } from './cursor.ts';
import { inOrder } from './fields.ts';
import { toMilliseconds } from './moment.ts';
import { malformed } from './refuse.ts';

const START: FeedQuery = { mark: { seq: 0, epoch: '' } };

/** Reads what a list is asked for. Fails with 422 when its cursor is none of a list's. */
export function listQuery(input: Checked<typeof routes.memories.list>): Awaitable<ListQuery> {
  const { cursor, limit, timezone, started_after, started_before, order = 'desc', ...rest } = input;
  if (cursor !== undefined) {
    const query = readListCursor(cursor);
    if (query === undefined) throw malformed(routes.memories.list, 'cursor');
    return { ...query, limit: limit ?? query.limit };
  }
  return andThen(inMilliseconds(started_after, timezone), (after) =>
    andThen(inMilliseconds(started_before, timezone), (before) => ({
      ...rest,
      fields: inOrder(rest.fields), // the same bytes have the same etag
      order,
      limit,
      started_after: after,
      started_before: before,
    })),
  );
}

/** Reads what a feed is asked for. Fails with 422 when its cursor is none of a feed's. */
export function feedQuery({ since, limit }: Checked<typeof routes.changes.list>): FeedQuery {
  const query = since === undefined ? START : readFeedCursor(since);
  if (query === undefined) throw malformed(routes.changes.list, 'since');
  return { ...query, limit: limit ?? query.limit };
}

function inMilliseconds(moment: string | undefined, timezone: string | undefined) {
  return moment === undefined ? undefined : toMilliseconds(moment, timezone);
}

// The handlers: what each endpoint does with a caller and checked input. They know no SQL and no HTTP.

import { hash } from 'node:crypto';

import type { Handlers, ValidInput } from '../../contract/handlers.ts';
import { fromJson, toJson } from '../../contract/json.ts';
import type { Memory } from '../../contract/memory.ts';
import { routes } from '../../contract/routes.ts';
import { failure } from '../../contract/statuses.ts';
import { andThen, type Awaitable } from '../../lib/async.ts';
import { toMillisecondBounds } from '../../lib/timezone.ts';
import type { Store } from '../../store/store.ts';
import { VERSION } from '../../version.ts';
import type { Caller } from '../request/auth.ts';
import { malformedParameter } from '../request/input.ts';
import type { NextTurn } from '../scheduler.ts';
import { feedQuery, readFeed } from './changes.ts';
import {
  listCursor,
  readListCursor,
  readSearchCursor,
  searchCursor,
  type ListQuery,
  type SearchQuery,
} from './cursor.ts';
import { countDays } from './days.ts';
import type { Context } from './endpoint.ts';
import { inContractOrder, selectFields } from './fields.ts';
import { cutLines } from './lines.ts';
import { readList } from './list.ts';
import { createPostingsCache } from './search/postings.ts';
import { search, type ReportDamage } from './search/search.ts';
import { createRunInTurns } from './turns.ts';

/** What the handlers need besides the store. */
export interface HandlerOptions {
  /** Lets other requests run: long lists and searches call it. */
  readonly nextTurn: NextTurn;
  readonly reportDamage: ReportDamage;
}

/** Creates the handlers of the contract over a store. */
export function createHandlers(
  store: Store,
  { nextTurn, reportDamage }: HandlerOptions,
): Handlers<Context> {
  const runInTurns = createRunInTurns(nextTurn);
  const cache = createPostingsCache();
  return {
    memories: {
      list: ({ caller, condition, headers, isAborted, longResponses }, input) =>
        andThen(listQuery(input), (query) => {
          const etag = etagOf(caller, query);
          if (condition.match(etag) !== undefined) return { etag, body: null };
          if (query.limit === undefined) longResponses?.checkStream(caller.account_id, headers);
          const first = input.cursor && listCursor({ ...query, after: undefined });
          const holdLarge = longResponses && (() => longResponses.holdLarge(caller.account_id));
          const list = readList({ store, nextTurn, isAborted, holdLarge }, caller, query);
          return andThen(list, (found) => ({ etag, first, ...found }));
        }),

      get({ caller: { account_id, revision }, condition }, { memory_id: id, fields }) {
        const { name, projection, select } = selectFields(fields);
        const known = name === '' ? condition.only : '';
        return andThen(store.memory({ account_id, revision, id, projection, known }), (memory) => {
          if (!memory) throw failure(404);
          const { body_sha256 } = memory;
          const etag = name === '' ? body_sha256 : hash('sha256', `${body_sha256} ${name}`);
          const isCurrent = memory.bytes === null || condition.match(etag) !== undefined;
          return { etag, body: isCurrent ? null : select(memory.bytes), revision: memory.revision };
        });
      },

      lines({ caller: { account_id, revision }, condition }, { memory_id: id, ...range }) {
        const wanted = { account_id, revision, id, projection: 'body', known: '' } as const;
        return andThen(store.memory(wanted), (memory) => {
          if (!memory?.bytes) throw failure(404);
          const etag = hash('sha256', JSON.stringify([VERSION, memory.body_sha256, range]));
          const isCurrent = condition.match(etag) !== undefined;
          const lines = isCurrent ? null : cutLines(fromJson(memory.bytes) as Memory, range);
          return { etag, body: lines && toJson(lines), revision: memory.revision };
        });
      },
    },

    search: {
      passages: ({ caller, condition, isAborted }, input) =>
        andThen(searchQuery(input), (query) => {
          const etag = etagOf(caller, { of: 'search', ...query });
          if (condition.match(etag) !== undefined) return { etag, body: null };
          const { account_id, revision } = caller;
          const first = input.cursor && searchCursor({ ...query, after: undefined });
          const steps = search({ store, account_id, revision, cache }, query, reportDamage);
          return andThen(
            runInTurns({ account_id, isAborted }, steps),
            ({ result, last, isConsistent }) => ({
              etag,
              first,
              body: toJson(result),
              next: last && searchCursor({ ...query, after: last }),
              revision: isConsistent ? revision : undefined,
            }),
          );
        }),
    },

    days: {
      list: ({ caller, condition, isAborted }, { timezone = 'UTC', ...bounds }) =>
        andThen(toMillisecondBounds(bounds, timezone), (range) => {
          const query = { timezone, ...range };
          const etag = etagOf(caller, { of: 'days', ...query });
          if (condition.match(etag) !== undefined) return { etag, body: null };
          const { account_id } = caller;
          const steps = countDays(store, caller, query);
          return andThen(runInTurns({ account_id, isAborted }, steps), ({ days, revision }) => ({
            etag,
            body: toJson(days),
            revision,
          }));
        }),
    },

    changes: {
      list({ caller, condition }, input) {
        const query = feedQuery(input);
        const etag = etagOf(caller, { of: 'changes', ...query });
        if (condition.match(etag) !== undefined) return { etag, body: null };
        return andThen(readFeed(store, caller, query), (feed) => ({ etag, ...feed }));
      },
    },
  };
}

/**
 * Returns the ETag of a list, without reading the list. The revision is older than the read, or the same,
 * so the ETag may be too old but never too new.
 */
function etagOf({ revision }: Caller, query: object): string {
  return hash('sha256', JSON.stringify([VERSION, revision, query]));
}

function listQuery(input: ValidInput<typeof routes.memories.list>): Awaitable<ListQuery> {
  const { cursor, limit, timezone, started_after, started_before, order = 'desc', ...rest } = input;
  if (cursor !== undefined) {
    const query = readListCursor(cursor);
    if (query === undefined) throw malformedParameter(routes.memories.list, 'cursor');
    return { ...query, limit: limit ?? query.limit };
  }
  return andThen(toMillisecondBounds({ started_after, started_before }, timezone), (bounds) => ({
    ...rest,
    fields: inContractOrder(rest.fields), // so that the same bytes have the same ETag
    order,
    limit,
    ...bounds,
  }));
}

function searchQuery(input: ValidInput<typeof routes.search.passages>): Awaitable<SearchQuery> {
  const { q, cursor, limit, max_tokens, memory_id, is_processing, timezone } = input;
  if (q === undefined || cursor !== undefined) {
    const query = cursor === undefined ? undefined : readSearchCursor(cursor);
    if (query === undefined) throw malformedParameter(routes.search.passages, 'cursor');
    return {
      ...query,
      limit: limit ?? query.limit,
      max_tokens: max_tokens ?? query.max_tokens,
    };
  }
  return andThen(toMillisecondBounds(input, timezone), (bounds) => ({
    q,
    memory_id,
    ...bounds,
    is_processing,
    limit,
    max_tokens,
  }));
}

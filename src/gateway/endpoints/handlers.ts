// The handlers: what each endpoint does with a caller and checked input. They know no SQL and no HTTP.

import { hash } from 'node:crypto';

import type { Handlers, ValidInput } from '../../contract/handlers.ts';
import { fromJson, toJson } from '../../contract/json.ts';
import type { Memory, MemoryField } from '../../contract/memory.ts';
import { routes } from '../../contract/routes.ts';
import { failure } from '../../contract/statuses.ts';
import { andThen, type Awaitable } from '../../lib/async.ts';
import { toMillisecondBounds } from '../../lib/timezone.ts';
import type { Scope } from '../../store/scope.ts';
import type { Store } from '../../store/store.ts';
import { VERSION } from '../../version.ts';
import type { Caller } from '../request/auth.ts';
import { malformedParameter } from '../request/input.ts';
import type { NextTurn } from '../scheduler.ts';
import { feedQuery, readFeed, readWindow } from './changes.ts';
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
import { createStoreOf, readableFields, requireTranscripts } from './readable.ts';
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
  const storeOf = createStoreOf(store);
  return {
    memories: {
      list: ({ caller, condition, headers, isAborted, longResponses }, input) =>
        andThen(listQuery(input, caller.scope), (query) => {
          const etag = etagOf(caller, query);
          if (condition.match(etag) !== undefined) return { etag, body: null };
          if (query.limit === undefined) longResponses?.checkStream(caller.account_id, headers);
          const first = input.cursor && listCursor({ ...query, after: undefined });
          const holdLarge = longResponses && (() => longResponses.holdLarge(caller.account_id));
          const list = readList(
            { store: storeOf(caller), nextTurn, isAborted, holdLarge },
            caller,
            query,
          );
          return andThen(list, (found) => ({ etag, first, ...found }));
        }),

      get({ caller, condition }, { memory_id: id, fields }) {
        const { account_id, revision, scope } = caller;
        const { name, projection, select } = selectFields(readableFields(fields, scope));
        const known = name === '' ? condition.only : '';
        const wanted = { account_id, revision, id, projection, known };
        return andThen(storeOf(caller).memory(wanted), (memory) => {
          if (!memory) throw failure(404);
          const { bytes, body_sha256 } = memory;
          // Whoever may not read a transcript must not be able to compare a guess of it with a hash either.
          const source = scope?.reads === 'summaries' ? hash('sha256', bytes ?? '') : body_sha256;
          const etag = name === '' ? source : hash('sha256', `${source} ${name}`);
          const isCurrent = bytes === null || condition.match(etag) !== undefined;
          return { etag, body: isCurrent ? null : select(bytes), revision: memory.revision };
        });
      },

      lines({ caller, condition }, { memory_id: id, ...range }) {
        const { account_id, revision, scope } = caller;
        requireTranscripts(scope);
        const wanted = { account_id, revision, id, projection: 'body', known: '' } as const;
        return andThen(storeOf(caller).memory(wanted), (memory) => {
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
          const { account_id, revision, scope } = caller;
          const first = input.cursor && searchCursor({ ...query, after: undefined });
          const searched = { store: storeOf(caller), account_id, revision, cache, scope };
          const steps = search(searched, query, reportDamage);
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
          const steps = countDays(storeOf(caller), caller, query);
          return andThen(runInTurns({ account_id, isAborted }, steps), ({ days, revision }) => ({
            etag,
            body: toJson(days),
            revision,
          }));
        }),
    },

    changes: {
      list({ caller, condition, isAborted }, input) {
        const query = feedQuery(input);
        const etag = etagOf(caller, { of: 'changes', ...query });
        if (condition.match(etag) !== undefined) return { etag, body: null };
        const { account_id, scope } = caller;
        const feed =
          scope === undefined
            ? readFeed(store, caller, query)
            : runInTurns({ account_id, isAborted }, readWindow(storeOf(caller), caller, query));
        return andThen(feed, (found) => ({ etag, ...found }));
      },
    },
  };
}

/**
 * Returns the ETag of a list, without reading the list. The revision is older than the read, or the same,
 * so the ETag may be too old but never too new.
 */
function etagOf({ revision, scope }: Caller, query: object): string {
  const own = scope === undefined ? [] : [scope];
  return hash('sha256', JSON.stringify([VERSION, revision, query, ...own]));
}

function listQuery(
  input: ValidInput<typeof routes.memories.list>,
  scope: Scope | undefined,
): Awaitable<ListQuery> {
  const { cursor, limit, timezone, started_after, started_before, order = 'desc', ...rest } = input;
  if (cursor !== undefined) {
    const query = readListCursor(cursor);
    if (query === undefined) throw malformedParameter(routes.memories.list, 'cursor');
    const fields = toSelected(query.fields, scope);
    return { ...query, fields, limit: limit ?? query.limit };
  }
  const fields = toSelected(rest.fields, scope);
  return andThen(toMillisecondBounds({ started_after, started_before }, timezone), (bounds) => ({
    ...rest,
    fields,
    order,
    limit,
    ...bounds,
  }));
}

/** Returns the fields in the order of the contract, so that the same bytes have the same ETag. Throws a 403. */
function toSelected(
  fields: ListQuery['fields'],
  scope: Scope | undefined,
): MemoryField[] | undefined {
  return inContractOrder(readableFields(fields, scope));
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

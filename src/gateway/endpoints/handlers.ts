// The handlers: what each endpoint does with a caller and checked input. They know no SQL and no HTTP.

import { hash } from 'node:crypto';

import { malformedParameter } from '../../contract/check-input.ts';
import type { Handlers, ValidInput } from '../../contract/handlers.ts';
import { fromJson, toJson } from '../../contract/json.ts';
import { routes } from '../../contract/routes.ts';
import type { Memory, MemoryField } from '../../contract/schemas/memory.ts';
import { failure } from '../../contract/statuses.ts';
import { andThen, type Awaitable } from '../../lib/async.ts';
import { toFacets } from '../../store/details/facets.ts';
import type { Scope } from '../../store/scope.ts';
import { scopedStore } from '../../store/scoped/scoped-store.ts';
import { createSummaryCache } from '../../store/scoped/summary-words.ts';
import type { Store } from '../../store/store.ts';
import { VERSION } from '../../version.ts';
import type { FairMemory } from '../fair-share/held-bytes.ts';
import type { FairTime } from '../fair-share/time.ts';
import type { Caller } from '../request/auth.ts';
import { hasLeft } from '../request/transport.ts';
import { feedQuery, readFeed, readThroughWindow } from './changes.ts';
import { listCursor, readListCursor, searchCursor, type ListQuery } from './cursor.ts';
import { countDays } from './day-totals.ts';
import { createDetailHandlers } from './details/detail-handlers.ts';
import { lineStartsOf, readDetails } from './details/documents.ts';
import type { CallContext } from './endpoint.ts';
import { ALL_FIELDS, inContractOrder, selectFields } from './fields.ts';
import { cutLines } from './line-range.ts';
import { etagOf, readList, toBounds } from './list.ts';
import { readableFields, requireTranscripts } from './readable.ts';
import type { PostingsCache } from './search/cached-postings.ts';
import { createLongMemories } from './search/long-memories.ts';
import type { Meaning } from './search/nearest.ts';
import { meaningOf, type QueryVectors } from './search/query-vectors.ts';
import { searchAccount, type ReportDamage } from './search/search-account.ts';
import { searchQuery } from './search/search-input.ts';

/** What the handlers need besides the store. */
export interface HandlerOptions {
  readonly time: Pick<FairTime, 'nextTurn' | 'runSteps'>;
  readonly memory: FairMemory;
  /** The time in milliseconds since 1970. */
  readonly now: () => number;
  readonly reportDamage: ReportDamage;
  readonly postings: PostingsCache;
  /** Undefined: the gateway does not search by meaning. */
  readonly queryVectors?: QueryVectors | undefined;
}

/** Creates the handlers of the contract over a store. */
export function createHandlers(
  store: Store,
  { time, memory: shares, now, reportDamage, postings: cache, queryVectors }: HandlerOptions,
): Handlers<CallContext> {
  const long = createLongMemories();
  const storeOf = createStoreOf(store);
  return {
    memories: {
      list: ({ caller, condition, headers, transport }, input) =>
        andThen(listQuery(input, caller.scope), (query) => {
          const etag = etagOf(caller, query);
          if (condition?.match(etag) !== undefined) return { etag, body: null };
          const { account_id } = caller;
          if (headers !== undefined && query.limit === undefined)
            shares.checkStream(account_id, headers);
          const first = input.cursor && listCursor({ ...query, after: undefined });
          const source = {
            store: storeOf(caller),
            nextTurn: time.nextTurn,
            isAborted: () => hasLeft(transport),
            holdLarge: headers && (() => shares.holdLarge(account_id)),
          };
          return andThen(readList(source, caller, query), (found) => ({ etag, first, ...found }));
        }),

      get({ caller, condition }, { memory_id: id, fields }) {
        const { account_id, revision, scope } = caller;
        const wanted = scope === undefined ? fields : readableFields(fields, scope);
        const { name, projection, select } =
          wanted === undefined ? ALL_FIELDS : selectFields(wanted);
        const known = name === '' ? (condition?.only ?? '') : '';
        return andThen(
          storeOf(caller).memory({ account_id, revision, id, projection, known }),
          (memory) => {
            if (!memory) throw failure(404);
            const { bytes, body_sha256 } = memory;
            // Whoever may not read a transcript must not be able to compare a guess of it with a hash either.
            const source = scope?.reads === 'summaries' ? hash('sha256', bytes ?? '') : body_sha256;
            const etag = name === '' ? source : hash('sha256', `${source} ${name}`);
            if (bytes === null || condition?.match(etag) !== undefined)
              return { etag, body: null, revision: memory.revision };
            const body = select === undefined ? bytes : select(bytes);
            return { etag, body, revision: memory.revision };
          },
        );
      },

      lines({ caller, condition }, { memory_id: id, ...range }) {
        const { account_id, revision, scope } = caller;
        requireTranscripts(scope);
        const wanted = { account_id, revision, id };
        const reads = storeOf(caller);
        return andThen(reads.memory({ ...wanted, projection: 'body', known: '' }), (memory) => {
          if (!memory?.bytes) throw failure(404);
          const { bytes, body_sha256, revision: read } = memory;
          return andThen(range.times ? reads.details(wanted) : undefined, (details) => {
            const versions = [VERSION, body_sha256, range, details?.found?.sha256];
            const etag = hash('sha256', JSON.stringify(versions));
            const isConsistent = details === undefined || details.revision === read;
            const result = { etag, revision: isConsistent ? read : undefined };
            if (condition?.match(etag) !== undefined) return { ...result, body: null };
            const starts = details && lineStartsOf(details.found);
            const lines = cutLines(fromJson(bytes) as Memory, range, starts);
            return { ...result, body: toJson(lines) };
          });
        });
      },

      details: ({ caller, condition }, { memory_id: id }) =>
        andThen(readDetails(storeOf(caller), caller, id), ({ etag, body, revision }) => ({
          etag,
          body: condition?.match(etag) === undefined ? body : null,
          revision,
        })),
    },

    ...createDetailHandlers(storeOf, time.runSteps),

    search: {
      passages: (context, input) =>
        andThen(searchQuery(input, now()), ({ query, isOfToday }) => {
          const { caller, condition } = context;
          const { account_id, revision, scope } = caller;
          const own = queryVectors === undefined && etagOf(caller, { of: 'search', ...query });
          if (own && condition?.match(own) !== undefined)
            return { etag: own, body: null, isOfToday };
          const first = input.cursor && searchCursor({ ...query, after: undefined });
          const searched = { store: storeOf(caller), account_id, revision, cache, scope };
          const search = (meaning?: Meaning) =>
            time.runSteps(context, searchAccount(searched, query, { reportDamage, long, meaning }));
          // The vector comes first, so that no other search of the account waits for the endpoint.
          const searching = queryVectors
            ? meaningOf(queryVectors, query, scope).then(search)
            : search();
          return andThen(searching, ({ result, last, isConsistent }) => {
            const body = toJson(result);
            const next = last && searchCursor({ ...query, after: last });
            const found = { first, body, next };
            if (own)
              return {
                ...found,
                etag: own,
                revision: isConsistent ? revision : undefined,
                isOfToday,
              };
            // Vectors change no revision, and the endpoint may be gone. So nothing but the bytes tells what is current.
            const etag = hash('sha256', JSON.stringify([hash('sha256', body), next]));
            return condition?.match(etag) === undefined ? { ...found, etag } : { etag, body: null };
          });
        }),
    },

    days: {
      list: (context, { timezone = 'UTC', ...given }) =>
        andThen(toBounds(given, timezone), (range) => {
          const { caller, condition } = context;
          const query = { timezone, ...range, facets: toFacets(given) };
          const etag = etagOf(caller, { of: 'days', ...query });
          if (condition?.match(etag) !== undefined) return { etag, body: null };
          const steps = countDays(storeOf(caller), caller, query);
          return andThen(time.runSteps(context, steps), ({ days, revision }) => ({
            etag,
            body: toJson(days),
            revision,
          }));
        }),
    },

    changes: {
      list(context, input) {
        const { caller, condition } = context;
        const query = feedQuery(input);
        const etag = etagOf(caller, { of: 'changes', ...query });
        if (condition?.match(etag) !== undefined) return { etag, body: null };
        const feed =
          caller.scope === undefined
            ? readFeed(store, caller, query)
            : time.runSteps(context, readThroughWindow(storeOf(caller), caller, query));
        return andThen(feed, (found) => ({ etag, ...found }));
      },
    },
  };
}

/** Creates the function that returns the store that a caller may read. */
export function createStoreOf(store: Store): (caller: Caller) => Store {
  const cache = createSummaryCache();
  return ({ scope }) => (scope === undefined ? store : scopedStore(store, scope, cache));
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
  const { person, tag, source } = rest;
  return andThen(toBounds({ started_after, started_before }, timezone), (bounds) => ({
    is_processing: rest.is_processing,
    q: rest.q,
    // Most lists have none, and then run nothing for them.
    facets: (person ?? tag ?? source) === undefined ? undefined : toFacets(rest),
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
  const readable = scope === undefined ? fields : readableFields(fields, scope);
  return readable && inContractOrder(readable);
}

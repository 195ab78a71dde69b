// Entry point memory-gateway/client: the API over HTTP. It needs `fetch` and no other part of its host.

import type { Api } from '../contract/api.ts';
import { clientRoutes } from '../contract/client-routes.ts';
import { createApi } from '../contract/create-api.ts';
import type { ClientRoute } from '../contract/route.ts';
import { callEndpoint } from './call.ts';
import { readOptions, type ClientOptions } from './options.ts';
import { createValidate } from './validate.ts';

export type {
  ActionItemsApi,
  Api,
  CallOptions,
  ChangesApi,
  DaysApi,
  FollowOptions,
  MemoriesApi,
  Page,
  PeopleApi,
  SearchApi,
  TagsApi,
} from '../contract/api.ts';
export { Failure, type FailureReason } from '../contract/failure.ts';
export type { Change, Memory, MemoryField, Summary } from '../contract/schemas/memory.ts';
export type { Details } from '../contract/schemas/details.ts';
export type { FoundItem, PersonTotals, TagTotals } from '../contract/schemas/facets.ts';
export type { Day } from '../contract/schemas/day-totals.ts';
export type { TranscriptLines } from '../contract/schemas/part.ts';
export type { Passage, SearchResult } from '../contract/schemas/passages.ts';
export type { Input, Output } from '../contract/route.ts';
export type { CachedResponse, ClientCache, ClientOptions, Retry } from './options.ts';

/** Creates a client for one API key. Throws a `TypeError` for invalid options. */
export function createClient(options: ClientOptions): Api {
  const settings = readOptions(options);
  const { check = true } = options;
  return createApi<ClientRoute>(clientRoutes, (call) =>
    callEndpoint(settings, call, check ? createValidate(call) : undefined),
  );
}

// What memory-gateway/client gives: the API from elsewhere, over fetch and nothing else.

import { answers, type Answering } from '../contract/answers.ts';
import type { Api } from '../contract/api.ts';
import { createApi } from '../contract/calls.ts';
import { callEndpoint } from './call.ts';
import { readOptions, type ClientOptions } from './options.ts';

export type { Api, CallOptions, FollowOptions, Input, Output, Page } from '../contract/api.ts';
export type { Change } from '../contract/change.ts';
export { Failure, type FailureReason } from '../contract/failure.ts';
export type { Memory, MemoryField, Summary } from '../contract/memory.ts';
export type { Cached, ClientCache, ClientOptions } from './options.ts';

/** Makes a client for one account's key. Throws a `TypeError` when an option makes no sense. */
export function createClient(options: ClientOptions): Api {
  const settings = readOptions(options);
  return createApi<Answering>(answers, (wanted) => callEndpoint(settings, wanted));
}

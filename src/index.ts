// Entry point memory-gateway: what an embedding program can import.

import './first.ts';

export type {
  Api,
  CallOptions,
  ChangesApi,
  DaysApi,
  FollowOptions,
  MemoriesApi,
  Page,
  SearchApi,
} from './contract/api.ts';
export type { Input, Output } from './contract/route.ts';
export { Change } from './contract/schemas/memory.ts';
export { Failure, type FailureReason } from './contract/failure.ts';
export { Day } from './contract/schemas/day-totals.ts';
export { TranscriptLines } from './contract/schemas/part.ts';
export { Memory, type MemoryField, Summary } from './contract/schemas/memory.ts';
export { routes } from './contract/routes.ts';
export { Passage, SearchResult } from './contract/schemas/passages.ts';
export type { CacheStats } from './gateway/response/cache.ts';
export type { Fetch } from './gateway/adapters/fetch.ts';
export { createGateway, type Gateway, type GatewayOptions } from './gateway/gateway.ts';
export type { Listener } from './gateway/adapters/node.ts';
export type { Log } from './gateway/log.ts';
export type { AppOptions } from './app/server/app-parts.ts';
export {
  connectGateway,
  type ConnectGatewayOptions,
  openGateway,
  type OpenOptions,
} from './app/server/open-with-app.ts';
export type { Limits } from './gateway/server/limits.ts';
export { createServer, stopServer } from './gateway/server/server.ts';
export type { ThrottleOptions } from './gateway/request/throttle.ts';
export { openStore } from './store/engines.ts';
export { Refusal } from './store/refusal.ts';
export type { PostgresOptions, ServerStats } from './store/servers.ts';
export {
  accounts,
  type AccountToCreate,
  importMemories,
  keys,
  type KeyToCreate,
  type MemoryToImport,
  migrate,
  type ScopeOfKey,
} from './setup.ts';
export type { Store } from './store/store.ts';
export { openTestGateway, type TestGateway, type TestGatewayOptions } from './test-gateway.ts';

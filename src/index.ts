// What an embedding program may import.

import './first.ts';

export type { Api, CallOptions, FollowOptions, Input, Output, Page } from './contract/api.ts';
export { Change } from './contract/change.ts';
export { Failure, type FailureReason } from './contract/failure.ts';
export { Memory, type MemoryField, Summary } from './contract/memory.ts';
export { routes } from './contract/routes.ts';
export type { CacheStats } from './gateway/cache.ts';
export type { Fetch } from './gateway/fetch.ts';
export { createGateway, type Gateway, type GatewayOptions } from './gateway/gateway.ts';
export type { Listener } from './gateway/listener.ts';
export type { Log } from './gateway/log.ts';
export {
  connectGateway,
  type ConnectGatewayOptions,
  openGateway,
  type OpenOptions,
} from './gateway/open.ts';
export type { Limits } from './gateway/limits.ts';
export { createServer, stopServer } from './gateway/server.ts';
export type { ThrottleOptions } from './gateway/throttle.ts';
export type { PostgresOptions } from './store/options.ts';
export { Refusal } from './store/refusal.ts';
export { openStore } from './store/sqlite.ts';
export type {
  Account,
  ApiKey,
  Batch,
  Bytes,
  Dated,
  Feed,
  Item,
  Mark,
  Piece,
  Position,
  Range,
  ServerStats,
  Since,
  Store,
  StoredChange,
  StoredMemory,
  Wanted,
  Wanting,
} from './store/store.ts';

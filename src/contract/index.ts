// What memory-gateway/contract gives: the API as data, its schemas and types, and its one error.

export type {
  Api,
  Call,
  CallOptions,
  Contract,
  FollowOptions,
  Input,
  Output,
  Page,
  Route,
} from './api.ts';
export { Change } from './change.ts';
export { Failure, type FailureReason } from './failure.ts';
export { Memory, type MemoryField, Summary } from './memory.ts';
export { routes } from './routes.ts';

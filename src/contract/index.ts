// What memory-gateway/contract gives: the API as data, its schemas and types, and its one error.

export type { Api, Call, CallOptions, Contract, Input, Output, Page, Route } from './api.ts';
export { Failure, type FailureReason } from './failure.ts';
export { Memory, Summary } from './memory.ts';
export { routes } from './routes.ts';

// Entry point memory-gateway/contract: the API as data, its schemas and types, and its error class.

export type {
  ActionItemsApi,
  Api,
  ApiOf,
  CallOptions,
  ChangesApi,
  DaysApi,
  EndpointMethod,
  FollowOptions,
  MemoriesApi,
  Page,
  PeopleApi,
  SearchApi,
  TagsApi,
} from './api.ts';
export { Details } from './schemas/details.ts';
export { FoundItem, PersonTotals, TagTotals } from './schemas/facets.ts';
export { Failure, type FailureReason } from './failure.ts';
export { Day } from './schemas/day-totals.ts';
export { TranscriptLines } from './schemas/part.ts';
export { Change, Memory, type MemoryField, Summary } from './schemas/memory.ts';
export type { Contract, Input, Output, Route } from './route.ts';
export { routes } from './routes.ts';
export { Passage, SearchResult } from './schemas/passages.ts';

// The public types of a store, for programs that wrap one or bring their own: `memory-gateway/store`.

export type { DaysRange, DayTotal, DayTotals } from './days.ts';
export { openStore } from './engines.ts';
export { Refusal, type RefusalCode } from './refusal.ts';
export type {
  MemoryCount,
  MemoryKey,
  PlacedMemory,
  Postings,
  PostingsRange,
  SearchRange,
  Vocabulary,
  VocabularyRange,
} from './search/postings.ts';
export type { Reads, Scope } from './scope.ts';
export type { PostgresOptions, ServerStats } from './servers.ts';
export type { ListPosition, RevisionQuery, RevisionResult } from './positions.ts';
export type {
  Account,
  ApiKey,
  FeedMark,
  FeedPage,
  FeedPosition,
  FeedRange,
  ListBatch,
  ListChunk,
  ListEntry,
  ListRange,
  MemoryQuery,
  Projection,
  Store,
  StoredChange,
  StoredMemory,
  SyncStore,
} from './store.ts';

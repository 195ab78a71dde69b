// The store interface: what the gateway reads from a database.

import type { Json, JsonText } from '../contract/json.ts';
import type { Memory, Change } from '../contract/schemas/memory.ts';
import type { Awaitable } from '../lib/async.ts';
import type { DaysRange, DayTotals } from './days.ts';
import type { DetailReads } from './details/reads.ts';
import type { ListPosition, RevisionQuery, RevisionResult } from './positions.ts';
import type { Scope, Window } from './scope.ts';
import type {
  MemoryCount,
  MemoryKey,
  PlacedMemory,
  Postings,
  PostingsRange,
  SearchRange,
  Vocabulary,
  VocabularyRange,
} from './search/postings.ts';
import type { ServerStats } from './servers.ts';
import type { MemoryVectors, SignBatch, SignRange, VectorQuery } from './vectors/vectors.ts';

/** The reads of the gateway. SQLite returns values, PostgreSQL returns promises. */
export interface Store extends DetailReads {
  /**
   * Finds a key by its SHA-256 in lower-case hex, as of the latest commit. `now` is the time by which it may have ended, in
   * milliseconds since 1970. Default: that of the system.
   */
  apiKey(keySha256: string, now?: number): Awaitable<ApiKey | undefined>;
  /** Finds an account, for programs that read without a key. */
  account(id: string): Awaitable<Account | undefined>;
  /** Finds one memory of an account. */
  memory(query: MemoryQuery): Awaitable<StoredMemory | undefined>;
  /** Reads memories in order until the range ends, about `maxBytes` are read, or a few milliseconds have passed. */
  items(range: ListRange, maxBytes: number): Awaitable<ListBatch>;
  /** Reads the same as one piece of bytes. The caller owns the bytes and may release their memory. */
  chunk(range: ListRange, maxBytes: number): Awaitable<ListChunk>;
  /** Reads positions without memories. This is cheap, because it only reads indexes. */
  positions(range: ListRange): Awaitable<ListBatch<ListPosition>>;
  /** Reads changes. Starts from the first change if the feed never had the given position. */
  changes(range: FeedRange): Awaitable<FeedPage>;
  /** Totals memories by local day, until the spans end or a few milliseconds have passed. */
  days(range: DaysRange): Awaitable<DayTotals>;
  /** Counts the memories of a search up to `most`, the newest first. */
  memoryCount(range: SearchRange, most: number): Awaitable<MemoryCount>;
  /** Finds which memories have a term, until some weeks are read or a few milliseconds have passed. */
  postings(range: PostingsRange): Awaitable<Postings>;
  /** Finds memories by the keys of `postings`, or by their ids. Missing memories are left out. */
  places(
    account_id: string,
    keys: readonly MemoryKey[],
    revision?: string,
  ): Awaitable<PlacedMemory[]>;
  /** Reads words of an account, the newest weeks first, until some weeks are read or a few milliseconds have passed. */
  vocabulary(range: VocabularyRange): Awaitable<Vocabulary>;
  /** Reads the sign bits of an account's vectors in the order of ids, some memories at a time. */
  signs(range: SignRange): Awaitable<SignBatch>;
  /** Reads the vectors of some memories. Those without vectors of the kind are left out. */
  vectors(wanted: VectorQuery): Awaitable<MemoryVectors[]>;
  /**
   * Runs `work` synchronously in one read transaction, no older than this call. So results can be cached
   * under the revision that was read in it. Absent if reads are asynchronous: then a result can be cached
   * if its read reports the `revision` that the key had. Throws only what `work` throws.
   */
  readTransaction?(work: () => void): void;
  /** Returns the state of the database's servers. Absent if there are none. */
  servers?(): readonly ServerStats[];
  /** Throws or rejects if the store cannot answer, or if its schema has another version. */
  check(): Awaitable<void>;
  /** Closes the store. A second call does nothing. */
  close(): Awaitable<void>;
}

type StoreMethods = Required<Omit<Store, 'servers'>>;

/** A store that returns values, never promises. */
export type SyncStore = {
  readonly [K in keyof StoreMethods]: (
    ...args: Parameters<StoreMethods[K]>
  ) => Awaited<ReturnType<StoreMethods[K]>>;
};

/** An API key in its stored form, with the account that it opens. */
export interface ApiKey {
  readonly account_id: string;
  readonly last_four: string;
  /** When the key ends, in milliseconds since 1970; 0 if it is revoked or its account is disabled. */
  readonly ends_at: number;
  /** What the key may read. Undefined: everything. */
  readonly scope: Scope | undefined;
  /** The `revision` of its account. */
  readonly account_revision: string;
}

/** The state of an account. Times are milliseconds since 1970. */
export interface Account {
  /**
   * Changes with every commit that changes a memory of the account, and never repeats for other
   * contents, not even after a restore. ETags and cached responses rely on it.
   */
  readonly revision: string;
  readonly disabled_at: number | null;
}

/** Which bytes of a memory to read: the whole response, or all but the transcript. */
export type Projection = 'body' | 'slim';

/** Which memory to read. */
export interface MemoryQuery extends RevisionQuery {
  readonly account_id: string;
  readonly id: string;
  readonly projection: Projection;
  /** The hash of a body that the caller has already, or `''`. */
  readonly known: string;
  /** Only if it is in this window. Default: in any case. */
  readonly window?: Window | undefined;
}

/** One memory. */
export interface StoredMemory extends RevisionResult {
  readonly body_sha256: string;
  /** The bytes of the memory, which must not be modified. Null if `known` is its hash. */
  readonly bytes: Json<Partial<Memory>> | null;
}

/** Which memories of an account to read, in which order. */
export interface ListRange extends RevisionQuery, Window {
  readonly account_id: string;
  readonly order: 'desc' | 'asc';
  readonly projection: Projection;
  /** Start after this position. Default: from the beginning. */
  readonly after?: ListPosition | undefined;
  /** Default: all. */
  readonly limit?: number | undefined;
  readonly is_processing?: boolean | undefined;
  /** Only memories that match all terms of this search query. */
  readonly q?: string | undefined;
}

/** A memory in a list with its position. Some drivers return its bytes as text. */
export interface ListEntry extends ListPosition {
  readonly bytes: Json<Partial<Memory>> | JsonText<Partial<Memory>>;
}

/** A memory in a list with its position, as bytes. */
export interface EncodedEntry extends ListEntry {
  readonly bytes: Json<Partial<Memory>>;
}

/** A part of a range, in order. */
export interface ListBatch<T = ListEntry> extends RevisionResult {
  readonly items: readonly T[];
  /** The position after which the rest of the range lies. Undefined at the end. */
  readonly rest: ListPosition | undefined;
  /** Releases the memory of the items when nobody reads them any more. Absent if that is left to the garbage collector. */
  readonly release?: () => void;
}

/** A part of a range as one piece of bytes, with commas between the memories. */
export interface ListChunk {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The position after which the rest of the range lies. Undefined at the end. */
  readonly rest: ListPosition | undefined;
}

/**
 * A change in the feed of an account: its number, and the epoch in which it was written. A restore repeats
 * numbers, but never with the same epoch.
 */
export interface FeedMark {
  readonly seq: number;
  readonly epoch: string;
}

/**
 * A position in the feed: the last change that was read, and the latest change of the state it was read
 * from. A restore that undoes either makes the position invalid. The latest change matters because a
 * memory's entry moves to a higher number with each change, and a restore moves it back.
 */
export interface FeedPosition extends FeedMark {
  readonly latest: FeedMark;
}

/** Which changes to read: at most `limit` after a position. */
export interface FeedRange extends RevisionQuery {
  readonly account_id: string;
  /** `asc` continues with later changes, `desc` with earlier ones. Default: `asc`. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Default: the start of the feed, or its end. */
  readonly position?: FeedPosition | undefined;
  readonly limit: number;
  /**
   * Only memories in this window, and no deletions, because a deleted memory leaves no start. Then
   * a page can have fewer changes than `limit` although `hasMore` is true. Default: all changes.
   */
  readonly window?: Window | undefined;
}

/** The latest change of a memory. `changed_at` is in milliseconds since 1970. */
export interface StoredChange extends Omit<Change, 'changed_at'> {
  readonly changed_at: number;
}

/** A part of the change feed, in order, and the position at which it ends. */
export interface FeedPage extends RevisionResult {
  readonly changes: readonly StoredChange[];
  /** The position to continue from. Undefined if a restore has undone the given one. */
  readonly position: FeedPosition | undefined;
  /** Whether earlier changes follow. Without a window it is always false in ascending order. */
  readonly hasMore: boolean;
}

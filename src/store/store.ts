// Store: what the gateway may ask of the place where memories are kept.

import type { Awaitable } from '../contract/awaitable.ts';
import type { Json } from '../contract/json.ts';
import type { Memory } from '../contract/memory.ts';

/** An API key as it is kept, with the account it opens. Times are milliseconds since 1970. */
export interface ApiKey {
  readonly account_id: string;
  readonly last_four: string;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly account_disabled_at: number | null;
  readonly account_revision: string;
}

/** An account's state. Times are milliseconds since 1970. */
export interface Account {
  readonly revision: string;
  readonly disabled_at: number | null;
}

/** One memory's answer; `body` is null when `known` named the hash it has. */
export interface StoredMemory {
  readonly started_at: number;
  readonly body_sha256: string;
  readonly body: Json<Memory> | null;
}

/** A place in the list: `started_at` in milliseconds, then `id`, in code units. */
export interface Position {
  readonly started_at: number;
  readonly id: string;
}

/** Which memories of an account, from where on, and at most how many (all without `limit`). */
export interface Range {
  readonly account_id: string;
  readonly order: 'desc' | 'asc';
  readonly after?: Position | undefined;
  readonly limit?: number | undefined;
}

/** A memory in a list, with its place. */
export interface Item extends Position {
  readonly body: Json<Memory>;
}

/** Memories in order, and whether the range holds no more. */
export interface Batch {
  readonly items: readonly Item[];
  readonly ended: boolean;
}

/** The reads of the gateway; SQLite answers at once, others may promise. */
export interface Store {
  /** Finds a key by its SHA-256 in lower-case hex. */
  apiKey(keySha256: string): Awaitable<ApiKey | undefined>;
  /** Finds an account, for programs that read without a key. */
  account(id: string): Awaitable<Account | undefined>;
  /** Finds one memory of an account; reads no body whose hash is `known` already. */
  memory(account: string, id: string, known: string): Awaitable<StoredMemory | undefined>;
  /** Reads memories in order until the range or about `maxBytes` of bodies is used up, one at least. */
  items(range: Range, maxBytes: number): Awaitable<Batch>;
  /** Reads places without memories: cheap, from the index alone. */
  positions(range: Range): Awaitable<readonly Position[]>;
  /** Fails when the store cannot answer, or has another schema than this program. */
  check(): Awaitable<void>;
  /** Gives back what the store holds; a second call does nothing. */
  close(): Awaitable<void>;
}

// Store: what the gateway may ask of the place where memories are kept.

import type { Awaitable } from '../contract/awaitable.ts';
import type { Json, JsonText } from '../contract/json.ts';
import type { Memory } from '../contract/memory.ts';
import type { Feed, Since } from './feed.ts';
import type { Position } from './position.ts';
import type { Dated, Wanting } from './state.ts';
import type { ServerStats } from './stats.ts';

export type { Feed, Mark, Since, StoredChange } from './feed.ts';
export type { Position } from './position.ts';
export type { Dated, Wanting } from './state.ts';
export type { ServerStats } from './stats.ts';

/** An API key as it is kept, with the account it opens. */
export interface ApiKey {
  readonly account_id: string;
  readonly last_four: string;
  /** Until when it opens it, in milliseconds since 1970: 0 where it is revoked, or its account disabled. */
  readonly ends_at: number;
  /** The `revision` of its account. */
  readonly account_revision: string;
}

/** An account's state. Times are milliseconds since 1970. */
export interface Account {
  /**
   * Another after every commit that changes a memory of the account, and never again that of a state
   * with other memories, also after a restore: etags and kept answers rely on it.
   */
  readonly revision: string;
  readonly disabled_at: number | null;
}

/** Which bytes are wanted of a memory: all of its answer, or all but the transcript. */
export type Bytes = 'body' | 'slim';

/** One memory's answer. */
export interface StoredMemory extends Dated {
  readonly body_sha256: string;
  /** The bytes wanted, which are kept and must not change; null when `known` named the hash that the memory has. */
  readonly bytes: Json<Partial<Memory>> | null;
}

/** Which memory, and what of it. */
export interface Wanted extends Wanting {
  readonly account_id: string;
  readonly id: string;
  readonly bytes: Bytes;
  /** The hash of an answer that need not be read again, or `''`. */
  readonly known: string;
}

/** Which memories of an account, in which order, from where on, and at most how many (all without `limit`). */
export interface Range extends Wanting {
  readonly account_id: string;
  readonly order: 'desc' | 'asc';
  readonly bytes: Bytes;
  readonly after?: Position | undefined;
  readonly limit?: number | undefined;
  /** Those that started then or later, in milliseconds. */
  readonly started_after?: number | undefined;
  /** Those that started earlier, in milliseconds. */
  readonly started_before?: number | undefined;
  readonly is_processing?: boolean | undefined;
  /** Those in which all of this is found. */
  readonly q?: string | undefined;
}

/** A memory in a list, with its place; its bytes may still be text, which is what some drivers hand over. */
export interface Item extends Position {
  readonly bytes: Json<Partial<Memory>> | JsonText<Partial<Memory>>;
}

/** A memory with its place, as bytes. */
export interface Encoded extends Item {
  readonly bytes: Json<Partial<Memory>>;
}

/** What was found of a range, in order, and the place behind which the rest of it lies: undefined when there is none. */
export interface Batch<T = Item> extends Dated {
  readonly items: readonly T[];
  readonly rest: Position | undefined;
}

/** What was found of a range, in one piece with commas between, and the place behind which the rest of it lies. */
export interface Piece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly rest: Position | undefined;
}

/** The reads of the gateway; SQLite answers at once, others may promise. */
export interface Store {
  /** Finds a key by its SHA-256 in lower-case hex, as it is after the latest commit. */
  apiKey(keySha256: string): Awaitable<ApiKey | undefined>;
  /** Finds an account, for programs that read without a key. */
  account(id: string): Awaitable<Account | undefined>;
  /** Finds one memory of an account. */
  memory(wanted: Wanted): Awaitable<StoredMemory | undefined>;
  /** Reads memories in order until the range, about `maxBytes` of them, or a few milliseconds are used up. */
  items(range: Range, maxBytes: number): Awaitable<Batch>;
  /** Reads the same in one piece. Its bytes are given away: their memory is released when they have left. */
  piece(range: Range, maxBytes: number): Awaitable<Piece>;
  /** Reads places without memories: cheap, from indexes alone. */
  positions(range: Range): Awaitable<Batch<Position>>;
  /** Reads changes: from the first on where the feed never had that place. */
  changes(since: Since): Awaitable<Feed>;
  /**
   * Runs work to its end, whose reads all answer at once and see one state, no older than this call; so
   * what is read in it may be kept under the revision that is read in it. Left out where reads take their
   * time: then an answer is kept where each read tells the `revision` that the key told. Throws only
   * what `work` does.
   */
  together?(work: () => void): void;
  /** Tells how its servers do; left out where there are none. */
  servers?(): readonly ServerStats[];
  /** Fails when the store cannot answer, or has another schema than this program. */
  check(): Awaitable<void>;
  /** Gives back what the store holds; a second call does nothing. */
  close(): Awaitable<void>;
}

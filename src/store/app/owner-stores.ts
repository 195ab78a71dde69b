// The interfaces of what an owner sets up besides keys: sources to pull from, shares and bookmarks of memories, saved searches, the bin, and edits.

import type { Details } from '../../contract/schemas/details.ts';
import type { Awaitable } from '../../lib/async.ts';
import type { Correction } from '../details/corrections.ts';
import type { StoredPull } from '../sources/pulls.ts';
import type { SourceKey, SourceRecord } from '../sources/runs.ts';
import type { UnreadFile } from '../sources/watched-files.ts';
import type { AppRow } from '../sql/tables/app-tables.ts';

/** Names a record of an account. `agent` is for the log. */
export interface OfAccount {
  readonly account_id: string;
  readonly id: string;
  readonly agent: string;
}

/** A pull to set up, or to change if the account has one of this name. Without a key, the stored one stays. */
export interface PullToSave extends Omit<
  StoredPull,
  'id' | 'created_at' | 'due_at' | 'sealed_key'
> {
  readonly sealed_key?: string | undefined;
  readonly agent: string;
}

/** The sources of one account. Another account's id is an unknown one. */
export interface PullStore {
  /** Returns whether any account has a pull. */
  isUsed(): Awaitable<boolean>;
  /** Lists the pulls, by name. */
  list(account_id: string): Awaitable<StoredPull[]>;
  /** Lists what the last runs of all sources did, by name: also of those that a command or an option runs. */
  runs(account_id: string): Awaitable<SourceRecord[]>;
  /** Lists the latest files of a watched folder that were not read as a whole since a time, each with its reason. */
  unread(source: SourceKey, since: number): Awaitable<UnreadFile[]>;
  /** Sets up a pull, or changes it. It is due now. Rejects with `Refusal` if the account does not exist. */
  save(pull: PullToSave): Awaitable<StoredPull>;
  /** Makes a pull due now. Returns whether the account had it. */
  setDue(pull: Pick<OfAccount, 'account_id' | 'id'>): Awaitable<boolean>;
  /** Removes a pull with its key; what was imported stays. Returns whether the account had it. */
  remove(pull: OfAccount): Awaitable<boolean>;
}

/** A share, without its secret. */
export type ShareRecord = Readonly<Omit<AppRow<'shares'>, 'secret_sha256'>>;

/** A share in the list of its account. */
export interface ListedShare extends ShareRecord {
  /** Whether its memory is in the bin, so that it does not open. */
  readonly in_bin: boolean;
}

/** A share to create. */
export interface ShareToCreate extends Pick<
  ShareRecord,
  'account_id' | 'memory_id' | 'content' | 'expires_at'
> {
  readonly agent: string;
}

/** The shares of memories. They end with their date, with their memory, or when they are revoked. They do not open while it is in the bin. */
export interface ShareStore {
  /** Lists the shares of an account that have not ended, latest first. */
  list(account_id: string): Awaitable<ListedShare[]>;
  /** Lists the memories of these shares, each as often as it is shared. */
  listMemories(account_id: string): Awaitable<Pick<ShareRecord, 'memory_id'>[]>;
  /**
   * Creates a share, and returns its secret: 32 random bytes as base64url. Undefined if there is no such memory.
   * Rejects with `Refusal`.
   */
  create(
    share: ShareToCreate,
  ): Awaitable<{ readonly secret: string; readonly record: ShareRecord } | undefined>;
  /** Removes a share with its content. Returns whether the account had it. */
  remove(share: OfAccount): Awaitable<boolean>;
  /** Finds what a share shows by its secret. Undefined if it has ended, its memory is in the bin, or its account is disabled. */
  find(secret: string): Awaitable<Pick<ShareRecord, 'content' | 'expires_at'> | undefined>;
  /** Counts a visit. Does not wait for a lock. */
  countVisit(secret: string): Awaitable<void>;
}

/** The star, the note and the ticked action items of a memory, as a list in JSON. One of them at least is there. */
export type BookmarkRecord = Readonly<Omit<AppRow<'bookmarks'>, 'account_id'>>;

/** What changes in a bookmark. */
export interface BookmarkChange extends Partial<Pick<BookmarkRecord, 'is_starred' | 'note'>> {
  /** An action item that is ticked, or no longer. */
  readonly item?: { readonly text: string; readonly is_done: boolean } | undefined;
}

/** The bookmarks of owners. They are erased with their memory. The log has no events of them. */
export interface BookmarkStore {
  /** Lists the bookmarks of memories that are not in the bin, the latest memory first. */
  list(account_id: string): Awaitable<BookmarkRecord[]>;
  /** Returns the bookmark of a memory. Undefined if it has none. */
  get(
    of: Pick<AppRow<'bookmarks'>, 'account_id' | 'memory_id'>,
  ): Awaitable<BookmarkRecord | undefined>;
  /**
   * Changes the bookmark of a memory, and returns it. It is removed if nothing is in it. Undefined if there is no such memory.
   * Rejects with `Refusal` at the cap.
   */
  change(
    of: Pick<AppRow<'bookmarks'>, 'account_id' | 'memory_id'>,
    change: BookmarkChange,
  ): Promise<BookmarkRecord | undefined>;
}

/** The saved searches of owners. The log has no events of them. */
export interface SearchStore {
  /** Lists them by their names. */
  list(account_id: string): Awaitable<Omit<AppRow<'searches'>, 'account_id'>[]>;
  /** Saves a search under its name, or removes it if its query is empty. Rejects with `Refusal` at the cap. */
  set(search: Omit<AppRow<'searches'>, 'changed_at'>): Promise<void>;
}

/** Somebody who takes part in memories with another person, and in how many. */
export interface Companion {
  readonly name: string;
  readonly memories: number;
}

/** Somebody who speaks in a memory, and how many words. */
export interface Speaker {
  readonly memory_id: string;
  /** Null: all others together. */
  readonly name: string | null;
  readonly words: number;
}

/** What the app reads of people besides `/v1`. */
export interface PeopleStore {
  /** Lists with whom a person takes part in the latest 1,000 memories, at most 12, the most frequent first. */
  companions(person: {
    readonly account_id: string;
    readonly name: string;
  }): Awaitable<Companion[]>;
  /** Lists who speaks in memories, the eight with the most words of each, then all others together. */
  speakers(memories: {
    readonly account_id: string;
    readonly ids: readonly string[];
  }): Awaitable<Speaker[]>;
}

/** A memory in the bin. */
export interface DeletedMemory {
  readonly id: string;
  readonly name: string;
  readonly started_at: string;
  /** 0: not known. */
  readonly duration_seconds: number;
  /** The beginning of its summary. */
  readonly summary: string;
  readonly deleted_at: number;
  /** When it is erased. */
  readonly erased_at: number;
}

/** What the app reads of the bin. The importer alone writes there. */
export interface BinStore {
  /** Lists the memories that can be brought back, the latest 1,000 deletions, latest first. */
  list(account_id: string): Awaitable<DeletedMemory[]>;
  /** Returns the summary of a memory in the bin, and the beginning of its transcript. Undefined: it is not there, or damaged. */
  get(of: {
    readonly account_id: string;
    readonly memory_id: string;
  }): Awaitable<{ readonly summary: string; readonly transcript: string } | undefined>;
  /** Returns whether an account has all of these memories, or has them all in its bin. */
  hasAll(of: {
    readonly account_id: string;
    readonly ids: readonly string[];
    readonly where: 'memories' | 'bin';
  }): Awaitable<boolean>;
}

/** What the app reads of edits and imports. The importer alone writes them. */
export interface EditStore {
  /** Lists the edits of an account, in the order in which they were made. */
  list(account_id: string): Awaitable<readonly Correction[]>;
  /** Reads the values that edits have replaced in memories, and the new ones, by the ids of memories with intact details. */
  applied(memories: {
    readonly account_id: string;
    readonly ids: readonly string[];
  }): Awaitable<ReadonlyMap<string, Details['corrections']>>;
  /** Counts the memories that were written last from a time to another, in milliseconds since 1970, by the names of their sources, the most first. */
  sources(written: {
    readonly account_id: string;
    readonly from: number;
    readonly to: number;
  }): Awaitable<{ readonly name: string; readonly memories: number }[]>;
}

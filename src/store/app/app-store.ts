// The app's store: sessions, sign-in links, passkeys, passwords and keys, on a connection that cannot write memories.

import type { Awaitable } from '../../lib/async.ts';
import type { ApiKeyRecord, IssuedApiKey, NewApiKey } from '../accounts/api-keys.ts';
import type { AppRow, EventKind } from '../sql/tables/app-tables.ts';
import type { ConnectStores, CredentialUse } from './connect/connect-store.ts';
import type {
  BinStore,
  BookmarkStore,
  EditStore,
  OfAccount,
  PeopleStore,
  PullStore,
  SearchStore,
  ShareStore,
} from './owner-stores.ts';

export type { EventKind, OfAccount };

/**
 * The reads and writes of the app. Times are milliseconds since 1970. Every write that takes an `agent`, the name of the
 * browser, records its event in the log of the account, in the same transaction.
 *
 * Reads work while the database cannot be written. A write then rejects with `Refusal`, whose message says what to
 * do: `locked` if another program writes for seconds, otherwise `denied`, `full`, or `too-many` at a cap.
 */
export interface AppStore extends ConnectStores {
  readonly sessions: SessionStore;
  readonly links: LinkStore;
  readonly challenges: ChallengeStore;
  readonly passkeys: PasskeyStore;
  readonly passwords: PasswordStore;
  readonly keys: AppKeyStore;
  readonly pulls: PullStore;
  readonly shares: ShareStore;
  readonly bookmarks: BookmarkStore;
  readonly searches: SearchStore;
  readonly people: PeopleStore;
  readonly accounts: AppAccounts;
  readonly events: EventStore;
  readonly bin: BinStore;
  readonly edits: EditStore;
  /** Returns whether the database can be written, as far as that can be told without writing. */
  canWrite(): Awaitable<boolean>;
  /** Closes the store. A second call does nothing. */
  close(): Awaitable<void>;
}

/** An account as the app shows it. */
export interface AppAccount {
  readonly id: string;
  readonly name: string;
}

/** A session, without its token. */
export interface SessionRecord extends Readonly<
  Omit<AppRow<'sessions'>, 'token_sha256' | 'is_short'>
> {
  /** Whether it ends 12 hours after the sign-in, and its cookie with the browser. */
  readonly is_short: boolean;
}

/** A session with the account that it opens. */
export interface FoundSession {
  readonly session: SessionRecord;
  readonly account: AppAccount;
}

/** A sign-in. */
export interface NewSession extends Pick<
  SessionRecord,
  'account_id' | 'way' | 'agent' | 'is_short'
> {
  /** When the browser signed in whose session made the link of this sign-in. Default: now. */
  readonly signed_in_at?: number | null | undefined;
}

/** The sessions. They live 30 days without use and 90 days in all, or 12 hours if they are short. */
export interface SessionStore {
  /**
   * Finds a session by the SHA-256 of its token, in lower-case hex, as of the latest commit. Undefined if
   * it has ended or its account is disabled.
   */
  find(tokenSha256: string): Awaitable<FoundSession | undefined>;
  /**
   * Creates a session and returns its token in clear: 32 random bytes as base64url. If the account has 20
   * sessions, the one that was not used for longest ends. Rejects with `Refusal` if the account does not
   * exist or is disabled.
   */
  create(session: NewSession): Awaitable<{ readonly token: string; session: SessionRecord }>;
  /** Lists the sessions that have not ended, latest first. */
  list(account_id: string): Awaitable<SessionRecord[]>;
  /** Ends a session. Returns whether the account had it. */
  end(ended: OfAccount): Awaitable<boolean>;
  /** Ends all sessions but one, and all sign-in links. Returns how many sessions ended. */
  endAll(
    ended: Omit<OfAccount, 'id'> & { readonly except?: string | undefined },
  ): Awaitable<number>;
  /** Notes that a session is in use, at most once in ten minutes. Does nothing while the database cannot be written. */
  seen(session: SessionRecord): Awaitable<void>;
}

/** Sign-in links. They live 10 minutes and work once. */
export interface LinkStore {
  /**
   * Creates a link and returns its secret: 32 random bytes as base64url. `signed_in_at` is that of the
   * session that makes it; null for the command line, which is the default. Rejects with `Refusal` if
   * the account does not exist or is disabled.
   */
  create(account_id: string, agent: string, signed_in_at?: number | null): Awaitable<NewLink>;
  /** Finds the account of a link without using it. */
  look(secret: string): Awaitable<(UsedLink & { readonly expires_at: number }) | undefined>;
  /** Uses a link and returns its account: to one caller only, however many try. */
  use(secret: string): Awaitable<UsedLink | undefined>;
}

type NewLink = { readonly secret: string; readonly expires_at: number };

/** The account of a link, and the sign-in of the session that made it. */
export type UsedLink = { readonly account: AppAccount; readonly signed_in_at: number | null };

/** The challenges that passkeys sign. They live 5 minutes and work once. */
export interface ChallengeStore {
  /** Creates a challenge, 32 random bytes as base64url: for a new passkey of an account, or for a sign-in (null). */
  create(account_id: string | null): Awaitable<string>;
  /** Uses a challenge. Undefined if it is unknown, used or expired. */
  use(challenge: string): Awaitable<{ readonly account_id: string | null } | undefined>;
}

/** A passkey with what its signatures are verified by. */
export type StoredPasskey = Readonly<AppRow<'passkeys'>>;

/** A passkey. */
export type PasskeyRecord = Omit<StoredPasskey, 'public_key' | 'algorithm' | 'sign_count'>;

/** A passkey to add. */
export type NewPasskey = Omit<StoredPasskey, 'created_at' | 'last_used_at'> & {
  readonly agent: string;
};

/** The passkeys. */
export interface PasskeyStore {
  /** Lists the passkeys of an account, oldest first. */
  list(account_id: string): Awaitable<PasskeyRecord[]>;
  /** Adds a passkey. Undefined if there is a passkey of this id already, of any account. */
  add(passkey: NewPasskey): Awaitable<PasskeyRecord | undefined>;
  /** Relabels a passkey. Undefined if the account has no such passkey. */
  relabel(
    passkey: Pick<OfAccount, 'account_id' | 'id'> & { readonly label: string },
  ): Awaitable<PasskeyRecord | undefined>;
  /** Removes a passkey. Returns whether the account had it. */
  remove(passkey: OfAccount): Awaitable<boolean>;
  /** Finds a passkey by its credential id. Undefined if its account is disabled, too. */
  find(id: string): Awaitable<(StoredPasskey & { readonly account: AppAccount }) | undefined>;
  /** Notes a sign-in with a passkey. Returns false if its counter has moved beyond `sign_count` meanwhile. */
  used(id: string, sign_count: number): Awaitable<boolean>;
}

/** The wrong guesses of one subject: an account, or the hash of an address. */
export interface Guesses {
  readonly count: number;
  /** When the last one was. 0 if there were none. */
  readonly last_at: number;
}

/** The passwords, as hashes whose text names its parameters, and the wrong guesses. */
export interface PasswordStore {
  /** Returns the hash of an account's password. */
  get(account_id: string): Awaitable<string | undefined>;
  /** Sets the hash of a password. Rejects with `Refusal` if the account does not exist. */
  set(password: Omit<OfAccount, 'id'> & { readonly hash: string }): Awaitable<void>;
  /** Removes a password. Returns whether there was one. */
  remove(password: Omit<OfAccount, 'id'>): Awaitable<boolean>;
  /** Returns whether any account has a password. */
  isUsed(): Awaitable<boolean>;
  /** Returns the wrong guesses of a subject. They are forgotten a day after the last one. */
  guesses(subject: string): Awaitable<Guesses>;
  /** Counts one more wrong guess for each subject. */
  countGuess(subjects: readonly string[]): Awaitable<void>;
  /** Forgets the guesses of subjects, after a right one. */
  forgetGuesses(subjects: readonly string[]): Awaitable<void>;
}

/** A key to create. */
export interface NewAppKey extends NewApiKey {
  readonly agent: string;
}

/** A new key in clear, and its record. */
export interface CreatedKey extends IssuedApiKey {
  readonly record: ApiKeyRecord;
}

/** The keys of one account. Another account's id is an unknown one. */
export interface AppKeyStore extends CredentialUse {
  /** Lists the keys of an account, latest first. */
  list(account_id: string): Awaitable<ApiKeyRecord[]>;
  /** Creates a key. Rejects with `Refusal` if the account does not exist. */
  create(key: NewAppKey): Awaitable<CreatedKey>;
  /**
   * Creates the successor of a key and ends the key after `graceMs` (0: at once). Undefined if the account
   * has no such key. Rejects with `Refusal` without a code if the key is not active.
   */
  rotate(key: OfAccount & { readonly graceMs: number }): Awaitable<CreatedKey | undefined>;
  /** Revokes a key. Undefined if the account has no such key. A key that was revoked before keeps its time. */
  revoke(key: OfAccount): Awaitable<ApiKeyRecord | undefined>;
}

/** The accounts, as sign-in and the screens need them. */
export interface AppAccounts {
  /** Finds an account that is not disabled by its id, or else by its name if only one account has it. */
  find(nameOrId: string): Awaitable<AppAccount | undefined>;
  /** Returns the accounts that are not disabled: one at most, and how many there are. */
  count(): Awaitable<{ readonly count: number; readonly first: AppAccount | undefined }>;
  /** Lists the quarters of an hour in which memories of unknown length start, in milliseconds since 1970. */
  unmeasured(account_id: string): Awaitable<number[]>;
  /** Returns whether an account has a memory whose id begins with a prefix. */
  hasIdPrefix(account_id: string, prefix: string): Awaitable<boolean>;
}

/** An entry of the log. */
export type EventRecord = Readonly<Omit<AppRow<'account_events'>, 'seq' | 'account_id'>>;

/** The log of each account. It has the latest 100 entries of each kind. Every write above adds to it. */
export interface EventStore {
  /** Lists the entries, latest first. */
  list(account_id: string): Awaitable<EventRecord[]>;
}

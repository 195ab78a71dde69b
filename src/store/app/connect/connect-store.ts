// The part of the app's store for connectors: grants, their tokens, and registered clients. Also the uses of keys and grants.

import type { Awaitable } from '../../../lib/async.ts';
import type { Scope, ScopeColumns } from '../../scope.ts';
import type { AppRow } from '../../sql/tables/app-tables.ts';

/** The kinds of codes and tokens. */
export type TokenKind = AppRow<'grant_tokens'>['kind'];

/** What an account lets a client read. */
export interface GrantRecord extends Readonly<Omit<AppRow<'grants'>, keyof ScopeColumns>> {
  /** Undefined: everything. */
  readonly scope: Scope | undefined;
}

/** A grant to create. */
export interface NewGrant extends Omit<GrantRecord, 'id' | 'created_at' | 'last_used_at'> {
  readonly agent: string;
}

/** The uses of keys, or of grants. */
export interface CredentialUse {
  /**
   * Records when credentials were last used, and what they have read: keys by their SHA-256, grants by their id. A time
   * never moves back. Removes reads of more than 30 days ago. Does not wait for a lock.
   */
  recordUse(uses: ReadonlyMap<string, number>, reads?: readonly CredentialRead[]): Awaitable<void>;
  /**
   * Lists what the key or grant with an id has read in the last 30 days, latest first, 1,000 paths at most. Undefined if
   * the account has no such one.
   */
  reads(credential: {
    readonly account_id: string;
    readonly id: string;
  }): Awaitable<ReadPath[] | undefined>;
}

/** A path that was read, how often, and when last. */
export type ReadPath = Readonly<Pick<AppRow<'key_reads'>, 'path' | 'last_at' | 'count'>>;

/** A path that a key or a grant has read. */
export interface CredentialRead extends ReadPath {
  readonly credential: string;
}

/** The grants. An expired one does not exist. */
export interface GrantStore extends CredentialUse {
  /**
   * Finds the grant of an access token by the token's SHA-256, in lower-case hex, as of the latest commit.
   * Undefined if token or grant have ended, or if the account is disabled.
   */
  findByToken(tokenSha256: string): Awaitable<GrantRecord | undefined>;
  /** Finds a grant by its id, also one that has expired. */
  get(id: string): Awaitable<GrantRecord | undefined>;
  /** Lists the grants of an account that have a code or token, latest first. */
  list(account_id: string): Awaitable<GrantRecord[]>;
  /** Creates a grant. Rejects with `Refusal` if the account has too many, does not exist or is disabled. */
  create(grant: NewGrant): Awaitable<GrantRecord>;
  /** Ends a grant and all its tokens. Returns whether the account had it. */
  revoke(grant: {
    readonly account_id: string;
    readonly id: string;
    readonly agent: string;
  }): Awaitable<boolean>;
  /** Ends a grant and all its tokens for a reason that no person has given. */
  end(id: string): Awaitable<void>;
}

/** A code or token, without its text. */
export type GrantToken = Readonly<Omit<AppRow<'grant_tokens'>, 'token_sha256' | 'created_at'>>;

/** A code or token to add. */
export interface NewGrantToken extends Omit<GrantToken, 'used_at'> {
  /** Its text, of which the SHA-256 is stored. */
  readonly token: string;
}

/** The codes and tokens of grants. */
export interface GrantTokenStore {
  /**
   * Adds a token, and removes what has expired. If the grant has 1,000 tokens, the oldest end. Returns false if
   * there is no such grant any more.
   */
  add(token: NewGrantToken): Awaitable<boolean>;
  /** Finds a token, also one that has expired or was used. */
  find(token: string): Awaitable<GrantToken | undefined>;
  /** Uses a token: returns true to one caller only, however many try. */
  use(token: string): Awaitable<boolean>;
  /** Removes a token. */
  remove(token: string): Awaitable<void>;
}

/** A client that has registered itself. */
export type OAuthClientRecord = Readonly<Omit<AppRow<'oauth_clients'>, 'kept_until'>>;

/** The registered clients. One without a grant is deleted after a day. */
export interface OAuthClientStore {
  /** Registers a client. Rejects with `Refusal` if there are 1,000. */
  create(client: Omit<OAuthClientRecord, 'created_at'>): Awaitable<void>;
  /** Finds a client. */
  find(id: string): Awaitable<OAuthClientRecord | undefined>;
}

/** The stores of connectors. */
export interface ConnectStores {
  readonly grants: GrantStore;
  readonly grantTokens: GrantTokenStore;
  readonly oauthClients: OAuthClientStore;
}

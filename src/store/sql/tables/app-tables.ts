// The tables of the app and of connectors: what their rows are, as schemas, and their types for Kysely.

import * as v from 'valibot';

import { Label } from '../../../contract/schemas/label.ts';
import { AccountId, MemoryId } from '../../../contract/schemas/memory.ts';
import { Base64Url, Count, hex, Ordinal, scopeColumns, SomeText, Time, Uuid } from './columns.ts';

const JsonText = v.pipe(v.string(), v.parseJson());

/** The kinds of events in the log of an account. */
export type EventKind =
  | 'signed-in'
  | 'signed-out'
  | 'sessions-ended'
  | 'link-created'
  | 'key-created'
  | 'key-rotated'
  | 'key-revoked'
  | 'grant-allowed'
  | 'grant-revoked'
  | 'passkey-added'
  | 'passkey-removed'
  | 'password-set'
  | 'password-removed'
  | 'memories-imported'
  | 'memories-deleted'
  | 'memories-restored'
  | 'bin-emptied'
  | 'memories-edited'
  | 'edits-undone'
  | 'source-added'
  | 'source-changed'
  | 'source-removed'
  | 'share-created'
  | 'share-revoked';

/** The rows of each table, by its name. */
export const appRows = {
  /** Sessions, by the hash of their token. */
  sessions: v.strictObject({
    token_sha256: hex(64),
    id: Uuid,
    account_id: AccountId,
    way: v.picklist(['link', 'passkey', 'password', 'header']),
    agent: v.string(),
    created_at: Time,
    /** When somebody has signed in with more than another browser's session. */
    signed_in_at: Time,
    seen_at: Time,
    /** When it ends if it is not used until then. */
    ends_at: Time,
    /** 1: it ends 12 hours after the sign-in, and its cookie with the browser. */
    is_short: v.pipe(v.number(), v.values([0, 1])),
  }),
  /** Sign-in links that were not used yet, by the hash of their secret. */
  sign_in_links: v.strictObject({
    secret_sha256: hex(64),
    account_id: AccountId,
    signed_in_at: v.nullable(Time),
    expires_at: Time,
  }),
  /** Challenges for passkeys that were not used yet. */
  challenges: v.strictObject({
    challenge: v.pipe(Base64Url, v.length(43)),
    account_id: v.nullable(AccountId),
    expires_at: Time,
  }),
  /** Passkeys, each of one account. */
  passkeys: v.strictObject({
    /** The credential id. */
    id: Base64Url,
    account_id: AccountId,
    label: Label,
    /** The public key as SPKI. */
    public_key: Base64Url,
    /** The COSE algorithm: -7, -8 or -257. */
    algorithm: v.pipe(v.number(), v.safeInteger()),
    sign_count: Count,
    created_at: Time,
    last_used_at: v.nullable(Time),
  }),
  /** Passwords, as hashes. */
  passwords: v.strictObject({ account_id: AccountId, hash: SomeText, set_at: Time }),
  /** Wrong passwords, by account or by the hash of an address. */
  sign_in_failures: v.strictObject({ subject: SomeText, count: Ordinal, last_at: Time }),
  /** The log of each account. */
  account_events: v.strictObject({
    seq: Count,
    account_id: AccountId,
    at: Time,
    kind: v.custom<EventKind>((kind) => v.is(SomeText, kind)),
    subject: v.string(),
    agent: v.string(),
  }),
  /** What keys and grants have read lately: a row for each path. */
  key_reads: v.strictObject({
    key_id: v.nullable(AccountId), // an id that commands accept
    grant_id: v.nullable(Uuid),
    account_id: AccountId,
    path: SomeText,
    last_at: Time,
    count: Ordinal,
  }),
  /** What owners have granted to OAuth clients. */
  grants: v.strictObject({
    id: Uuid,
    account_id: AccountId,
    client_id: SomeText,
    client_name: v.string(),
    /** The host that the browser was sent to with the code. */
    redirect_host: v.string(),
    /** The address that its tokens are for. */
    resource: v.pipe(v.string(), v.url()),
    ...scopeColumns,
    created_at: Time,
    expires_at: Time,
    last_used_at: v.nullable(Time),
  }),
  /** The codes and tokens of grants, by their hash. */
  grant_tokens: v.strictObject({
    token_sha256: hex(64),
    grant_id: Uuid,
    account_id: AccountId,
    kind: v.picklist(['code', 'access', 'refresh']),
    /** What else belongs to it. */
    payload: JsonText,
    created_at: Time,
    expires_at: Time,
    /** Null: not used yet. */
    used_at: v.nullable(Time),
  }),
  /** The sources that owners pull from in the app. */
  pulls: v.strictObject({
    account_id: AccountId,
    /** As its runs are named in `sources`. */
    name: SomeText,
    id: Uuid,
    product: SomeText,
    /** Null: the product's own address. */
    url: v.nullable(v.pipe(v.string(), v.url())),
    interval_ms: v.pipe(Count, v.minValue(60_000)),
    /** The product's key, sealed by the key file. Null: there is none. */
    sealed_key: v.nullable(SomeText),
    created_at: Time,
    due_at: Time,
  }),
  /** Links to memories, by the hash of their secret. */
  shares: v.strictObject({
    secret_sha256: hex(64),
    id: Uuid,
    account_id: AccountId,
    memory_id: MemoryId,
    /** What the page shows. */
    content: JsonText,
    created_at: Time,
    expires_at: Time,
    visits: Count,
  }),
  /** The stars, notes and ticked action items of owners. */
  bookmarks: v.strictObject({
    account_id: AccountId,
    memory_id: MemoryId,
    is_starred: v.pipe(v.number(), v.values([0, 1])),
    note: v.string(),
    changed_at: Time,
    /** The texts of the items. */
    done_items: v.pipe(v.string(), v.parseJson(), v.array(v.string())),
  }),
  /** The searches that owners have saved. */
  searches: v.strictObject({
    account_id: AccountId,
    name: v.string(),
    /** What the address of the search has after its question mark. */
    query: v.string(),
    changed_at: Time,
  }),
  /** The OAuth clients that have registered themselves. */
  oauth_clients: v.strictObject({
    id: Uuid,
    /** What it says about itself. */
    metadata: JsonText,
    created_at: Time,
    kept_until: Time,
  }),
};

/** The rows of a table of the app. */
export type AppRow<T extends keyof typeof appRows> = v.InferInput<(typeof appRows)[T]>;

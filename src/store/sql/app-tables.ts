// The types of the app's tables, for Kysely. Times are milliseconds since 1970.

import type { Generated } from 'kysely';

/** Sessions, by the hash of their token. */
export interface SessionTable {
  token_sha256: string;
  id: string;
  account_id: string;
  way: 'link' | 'passkey' | 'password' | 'header';
  agent: string;
  created_at: number;
  signed_in_at: number;
  seen_at: number;
  ends_at: number;
  is_short: number;
}

/** Sign-in links that were not used yet, by the hash of their secret. */
export interface SignInLinkTable {
  secret_sha256: string;
  account_id: string;
  signed_in_at: number | null;
  expires_at: number;
}

/** Challenges for passkeys that were not used yet. */
export interface ChallengeTable {
  challenge: string;
  account_id: string | null;
  expires_at: number;
}

/** Passkeys, each of one account. */
export interface PasskeyTable {
  id: string;
  account_id: string;
  label: string;
  public_key: string;
  algorithm: number;
  sign_count: number;
  created_at: number;
  last_used_at: number | null;
}

/** Passwords, as hashes. */
export interface PasswordTable {
  account_id: string;
  hash: string;
  set_at: number;
}

/** Wrong passwords, by account or by the hash of an address. */
export interface SignInFailureTable {
  subject: string;
  count: number;
  last_at: number;
}

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
  | 'password-removed';

/** The log of each account. */
export interface AccountEventTable {
  seq: Generated<number>;
  account_id: string;
  at: number;
  kind: EventKind;
  subject: string;
  agent: string;
}

// Checks the rows of sessions, sign-in links, passkeys, passwords, the logs of accounts, grants and registered clients.

import * as v from 'valibot';

import { Label } from '../../contract/schemas/label.ts';
import { AccountId } from '../../contract/schemas/memory.ts';
import { show } from './findings.ts';
import { rowChecks, TimeRange } from './tables.ts';

const Hash = v.pipe(v.string(), v.hexadecimal(), v.length(64));
const Base64Url = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]+$/));
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Uuid = v.pipe(v.string(), v.uuid());

const Json = v.pipe(v.string(), v.parseJson());

/** The checks of the tables of the app. Their schemas repeat the CHECK constraints. */
export const appChecks = rowChecks({
  sessions: {
    name: (row) => `Session ${show(row['id'])} of account ${show(row['account_id'])}`,
    schema: v.strictObject({
      token_sha256: Hash,
      id: Uuid,
      account_id: AccountId,
      way: v.picklist(['link', 'passkey', 'password', 'header']),
      agent: v.string(),
      created_at: TimeRange,
      signed_in_at: TimeRange,
      seen_at: TimeRange,
      ends_at: TimeRange,
      is_short: v.picklist([0, 1]),
    }),
  },
  sign_in_links: {
    name: (row) => `A sign-in link of account ${show(row['account_id'])}`,
    schema: v.strictObject({
      secret_sha256: Hash,
      account_id: AccountId,
      signed_in_at: v.nullable(TimeRange),
      expires_at: TimeRange,
    }),
  },
  challenges: {
    name: () => 'A challenge for passkeys',
    schema: v.strictObject({
      challenge: v.pipe(Base64Url, v.length(43)),
      account_id: v.nullable(AccountId),
      expires_at: TimeRange,
    }),
  },
  passkeys: {
    name: (row) => `Passkey ${show(row['id'])} of account ${show(row['account_id'])}`,
    schema: v.strictObject({
      id: Base64Url,
      account_id: AccountId,
      label: Label,
      public_key: Base64Url,
      algorithm: v.pipe(v.number(), v.safeInteger()),
      sign_count: Count,
      created_at: TimeRange,
      last_used_at: v.nullable(TimeRange),
    }),
  },
  passwords: {
    name: (row) => `The password of account ${show(row['account_id'])}`,
    schema: v.strictObject({
      account_id: AccountId,
      hash: v.pipe(v.string(), v.minLength(1)),
      set_at: TimeRange,
    }),
  },
  sign_in_failures: {
    name: () => 'A count of wrong passwords',
    schema: v.strictObject({
      subject: v.pipe(v.string(), v.minLength(1)),
      count: v.pipe(Count, v.minValue(1)),
      last_at: TimeRange,
    }),
  },
  account_events: {
    name: (row) => `Event ${show(row['seq'])} of account ${show(row['account_id'])}`,
    schema: v.strictObject({
      seq: Count,
      account_id: AccountId,
      at: TimeRange,
      kind: v.pipe(v.string(), v.minLength(1)),
      subject: v.string(),
      agent: v.string(),
    }),
  },
  grants: {
    name: (row) => `Grant ${show(row['id'])} of account ${show(row['account_id'])}`,
    schema: v.strictObject({
      id: Uuid,
      account_id: AccountId,
      client_id: v.pipe(v.string(), v.minLength(1)),
      client_name: v.string(),
      redirect_host: v.string(),
      resource: v.pipe(v.string(), v.url()),
      reads: v.picklist(['all', 'summaries']),
      started_after: v.nullable(TimeRange),
      started_before: v.nullable(TimeRange),
      created_at: TimeRange,
      expires_at: TimeRange,
      last_used_at: v.nullable(TimeRange),
    }),
  },
  grant_tokens: {
    name: (row) => `A token of grant ${show(row['grant_id'])}`,
    schema: v.strictObject({
      token_sha256: Hash,
      grant_id: Uuid,
      account_id: AccountId,
      kind: v.picklist(['code', 'access', 'refresh']),
      payload: Json,
      created_at: TimeRange,
      expires_at: TimeRange,
      used_at: v.nullable(TimeRange),
    }),
  },
  oauth_clients: {
    name: (row) => `Registered client ${show(row['id'])}`,
    schema: v.strictObject({
      id: Uuid,
      metadata: Json,
      created_at: TimeRange,
      kept_until: TimeRange,
    }),
  },
});

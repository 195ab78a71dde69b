// The records of the app's store as the JSON of its contract.

import type * as v from 'valibot';

import { apiKeyState } from '../../store/accounts/api-key.ts';
import type { ApiKeyRecord } from '../../store/accounts/api-keys.ts';
import type { EventRecord, PasskeyRecord, SessionRecord } from '../../store/app/app-store.ts';
import type { GrantRecord, ReadPath } from '../../store/app/connect/connect-store.ts';
import { NO_SCOPE, scopeOf, type Scope } from '../../store/scope.ts';
import type { AccountEvent, Grant, Key, Passkey, SessionEntry } from '../contract/records.ts';

/** Formats a time of the store. */
export function toTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Formats a time that may be missing. */
export function toTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : toTime(ms);
}

/** Formats a path that was read. */
export function toRead({ path, last_at, count }: ReadPath) {
  return { path, last_at: toTime(last_at), count };
}

/** Formats a session. */
export function toSession(
  { id, way, agent, created_at, seen_at, ends_at }: SessionRecord,
  current: SessionRecord | null,
): v.InferOutput<typeof SessionEntry> {
  return {
    id,
    way,
    agent,
    created_at: toTime(created_at),
    seen_at: toTime(seen_at),
    ends_at: toTime(ends_at),
    is_current: id === current?.id,
  };
}

/** Formats a scope. Undefined: everything. */
function toScope({ started_after, started_before, source, tags, reads }: Scope = NO_SCOPE) {
  return {
    reads,
    started_after: toTimeOrNull(started_after),
    started_before: toTimeOrNull(started_before),
    source,
    tags: [...tags],
  };
}

/** Formats a key without its text. */
export function toKey(record: ApiKeyRecord, now: number): v.InferOutput<typeof Key> {
  const { id, label, last_four, created_at, expires_at, revoked_at, last_used_at } = record;
  return {
    id,
    label,
    last_four,
    created_at: toTime(created_at),
    expires_at: toTimeOrNull(expires_at),
    revoked_at: toTimeOrNull(revoked_at),
    last_used_at: toTimeOrNull(last_used_at),
    ...toScope(scopeOf(record)),
    state: apiKeyState(record, now),
  };
}

/** Formats a grant. */
export function toGrant(record: GrantRecord): v.InferOutput<typeof Grant> {
  const { id, client_name, client_id, redirect_host, scope } = record;
  return {
    id,
    client: client_name,
    client_id,
    redirect: redirect_host,
    ...toScope(scope),
    created_at: toTime(record.created_at),
    expires_at: toTime(record.expires_at),
    last_used_at: toTimeOrNull(record.last_used_at),
  };
}

/** Formats a passkey. */
export function toPasskey(record: PasskeyRecord): v.InferOutput<typeof Passkey> {
  const { id, label, created_at, last_used_at } = record;
  return {
    id,
    label,
    created_at: toTime(created_at),
    last_used_at: toTimeOrNull(last_used_at),
  };
}

/** Formats an entry of the log. */
export function toEvent({
  at,
  kind,
  subject,
  agent,
}: EventRecord): v.InferOutput<typeof AccountEvent> {
  return { at: toTime(at), kind, subject, agent };
}

// The records of the app's store as the JSON of its contract, whose schemas leave out what owners do not see.

import type * as v from 'valibot';

import { toJsonRecord } from '../../lib/time.ts';
import { apiKeyState } from '../../store/accounts/api-key.ts';
import type { ApiKeyRecord } from '../../store/accounts/api-keys.ts';
import type { SessionRecord } from '../../store/app/app-store.ts';
import type { GrantRecord } from '../../store/app/connect/connect-store.ts';
import { NO_SCOPE, scopeOf, type Scope } from '../../store/scope.ts';
import type { Grant, Key, SessionEntry } from '../contract/records.ts';

/** Formats a time of the store. */
export function toTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Formats a session. */
export function toSession(
  session: SessionRecord,
  current: SessionRecord | null,
): v.InferOutput<typeof SessionEntry> {
  return { ...toJsonRecord(session), is_current: session.id === current?.id };
}

/** Formats a scope. Undefined: everything. */
function toScope(scope: Scope = NO_SCOPE) {
  return { ...toJsonRecord(scope), tags: [...scope.tags] };
}

/** Formats a key without its text. */
export function toKey(record: ApiKeyRecord, now: number): v.InferOutput<typeof Key> {
  const state = apiKeyState(record, now);
  return { ...toJsonRecord(record), ...toScope(scopeOf(record)), state };
}

/** Formats a grant. */
export function toGrant(record: GrantRecord): v.InferOutput<typeof Grant> {
  const { client_name: client, redirect_host: redirect, scope } = record;
  return { ...toJsonRecord(record), client, redirect, ...toScope(scope) };
}

// Fresh sign-ins: adding a passkey or a password needs one of the last ten minutes.

import { Failure } from '../../../contract/failure.ts';
import type { SessionRecord } from '../../../store/app/app-store.ts';
import type { Reader } from './reader.ts';

/** How long a sign-in counts as new. */
const FRESH_MS = 600_000;

/** How far the clock may have been set back since a sign-in. Further, the age of the sign-in is not known. */
const CLOCK_MS = 60_000;

/**
 * Returns until when a sign-in counts as new, which shows that the browser was not just left open. Null: there is no
 * new one. A link of another browser is as old as the sign-in of that one. `now` is the time of the gateway, which
 * dates sessions.
 */
export function freshUntil({ session }: Reader, now: number): number | null {
  return session !== null && isRecent(session.signed_in_at, now)
    ? session.signed_in_at + FRESH_MS
    : null;
}

/** Returns whether a sign-in at a time is one of the last ten minutes. */
export function isRecent(signed_in_at: number, now: number): boolean {
  const age = now - signed_in_at;
  return age < FRESH_MS && age > -CLOCK_MS;
}

/** Returns the session of a fresh sign-in. Throws a 409. */
export function requireFresh(reader: Reader, now: number): SessionRecord {
  const { session } = reader;
  if (session !== null && isRecent(session.signed_in_at, now)) return session;
  throw new Failure(
    409,
    'This needs a sign-in of the last 10 minutes; sign out and in again, and repeat it.',
  );
}

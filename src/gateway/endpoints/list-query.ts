// What the handlers of all lists share: their ETag, and their bounds in time.

import { hash } from 'node:crypto';

import { toMillisecondBounds, type TimeBounds } from '../../lib/timezone.ts';
import { VERSION } from '../../version.ts';
import type { Caller } from '../request/auth.ts';

/**
 * Returns the ETag of a list, without reading the list. The revision is older than the read, or the same,
 * so the ETag may be too old but never too new.
 */
export function etagOf({ revision, scope }: Caller, query: object): string {
  const own = scope === undefined ? [] : [scope];
  return hash('sha256', JSON.stringify([VERSION, revision, query, ...own]));
}

const NO_BOUNDS = { started_after: undefined, started_before: undefined };

/** Returns the bounds of a request in milliseconds. Most requests have none. */
export function toBounds(bounds: TimeBounds<string>, timezone: string | undefined) {
  if (bounds.started_after === undefined && bounds.started_before === undefined) return NO_BOUNDS;
  return toMillisecondBounds(bounds, timezone);
}

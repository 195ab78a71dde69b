// How long deleted memories stay in the bin.

import { DAY_MS, systemTime } from '../../lib/time.ts';

/** How many days a deleted memory stays in the bin. */
export const BIN_DAYS = 30;

/** Returns the time of deletion from which on memories can still be brought back. */
export function binStart(now: number): number {
  return now - BIN_DAYS * DAY_MS;
}

/**
 * Returns the time of deletion from which on an import leaves memories in the bin. It has erased what had expired when
 * it began, and what expires meanwhile waits for its erasure. A dry run erases nothing.
 */
export function binStartOfImport(isDry: boolean): number {
  return isDry ? binStart(systemTime()) : 0;
}

/** Returns when a memory is erased that was deleted at a time. */
export function erasedAt(deleted_at: number): number {
  return deleted_at + BIN_DAYS * DAY_MS;
}

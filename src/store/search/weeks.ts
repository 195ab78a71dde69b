// Weeks: the shards of the search index in both engines.

import { WEEK_MS } from '../../lib/time.ts';

// A search reads one shard at a time, so neither the size of an account nor the size of another one blocks
// the event loop for long: people record a few hundred memories a week.

/** Returns the week of a time in milliseconds. */
export function weekOf(ms: number): number {
  return Math.floor(ms / WEEK_MS);
}

/** Returns the start of a week, in milliseconds. */
export function startOfWeek(week: number): number {
  return week * WEEK_MS;
}

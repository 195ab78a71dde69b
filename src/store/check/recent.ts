// Remembers which checks have passed, so that a memory that is read again and again is not hashed each time.

import { hash } from 'node:crypto';

import type { ExpectedMemory } from './on-read.ts';

/** How long a check that has passed is not repeated, in milliseconds. */
export const REPEAT_MS = 60_000;

/** At this number all are forgotten. Their keys take 3 MB. */
const MAX_PASSED = 32_768;

/** What was read, in which state: the memories of an account, and their hashes as text. */
export interface Checked extends Pick<ExpectedMemory, 'account_id' | 'is_processing'> {
  /** The state of the account. Undefined if it is unknown: then a check is always repeated. */
  readonly revision?: string | undefined;
  /** Names the memories with their positions and hashes. */
  readonly facts: string;
}

/** The checks of a connection that have passed. */
export interface RecentChecks {
  /** Returns whether a check has passed for the same memories in the same state, or passes now. */
  passes(checked: Checked, check: () => boolean): boolean;
}

/** Creates the memory of checks. It forgets all of them once a minute. */
export function recentChecks(now: () => number = () => performance.now()): RecentChecks {
  const passed = new Set<string>();
  let forgetAt = 0;
  return {
    passes(checked, check) {
      if (checked.revision === undefined) return check();
      const time = now();
      if (time >= forgetAt || passed.size >= MAX_PASSED) {
        passed.clear();
        forgetAt = time + REPEAT_MS;
      }
      const key = keyOf(checked);
      if (passed.has(key)) return true;
      if (!check()) return false;
      passed.add(key);
      return true;
    },
  };
}

/** All facts are in the key, because a damaged index may name an intact memory of somebody else. */
function keyOf({ account_id, revision, is_processing, facts }: Checked): string {
  return hash('sha256', `${account_id} ${revision} ${is_processing} ${facts}`, 'base64');
}

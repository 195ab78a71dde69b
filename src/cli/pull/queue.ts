// The queue of the pulls that owners have set up in the app: a server claims those that are due.
// The program exports it, because the thread of the jobs has no other way into its bundle.

import { engineOf } from '../../store/engines.ts';
import type { StoredPull } from '../../store/sources/pulls.ts';

/**
 * The queue of a database. All methods reject if the database cannot be written now, and the next look tries
 * again.
 */
export interface PullQueue {
  /** Claims the pulls that are due, and dates their next runs. Of several servers on a database, one gets each. */
  readonly claimDue: () => Promise<StoredPull[]>;
  /** Lets the next run of a pull start no earlier than at a time, in milliseconds since 1970. */
  readonly postpone: (pull: StoredPull, until: number) => Promise<void>;
}

/** Opens the queue of a database. */
export function openPullQueue(database: string): PullQueue {
  const engine = engineOf(database);
  return {
    claimDue: () =>
      engine.withWriter(async ({ pulls, transaction }) => {
        const now = Date.now();
        const due = await pulls.due(now);
        const claimed: StoredPull[] = [];
        if (due.length === 0) return claimed; // most looks write nothing, and wait for no lock
        // All or none: one that is claimed and not returned would wait for its next time.
        return transaction(async () => {
          for (const pull of due) if (await pulls.claim(pull, now)) claimed.push(pull);
          return claimed;
        });
      }),
    postpone: (pull, until) => engine.withWriter(({ pulls }) => pulls.postpone(pull, until)),
  };
}

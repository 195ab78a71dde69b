// Removes from a database what must not outlive its moment: sessions, sign-in links, challenges, wrong guesses.

import type { Database } from 'better-sqlite3';

import { build, query, type Slot } from '../../sql/query.ts';
import { inTransaction, prepareOn } from '../statements.ts';

const removals = (['sessions', 'sign_in_links', 'challenges', 'sign_in_failures'] as const).map(
  (table) => query((_: Slot<object>) => build.deleteFrom(table)),
);

/**
 * Removes all sessions, sign-in links, challenges and counts of wrong passwords. So nobody is signed in by
 * a backup, and a restore signs everybody out. Keys, passkeys and passwords stay.
 */
export function dropSessions(db: Database): void {
  inTransaction(db, () => {
    for (const removal of removals) prepareOn(db, removal).run({});
  });
}

// Removes from a database what must not outlive its moment: sessions, sign-in links, challenges, wrong guesses, grants.

import type { Database } from 'better-sqlite3';

import { build, query, type Slot } from '../../sql/query.ts';
import { inTransaction, prepareOn } from '../statements.ts';

/** The tables with what must not outlive its moment. docs/howto/postgres.md empties the same ones after `pg_restore`. */
export const MOMENTARY_TABLES = [
  'sessions',
  'sign_in_links',
  'challenges',
  'sign_in_failures',
  'grant_tokens',
  'grants',
  'shares',
  'key_reads',
  'oauth_clients',
] as const;

const removals = MOMENTARY_TABLES.map((table) =>
  query((_: Slot<object>) => build.deleteFrom(table as 'sessions')),
);

/**
 * Removes all sessions, sign-in links, challenges, counts of wrong passwords, grants, registered clients and what
 * keys have read. So nobody is signed in or connected by a backup, and a restore ends sessions and grants: a revoked grant never
 * comes back. Keys, passkeys and passwords stay.
 */
export function dropSessions(db: Database): void {
  inTransaction(db, () => {
    for (const removal of removals) prepareOn(db, removal).run({});
  });
}

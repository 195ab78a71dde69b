// Findings: what is wrong with a database, each in one sentence with what mends it.

import * as v from 'valibot';

import { MemoryId } from '../contract/memory.ts';

/** What mends what is lost. */
export const RESTORE = 'restore a backup';

/** What mends a database whose memories are whole. */
export const REBUILD = 'restore a backup, or export the account and import it into a new database';

/** Names a memory for people; what is damaged may be no id at all. */
export function named({ account_id, id }: { account_id: unknown; id: unknown }): string {
  return `Memory ${show(id)} of account ${show(account_id)}`;
}

/** Shows an id as it is, and anything else in quotes. */
export function show(id: unknown): string {
  return v.is(MemoryId, id) ? id : JSON.stringify(id);
}

// Owners: the writes of accounts and of keys on a file, done when they return.

import type { Database } from 'better-sqlite3';

import { accountWrites } from '../accounts.ts';
import type { Synchronous } from '../connection.ts';
import { keyWrites } from '../keys.ts';
import { connectionTo } from './held.ts';

/** The writes of accounts on a connection to a file. */
export function accountsIn(db: Database): Synchronous<ReturnType<typeof accountWrites>> {
  return accountWrites(connectionTo(db)) as ReturnType<typeof accountsIn>;
}

/** The writes of API keys on a connection to a file. */
export function keysIn(db: Database): Synchronous<ReturnType<typeof keyWrites>> {
  return keyWrites(connectionTo(db)) as ReturnType<typeof keysIn>;
}

// How the app's store reaches a database: one short transaction for each call, within one account or for one secret.

import { hash, randomBytes } from 'node:crypto';

import type { Awaitable } from '../../lib/async.ts';
import { unknownAccount } from '../accounts/accounts.ts';
import { Refusal } from '../refusal.ts';
import type { Connection } from '../sql/query.ts';
import { selectRows } from '../sql/row-queries.ts';
import type { AppAccount } from './app-store.ts';

/** What a transaction may see, where row-level security applies: an account, or the row of a secret or id. */
export interface VisibleRows {
  readonly account_id?: string | undefined;
  readonly secret?: string | undefined;
}

/** The transactions of the app's store. */
export interface AppAccess {
  /**
   * The clock of the gateway, in milliseconds since 1970. It ends sessions. Links pass from process to process and the OAuth
   * server has no other clock, so the system dates links, grants and tokens.
   */
  readonly now: () => number;
  /** Reads. On PostgreSQL all reads are of one transaction. */
  readonly read: <T>(scope: VisibleRows, work: (on: Connection) => Awaitable<T>) => Awaitable<T>;
  /**
   * Writes all or nothing. `work` awaits statements and nothing else, because SQLite holds its lock
   * meanwhile. Rejects with `Refusal` if the database cannot be written or stays locked.
   */
  readonly write: <T>(scope: VisibleRows, work: (on: Connection) => Promise<T>) => Promise<T>;
  /** Does the same, but does not wait for a lock. */
  readonly tryWrite: <T>(scope: VisibleRows, work: (on: Connection) => Promise<T>) => Promise<T>;
}

/** The account that sees whether any account has a password or a source, and notes the use of all keys. No account has this id. */
export const ANY_ACCOUNT = '*';

/** Creates a secret of 256 random bits, as base64url. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the SHA-256 of a secret in lower-case hex, the only form in which secrets are stored. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

const accountQuery = selectRows('accounts', { columns: ['id', 'name', 'disabled_at'], by: ['id'] });

/** Finds an account to sign in to. Rejects with `Refusal` if it does not exist or is disabled. */
export async function requireAccount({ prepare }: Connection, id: string): Promise<AppAccount> {
  const found = await prepare(accountQuery).get({ id });
  if (found === undefined) throw unknownAccount(id);
  if (found.disabled_at === null) return { id, name: found.name };
  throw new Refusal(
    `Account ${id} is disabled; enable it with: memory-gateway accounts enable ${id}`,
  );
}

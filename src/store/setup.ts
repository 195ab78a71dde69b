// Set-up for programs that embed the gateway: creates the database, accounts, keys and memories, as the command line does.

import * as v from 'valibot';

import type { Upgraded } from './engine.ts';
import { engineOf } from './engines.ts';
import type { IssuedApiKey } from './keys.ts';
import type { NewMemory, WriteResult } from './memory-row.ts';
import { Refusal } from './refusal.ts';

/** An account to create. */
export interface AccountToCreate {
  readonly name: string;
  /** Default: a new UUIDv7. */
  readonly id?: string | undefined;
}

/** A key to create. */
export interface KeyToCreate {
  readonly account_id: string;
  /** What the key is for. */
  readonly label: string;
  /** When it expires. Default: never. */
  readonly expires_at?: Date | undefined;
}

/**
 * Creates a database, or brings its schema up to date. `database` is the path of a SQLite file or the address of
 * a PostgreSQL database. A file that is changed gets a safety copy beside it. Rejects with `Refusal`.
 */
export async function migrate(database: string): Promise<Upgraded> {
  return engineOf(database).upgrade({});
}

/** The accounts of a database. */
export const accounts = {
  /** Creates an account and returns its id. Rejects with `Refusal` if the id is taken. */
  create: (database: string, { name, id }: AccountToCreate): Promise<string> =>
    checked(() =>
      engineOf(database).withWriter((writer) =>
        writer.accounts.create({ name, id, created_by: 'command line' }),
      ),
    ),
};

/** The API keys of a database. */
export const keys = {
  /** Creates a key. Its text is not stored, so show it once. Rejects with `Refusal` if there is no such account. */
  create: (database: string, { expires_at, ...key }: KeyToCreate): Promise<IssuedApiKey> =>
    checked(() =>
      engineOf(database).withWriter((writer) =>
        writer.keys.create({ ...key, expires_at: expires_at?.getTime() ?? null }),
      ),
    ),
};

/**
 * Adds memories to an account, or replaces those with the same id: all or none. Returns what happened to each.
 * Rejects with `Refusal` if there is no such account, or a memory breaks the contract.
 */
export async function importMemories(
  database: string,
  account_id: string,
  memories: readonly NewMemory[],
): Promise<WriteResult[]> {
  return checked(() =>
    engineOf(database).withWriter(async (writer) => {
      await writer.accounts.require(account_id);
      return writer.memories.putAll(account_id, memories);
    }),
  );
}

/** Turns what breaks a schema into a `Refusal` that names the property. */
async function checked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof v.ValiError)) throw error;
    const [issue] = error.issues;
    const path = issue.path === undefined ? 'the value' : String(v.getDotPath(issue));
    throw new Refusal(`${path}: ${issue.message}`, { cause: error });
  }
}

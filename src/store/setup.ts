// Set-up for programs that embed the gateway: creates the database, accounts, keys and memories, as the command line does.

import * as v from 'valibot';

import type { IssuedApiKey } from './accounts/api-keys.ts';
import type { Upgraded } from './engine.ts';
import { engineOf } from './engines.ts';
import type { NewMemory, WriteResult } from './import/memory-row.ts';
import { Refusal } from './refusal.ts';
import type { Reads } from './scope.ts';

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
  /** What it may read. Default: everything. */
  readonly scope?: ScopeOfKey | undefined;
}

/** What a key may read of its account. */
export interface ScopeOfKey {
  /** `summaries`: everything except transcripts. Default: `all`. */
  readonly reads?: Reads | undefined;
  /** Only memories that started at this time or later. Default: from the first on. */
  readonly started_after?: Date | undefined;
  /** Only memories that started before this time. Default: to the latest. */
  readonly started_before?: Date | undefined;
}

/** The schema of a scope, whose types a program without TypeScript may miss. */
const KeyScope = v.pipe(
  v.strictObject({
    reads: v.optional(v.picklist(['all', 'summaries']), 'all'),
    started_after: v.optional(v.date()),
    started_before: v.optional(v.date()),
  }),
  v.transform(({ reads, started_after, started_before }) => ({
    reads,
    started_after: started_after?.getTime() ?? null,
    started_before: started_before?.getTime() ?? null,
  })),
  v.check(
    ({ started_after, started_before }) =>
      (started_after ?? -Infinity) < (started_before ?? Infinity),
    'started_before must be after started_after',
  ),
);

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
  create: (database: string, { expires_at, scope, ...key }: KeyToCreate): Promise<IssuedApiKey> =>
    checked(() => {
      const created = {
        ...key,
        expires_at: expires_at?.getTime() ?? null,
        scope: scope && v.parse(KeyScope, scope),
      };
      return engineOf(database).withWriter((writer) => writer.keys.create(created));
    }),
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

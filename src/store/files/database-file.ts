// What only a database in one file can do: backup, restore, inspection, and its files on the disk.

import type { ApiKeyState } from '../accounts/api-key.ts';
import type { ApiKeyRecord } from '../accounts/api-keys.ts';
import type { Verified } from '../check/findings.ts';
import type { Stage } from '../progress.ts';
import type { RefusalCode } from '../refusal.ts';
import type { SourceRecord } from '../sources/runs.ts';

/** The operations on a database in one file. All but `inspect` and `leftovers` throw or reject with `Refusal`. */
export interface DatabaseFile {
  /** Returns whether there is no such file. */
  isMissing(): boolean;
  /** Writes a backup and verifies it before it gets its name, while others read and write the database. */
  backUp(options: BackupOptions): Promise<BackedUp>;
  /** Restores a backup that verifies: all of it, or nothing. */
  restore(options: RestoreOptions): Promise<Restored>;
  /** Reads what the file says about itself, without changing it. A damaged file is a fact too, not an error. */
  inspect(): DatabaseFileFacts;
  /** Finds the files that commands left next to the database. Throws if the folder cannot be read. */
  leftovers(): Leftovers;
}

/** The options of a backup. */
export interface BackupOptions {
  readonly file: string;
  /** Whether to replace a file of that name. Default: false. */
  readonly overwrite?: boolean;
  readonly stage?: Stage;
}

/** A backup and its contents. */
export interface BackedUp extends Pick<Verified, 'at' | 'memories' | 'accounts'> {
  readonly bytes: number;
  readonly sha256: string;
}

/** The options of a restore. */
export interface RestoreOptions {
  readonly file: string;
  /** Whether to make no safety copy of the present database. Default: false. */
  readonly discard?: boolean;
  readonly stage?: Stage;
}

/** The result of a restore. If there are `findings`, they are about the backup, and the database is unchanged. */
export interface Restored extends Verified {
  /** The path of the safety copy of the database that was replaced. */
  readonly kept: string | undefined;
  /** Whether the database is a new file, because the old one was too damaged. Running servers open it within a second. */
  readonly isNewFile: boolean;
}

/** Files next to a database, including their logs. */
export interface Leftovers {
  /** Temporary files of commands that are running or were killed. */
  readonly drafts: readonly string[];
  /** Safety copies from before a restore or a migration. */
  readonly kept: readonly string[];
}

/** The facts in a database file; null if it could not be read. Times are milliseconds since 1970. */
export interface DatabaseFileFacts {
  /** Why the file cannot be served: a code, and a sentence with the remedy. */
  readonly trouble: RefusalCode | null;
  readonly refusal: string | null;
  /** The version of SQLite. */
  readonly sqlite: string;
  readonly schema: number | null;
  readonly schema_wanted: number;
  /** Tables, indexes and triggers that are missing or changed, each in a sentence with its remedy. */
  readonly schema_faults: readonly string[] | null;
  readonly page_size: number | null;
  readonly pages: number | null;
  readonly free_pages: number | null;
  readonly journal_mode: string | null;
  readonly accounts: Readonly<Record<'active' | 'disabled', number>> | null;
  readonly keys: Readonly<Record<ApiKeyState, number>> | null;
  /** Active keys that never expire. */
  readonly keys_without_end: number | null;
  /** Active keys that expire within `SOON_DAYS`, the earliest first. */
  readonly keys_expiring: readonly ExpiringKey[] | null;
  /**
   * Active keys that were not used within `UNUSED_DAYS`, the one unused for longest first. Empty if no key
   * was: then the use of keys is probably not recorded.
   */
  readonly keys_unused: readonly UnusedKey[] | null;
  /** Grants that have not expired, and how many of them were not used within `UNUSED_DAYS`. */
  readonly grants: Readonly<Record<'active' | 'unused', number>> | null;
  readonly memories: number | null;
  readonly oldest: number | null;
  readonly newest: number | null;
  /** What memories were made from: how many, their bytes as they came, and the compressed bytes that are stored. */
  readonly originals: Readonly<Record<'count' | 'bytes' | 'stored', number>> | null;
  readonly changes: number | null;
  readonly sources: readonly SourceFacts[] | null;
}

/** A key expires soon if it expires within this many days. */
export const SOON_DAYS = 30;

/** A key or grant is unused if it was not used for this many days. */
export const UNUSED_DAYS = 90;

/** A recurring source, and how its last run ended. */
export type SourceFacts = Pick<
  SourceRecord,
  'account_id' | 'name' | 'kind' | 'interval_ms' | 'active_at' | 'succeeded_at' | 'result' | 'error'
>;

/** A key that was not used for long. */
export type UnusedKey = Pick<ApiKeyRecord, 'id' | 'label' | 'account_id'> & {
  readonly last_used_at: number;
};

/** A key that expires soon. */
export type ExpiringKey = Pick<ApiKeyRecord, 'id' | 'label' | 'account_id'> & {
  readonly expires_at: number;
};

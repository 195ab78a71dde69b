// The types of all tables, for Kysely. Times are milliseconds since 1970.

import type { ColumnType, Generated } from 'kysely';

import type { Json } from '../../contract/json.ts';
import type { Change, Memory } from '../../contract/schemas/memory.ts';
import type { ScopeColumns } from '../scope.ts';
import type {
  AccountEventTable,
  ChallengeTable,
  PasskeyTable,
  PasswordTable,
  SessionTable,
  SignInFailureTable,
  SignInLinkTable,
} from './app-tables.ts';
import type { GrantTable, GrantTokenTable, OAuthClientTable } from './connect-tables.ts';

/** All tables. */
export interface Tables {
  accounts: AccountTable;
  api_keys: ApiKeyTable;
  memories: MemoryTable;
  search_weeks: SearchWeekTable;
  search: SearchTable;
  search_idx: SearchSegmentTable;
  changes: ChangeTable;
  change_epochs: ChangeEpochTable;
  sources: SourceTable;
  source_memories: SourceMemoryTable;
  watched_files: WatchedFileTable;
  sessions: SessionTable;
  sign_in_links: SignInLinkTable;
  challenges: ChallengeTable;
  passkeys: PasskeyTable;
  passwords: PasswordTable;
  sign_in_failures: SignInFailureTable;
  account_events: AccountEventTable;
  grants: GrantTable;
  grant_tokens: GrantTokenTable;
  oauth_clients: OAuthClientTable;
  copies: CopyTable;
  imported: ImportedTable;
  search_words: SearchWordTable;
  search_terms: SearchTermTable;
  search_vocabulary: VocabularyTable;
  sqlite_schema: SchemaTable;
}

/** Accounts. */
export interface AccountTable {
  id: string;
  name: string;
  created_at: number;
  created_by: 'command line' | 'seed';
  disabled_at: number | null;
  revision: Generated<string>;
}

/** API keys, each of one account. */
export interface ApiKeyTable extends ScopeColumns {
  key_sha256: string;
  id: string;
  account_id: string;
  last_four: string;
  label: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

/** Memories: `body` is the response, and the other columns repeat parts of it for queries. */
export interface MemoryTable {
  pk: Generated<number>;
  account_id: string;
  id: string;
  started_at: number;
  ended_at: number;
  duration_seconds: number;
  is_processing: number;
  name: string;
  quick_summary: string;
  key_takeaways: string;
  body_sha256: string;
  slim_sha256: string;
  /** The body without the transcript. */
  slim: Json<Partial<Memory>>;
  body: Json<Memory>;
}

/** The shards of the search index: one for each account and week. `label` is the prefix of its terms. */
export interface SearchWeekTable {
  label: Generated<number>;
  account_id: string;
  week: number;
}

/** The search index (FTS5), by `pk`. Its column `search` takes match expressions and commands. */
export interface SearchTable {
  rowid: number;
  search: ColumnType<string, 'delete' | 'optimize' | 'merge' | undefined, never>;
  rank: ColumnType<never, number | undefined, never>;
  words: ColumnType<never, string, never>;
}

/** The latest change of every memory. */
export interface ChangeTable {
  account_id: string;
  seq: number;
  memory_id: string;
  change: Change['change'];
  changed_at: number;
}

/** The epoch of the changes from `first_seq` on: a random name that is never used again. */
export interface ChangeEpochTable {
  account_id: string;
  first_seq: number;
  epoch: string;
}

/** Recurring sources with their settings, their state, and the result of their last run. */
export interface SourceTable {
  account_id: string;
  name: string;
  kind: 'pull' | 'watch';
  /** The text of a JSON object, without credentials. */
  settings: string;
  /** The text of a JSON object: where the next run continues. */
  state: string;
  /** A random token of the run that may write. */
  run: string;
  interval_ms: number | null;
  started_at: number;
  active_at: number;
  ended_at: number | null;
  succeeded_at: number | null;
  result: 'ok' | 'failed' | 'interrupted' | null;
  added: number;
  updated: number;
  unchanged: number;
  deleted: number;
  rejected: number;
  error: string | null;
}

/** The memories that a source added, with its own ids for them. */
export interface SourceMemoryTable {
  account_id: string;
  source: string;
  memory_id: string;
  item_id: string;
}

/** The files of watched folders as they were when they were last read. */
export interface WatchedFileTable {
  account_id: string;
  source: string;
  path: string;
  size: number;
  modified_at: number;
  /** The file's number on its disk, or another mark that changes with its contents. */
  marker: string;
  result: 'imported' | 'rejected' | 'skipped' | 'moved';
  reason: string | null;
  read_at: number;
}

/** The accounts that `copy` wrote, in a table that it creates. */
export interface CopyTable {
  account_id: string;
  /** The copy that writes the account, or wrote it last. */
  run: string;
  /** The hash of the account and its keys when its copy was complete; null if it is not. */
  left_as: string | null;
}

/** The memories that an import has seen so far, in a temporary table of its connection. */
export interface ImportedTable {
  account_id: string;
  memory_id: string;
  body_sha256: string;
}

/** The pages of the search index, by their segment. A table of FTS5. */
export interface SearchSegmentTable {
  segid: number;
}

/** Every term of the search index with its memory and position, in a temporary table of `verify`. */
export interface SearchWordTable {
  term: string;
  doc: number;
  offset: number;
}

/** The terms of the search index with the sums of their `doc` and `offset`, also temporary. */
export interface SearchTermTable {
  term: string;
  docs: number;
  offsets: number;
}

/** Temporary, for ranked search: each word of the index once, behind its label. */
export interface VocabularyTable {
  term: string;
  /** How many memories have it. */
  doc: number;
}

/** SQLite's own table of tables, indexes and triggers. */
export interface SchemaTable {
  type: string;
  name: string;
  sql: string | null;
}

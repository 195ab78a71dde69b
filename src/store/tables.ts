// Row types of sql/: the columns as Kysely sees them. Times are milliseconds since 1970.

import type { ColumnType, Generated } from 'kysely';

import type { Change } from '../contract/change.ts';
import type { Json } from '../contract/json.ts';
import type { Memory } from '../contract/memory.ts';

/** All tables. */
export interface Tables {
  accounts: AccountTable;
  api_keys: ApiKeyTable;
  memories: MemoryTable;
  search_weeks: SearchWeekTable;
  search: SearchTable;
  changes: ChangeTable;
  change_epochs: ChangeEpochTable;
  copies: CopyTable;
  imported: ImportedTable;
  search_words: SearchWordTable;
  search_terms: SearchTermTable;
  sqlite_schema: SchemaTable;
}

/** Whose memories are kept. */
export interface AccountTable {
  id: string;
  name: string;
  created_at: number;
  created_by: 'command line' | 'seed';
  disabled_at: number | null;
  revision: Generated<string>;
}

/** Which keys open an account. */
export interface ApiKeyTable {
  key_sha256: string;
  id: string;
  account_id: string;
  last_four: string;
  label: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
}

/** What is kept: `body` is the answer, the columns before it say the same for queries. */
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

/** The weeks in which accounts have memories; words are kept behind their labels. */
export interface SearchWeekTable {
  label: Generated<number>;
  account_id: string;
  week: number;
}

/** The words of memories, by `pk`; a column named as the table takes what is matched, and commands. */
export interface SearchTable {
  rowid: number;
  search: ColumnType<string, 'delete' | 'optimize' | undefined, never>;
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

/** Who wrote the changes from `first_seq` on: a name that no other time or account has. */
export interface ChangeEpochTable {
  account_id: string;
  first_seq: number;
  epoch: string;
}

/** Which accounts `copy` has put there, in a table that it makes. */
export interface CopyTable {
  account_id: string;
  /** Which copy writes the account, or was the last to. */
  run: string;
  /** The hash of the account and its keys as they were when it was whole; null where it is not. */
  left_as: string | null;
}

/** What an import has come by so far, in a table of its own connection. */
export interface ImportedTable {
  account_id: string;
  memory_id: string;
  body_sha256: string;
}

/** Temporary, where a file is verified: every word of the index, with its memory and its place in there. */
export interface SearchWordTable {
  term: string;
  doc: number;
  offset: number;
}

/** Temporary, too: the words of the index, with the sums of all their `doc` and `offset`. */
export interface SearchTermTable {
  term: string;
  docs: number;
  offsets: number;
}

/** SQLite's own: of what a database consists. */
export interface SchemaTable {
  type: string;
  name: string;
  sql: string | null;
}

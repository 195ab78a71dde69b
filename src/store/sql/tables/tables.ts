// All tables: what the rows of most are, as schemas, and the types of all for Kysely. Times are milliseconds since 1970.

import type { ColumnType, Generated } from 'kysely';
import * as v from 'valibot';

import type { Json } from '../../../contract/json.ts';
import { Label } from '../../../contract/schemas/label.ts';
import {
  AccountId,
  Change,
  MemoryId,
  Timestamp,
  type Memory,
} from '../../../contract/schemas/memory.ts';
import type { AppRow, appRows } from './app-tables.ts';
import { Count, hex, Ordinal, scopeColumns, SomeText, Time, Uuid } from './columns.ts';
import type { DetailTables } from './detail-tables.ts';
import { vectorRows } from './vector-tables.ts';

const SourceName = v.pipe(SomeText, v.maxLength(4096));
const JsonObject = v.pipe(
  v.string(),
  v.parseJson(),
  v.check((value) => !Array.isArray(value)),
  v.record(v.string(), v.unknown()),
);

/**
 * The rows of each table, by its name. They repeat the CHECK constraints of the schema: SQLite does not evaluate them on
 * reads, and a PostgreSQL constraint may have been dropped.
 */
export const rows = {
  accounts: v.strictObject({
    id: AccountId,
    name: Label,
    created_at: Time,
    created_by: v.picklist(['command line', 'seed']),
    disabled_at: v.nullable(Time),
    revision: hex(32),
  }),
  /** API keys, each of one account. */
  api_keys: v.strictObject({
    key_sha256: hex(64),
    id: AccountId, // an id that commands accept
    account_id: AccountId,
    last_four: v.pipe(v.string(), v.regex(/^[0-9A-Za-z]{4}$/)),
    label: Label,
    created_at: Time,
    expires_at: v.nullable(Time),
    revoked_at: v.nullable(Time),
    last_used_at: v.nullable(Time),
    ...scopeColumns,
  }),
  /** The latest change of every memory. */
  changes: v.strictObject({
    ...Change.entries,
    account_id: AccountId,
    seq: Ordinal,
    changed_at: v.pipe(
      Time,
      v.transform((time) => new Date(time).toISOString()),
      Timestamp,
    ),
  }),
  /** The epoch of the changes from `first_seq` on: a random name that is never used again. */
  change_epochs: v.strictObject({ account_id: AccountId, first_seq: Ordinal, epoch: hex(16) }),
  /** Recurring sources with their settings, their state, and the result of their last run. */
  sources: v.strictObject({
    account_id: AccountId,
    name: SourceName,
    kind: v.picklist(['pull', 'watch']),
    /** Without credentials. */
    settings: JsonObject,
    /** Where the next run continues. */
    state: JsonObject,
    /** A random token of the run that may write. */
    run: Uuid,
    interval_ms: v.nullable(Count),
    started_at: Time,
    active_at: Time,
    ended_at: v.nullable(Time),
    succeeded_at: v.nullable(Time),
    result: v.nullable(v.picklist(['ok', 'failed', 'interrupted'])),
    added: Count,
    updated: Count,
    unchanged: Count,
    deleted: Count,
    rejected: Count,
    error: v.nullable(v.string()),
  }),
  /** The memories that a source added, with its own ids for them. */
  source_memories: v.strictObject({
    account_id: AccountId,
    source: SourceName,
    memory_id: MemoryId,
    item_id: v.string(),
  }),
  /** The files of watched folders as they were when they were last read. */
  watched_files: v.strictObject({
    account_id: AccountId,
    source: SourceName,
    path: SomeText,
    size: Count,
    modified_at: Time,
    /** The file's number on its disk, or another mark that changes with its contents. */
    marker: v.string(),
    result: v.picklist(['imported', 'rejected', 'skipped', 'moved']),
    reason: v.nullable(v.string()),
    read_at: Time,
  }),
  ...vectorRows,
};

type Rows = { [T in keyof typeof rows]: v.InferInput<(typeof rows)[T]> };
type AppRows = { [T in keyof typeof appRows]: AppRow<T> };

/** All tables. */
export interface Tables extends Omit<Rows & AppRows & DetailTables, 'accounts' | 'account_events'> {
  accounts: AccountTable;
  account_events: WithGenerated<AppRows['account_events'], 'seq'>;
  memories: MemoryTable;
  memory_changes: MemoryChangeTable;
  vector_signs: VectorSignTable;
  vector_values: VectorValueTable;
  search_weeks: SearchWeekTable;
  search: SearchTable;
  search_idx: SearchSegmentTable;
  copies: CopyTable;
  imported: ImportedTable;
  search_words: SearchWordTable;
  search_terms: SearchTermTable;
  search_vocabulary: VocabularyTable;
  sqlite_schema: SchemaTable;
}

type WithGenerated<Row, Column extends keyof Row> = Omit<Row, Column> & {
  [C in Column]: Generated<Row[C]>;
};

/** Accounts. */
export type AccountTable = WithGenerated<Rows['accounts'], 'revision'>;

/** API keys. */
export type ApiKeyTable = Rows['api_keys'];

/** Changes. */
export type ChangeTable = Rows['changes'];

/** Sources. */
export type SourceTable = Rows['sources'];

/** The memories of sources. */
export type SourceMemoryTable = Rows['source_memories'];

/** The files of watched folders. */
export type WatchedFileTable = Rows['watched_files'];

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

/** What a write of a memory leaves behind, as a view of SQLite whose trigger does the rest. */
export type MemoryChangeTable = Pick<ChangeTable, 'account_id' | 'memory_id' | 'change'>;
/** The vectors of a memory's passages as one bit for each number, and what they were made of. */
export type VectorSignTable = Rows['vector_signs'];

/** The numbers of the same vectors. */
export type VectorValueTable = Rows['vector_values'];

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

/** The accounts that `copy` wrote, in a table that it creates. */
export interface CopyTable {
  account_id: string;
  /** The copy that writes the account, or wrote it last. */
  run: string;
  /** The hashes of the account when its copy was complete: of what `ownerDigest` covers, and of all; null if it is not. */
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

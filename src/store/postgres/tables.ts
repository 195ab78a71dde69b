// Row types of sql/postgres/: what PostgreSQL has beside, or in the place of, the tables of SQLite.

import type { Tables } from '../tables.ts';

/** All tables, and the functions that are read as tables are. */
export interface PostgresTables extends Omit<Tables, 'memories' | 'search_weeks'> {
  schema_versions: SchemaVersionTable;
  memories: Omit<Tables['memories'], 'pk'> & SearchedColumns;
  search_weeks: Tables['search_weeks'];
  'pg_temp.imported': Tables['imported'];
}

/** A migration that was applied. */
export interface SchemaVersionTable {
  version: number;
  name: string;
}

/** What memories are searched by. */
export interface SearchedColumns {
  /** All words in order, with spaces around each, and "_" between texts. */
  words: string;
  /** Each word once, behind its label; null where they are too many. */
  lexemes: string | null;
}

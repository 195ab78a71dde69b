// Row types of sql/: the columns as Kysely sees them. Times are milliseconds since 1970.

import type { Generated } from 'kysely';

import type { Json } from '../contract/json.ts';
import type { Memory } from '../contract/memory.ts';

/** All tables. */
export interface Tables {
  accounts: AccountTable;
  api_keys: ApiKeyTable;
  memories: MemoryTable;
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
  body: Json<Memory>;
}

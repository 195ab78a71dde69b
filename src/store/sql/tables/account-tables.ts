// The tables with rows of accounts, and what a copy to another database does with each.

/** How a copy treats a table: whether its digest of the `owner` covers the rows, that of the `rest`, none (`unhashed`), or whether it leaves the table out (`no`). */
export type Copied = 'owner' | 'rest' | 'unhashed' | 'no';

/**
 * A table that others refer to comes before them, and the copied ones stand in the order of their digest. `key` orders
 * the rows of an account. What only the app makes is not copied, except bookmarks and saved searches: everybody signs in
 * again, clients ask again, links to memories are shared again, and sources of the app, whose keys only the key file
 * beside the source opens, are set up again. Totals are not copied either: triggers sum them up.
 */
export const ACCOUNT_TABLES = {
  api_keys: { copied: 'owner', key: ['key_sha256'] },
  passkeys: { copied: 'owner', key: ['id'] },
  passwords: { copied: 'owner', key: ['hash'] },
  sources: { copied: 'owner', key: ['name'] },
  bookmarks: { copied: 'owner', key: ['memory_id'] },
  searches: { copied: 'owner', key: ['name'] },
  account_events: { copied: 'unhashed', key: ['seq'] },
  memories: { copied: 'rest', key: ['id'] },
  changes: { copied: 'rest', key: ['seq'] },
  change_epochs: { copied: 'rest', key: ['first_seq'] },
  source_memories: { copied: 'rest', key: ['source', 'memory_id'] },
  watched_files: { copied: 'rest', key: ['source', 'path'] },
  originals: { copied: 'rest', key: ['sha256'] },
  details: { copied: 'rest', key: ['memory_id'] },
  facet_totals: { copied: 'no', key: [] },
  facets: { copied: 'rest', key: ['memory_id', 'kind', 'folded'] },
  action_items: { copied: 'rest', key: ['memory_id', 'number'] },
  corrections: { copied: 'rest', key: ['id'] },
  deleted_memories: { copied: 'rest', key: ['memory_id'] },
  uncorrected: { copied: 'rest', key: ['memory_id'] },
  vector_signs: { copied: 'rest', key: ['memory_id'] },
  vector_values: { copied: 'rest', key: ['memory_id'] },
  search_weeks: { copied: 'no', key: [] },
  pulls: { copied: 'no', key: [] },
  shares: { copied: 'no', key: [] },
  key_reads: { copied: 'no', key: [] },
  grants: { copied: 'no', key: [] },
  grant_tokens: { copied: 'no', key: [] },
  sessions: { copied: 'no', key: [] },
  sign_in_links: { copied: 'no', key: [] },
  challenges: { copied: 'no', key: [] },
} as const satisfies Record<string, { readonly copied: Copied; readonly key: readonly string[] }>;

/** The name of a table with rows of accounts. */
export type AccountTableName = keyof typeof ACCOUNT_TABLES;

/** All of them but the memories, in the order in which rows can be inserted. */
export const OWNED_TABLES = (Object.keys(ACCOUNT_TABLES) as AccountTableName[]).filter(
  (table) => table !== 'memories',
);

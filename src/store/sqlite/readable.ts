// Readable: whether a database still has all tables and columns that memories are read by.

import type { Database } from 'better-sqlite3';

import { Refusal } from '../refusal.ts';
import { commandOn } from '../shell.ts';
import type { Tables } from '../tables.ts';

/** What the reads use; whatever else is missing, or is there, changes no answer. */
const USED: { readonly [T in keyof Tables]?: readonly (keyof Tables[T])[] } = {
  accounts: ['id', 'disabled_at', 'revision'],
  api_keys: ['key_sha256', 'account_id', 'last_four', 'created_at', 'expires_at', 'revoked_at'],
  memories: [
    ...(['pk', 'account_id', 'id', 'started_at', 'is_processing'] as const),
    ...(['body_sha256', 'slim_sha256', 'slim', 'body'] as const),
  ],
  search_weeks: ['label', 'account_id', 'week'],
  search: ['words'],
  changes: ['account_id', 'seq', 'memory_id', 'change', 'changed_at'],
  change_epochs: ['account_id', 'first_seq', 'epoch'],
};

/**
 * Makes the function that fails with `Refusal` where a table or a column is missing. It looks again
 * when the schema is another than that in which it last found all (measured: 0.3 ms, else 2 µs).
 */
export function readability(db: Database, path: string): () => void {
  let known: unknown;
  return () => {
    const now = db.pragma('schema_version', { simple: true }); // changes with every change of a table
    if (now === known) return;
    const missing = Object.entries(USED).flatMap(([table, columns]) => lacking(db, table, columns));
    if (missing.length > 0) throw gutted(path, missing);
    known = now;
  };
}

/** The columns that a table lacks, or the table itself. */
function lacking(db: Database, table: string, columns: readonly string[]): string[] {
  const found = db.pragma(`table_info(${table})`) as readonly { readonly name: string }[];
  if (found.length === 0) return [table];
  const names = new Set(found.map(({ name }) => name));
  return columns.filter((column) => !names.has(column)).map((column) => `${table}.${column}`);
}

function gutted(path: string, missing: readonly string[]): Refusal {
  return new Refusal(
    `${path} lacks ${missing.join(', ')}, which memories are read by; find what else is damaged with: ${commandOn(path, 'verify')}, and put a backup in its place with: ${commandOn(path, 'restore FILE')}`,
    { trouble: 'damaged' },
  );
}

// The queries of a copy, for both engines. Long tables are read in pages, in key order.

import { setImmediate as turn } from 'node:timers/promises';

import { memoryOf } from '../check/memories.ts';
import { matchesHash } from '../check/on-read.ts';
import { MEMORY_COLUMNS, toMemoryRow, type PreparedMemory, type MemoryRow } from '../memory-row.ts';
import { build, query, type Slot, type Statement } from '../sql/query.ts';
import type { AccountTable } from '../sql/tables.ts';

/** Rows per page read, and per statement written. */
export const PAGE_ROWS = 1000;

/** The key after which a page of an account begins. */
export interface AfterKey<Key> {
  readonly account_id: string;
  readonly after: Key;
}

/** The order of pages of an account. */
export interface PageOrder<Key, Found> {
  readonly account_id: string;
  /** The source, for tables of sources. */
  readonly source?: string;
  /** A key before all others. */
  readonly first: Key;
  readonly keyOf: (row: Found) => Key;
}

/** Reads all rows, page by page. */
export async function* eachPage<Key, Found>(
  statement: Statement<AfterKey<Key> & { source: string }, Found>,
  { account_id, source = '', first, keyOf }: PageOrder<Key, Found>,
): AsyncGenerator<readonly Found[], void, undefined> {
  let after = first;
  for (;;) {
    const rows = await statement.all({ account_id, source, after });
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = keyOf(last);
    await turn(); // SQLite is synchronous: without a turn, progress and signals would wait
  }
}

/** The columns of a memory's row without its bytes. */
export type MemoryFacts = Omit<MemoryRow, 'slim' | 'body'>;

/** Their names. */
export const FACT_COLUMNS = MEMORY_COLUMNS.filter(
  (column): column is keyof MemoryFacts => !isBytes(column),
);

function isBytes(column: keyof MemoryRow): boolean {
  return column === 'slim' || column === 'body';
}

/** Returns the facts of a row in a form that is equal on both engines. PostgreSQL stores U+0000 as U+2400. */
export function comparableFacts(row: MemoryFacts): (string | number)[] {
  return FACT_COLUMNS.map((fact) => {
    const value = row[fact];
    return typeof value === 'string' ? value.replaceAll('\0', '\u2400') : value;
  });
}

/** Prepares a memory for writing. Returns undefined if its bytes, hash and columns do not belong together. */
export function toCheckedMemory(
  row: MemoryFacts & Pick<MemoryRow, 'body'>,
): PreparedMemory | undefined {
  const memory = matchesHash(row.body, row.body_sha256) ? memoryOf(row) : undefined;
  if (memory?.user_id !== row.account_id) return undefined;
  const made = toMemoryRow(row.account_id, memory);
  const isSame = JSON.stringify(comparableFacts(made)) === JSON.stringify(comparableFacts(row));
  return isSame ? { row: made, memory } : undefined;
}

/** A row of `accounts`. */
export type CopiedAccount = Omit<AccountTable, 'revision'> & { readonly revision: string };

/** Counts all memories. */
export const total = query((_: Slot<object>) =>
  build.selectFrom('memories').select((eb) => eb.fn.countAll<number>().as('memories')),
);

/** Finds the accounts after an id. */
export const accounts = query((slot: Slot<AfterKey<string>>) =>
  build
    .selectFrom('accounts')
    .select(['id', 'name', 'created_at', 'created_by', 'disabled_at', 'revision'])
    .where('id', '>', slot('after'))
    .orderBy('id')
    .limit((eb) => eb.lit(PAGE_ROWS)),
);

/** Finds one account. */
export const account = query((slot: Slot<{ id: string }>) =>
  build
    .selectFrom('accounts')
    .select(['id', 'name', 'created_at', 'created_by', 'disabled_at', 'revision'])
    .where('id', '=', slot('id')),
);

/** Finds the keys of an account. */
export const keys = query((slot: Slot<{ account_id: string }>) =>
  build
    .selectFrom('api_keys')
    .select(['key_sha256', 'id', 'account_id', 'last_four', 'label'])
    .select(['created_at', 'expires_at', 'revoked_at', 'last_used_at'])
    .select(['reads', 'started_after', 'started_before'])
    .where('account_id', '=', slot('account_id'))
    .orderBy('key_sha256'),
);

/** Finds ids, hashes and sizes of the memories after an id. */
export const memoryKeys = query((slot: Slot<AfterKey<string>>) =>
  build
    .selectFrom('memories')
    .select((eb) => ['id', 'body_sha256', eb.fn<number>('octet_length', ['body']).as('bytes')])
    .where('account_id', '=', slot('account_id'))
    .where('id', '>', slot('after'))
    .orderBy('id')
    .limit((eb) => eb.lit(PAGE_ROWS)),
);

/** Finds memories with body and facts, from one id to another. The slim form is derived again. */
export const memories = query((slot: Slot<{ account_id: string; first: string; last: string }>) =>
  build
    .selectFrom('memories')
    .select([...FACT_COLUMNS, 'body'])
    .where('account_id', '=', slot('account_id'))
    .where('id', '>=', slot('first'))
    .where('id', '<=', slot('last'))
    .orderBy('id'),
);

/** Finds the facts of memories, with hashes that the database computes from the bytes. */
export const hashed = query((slot: Slot<AfterKey<string>>) =>
  build
    .selectFrom('memories')
    .select(FACT_COLUMNS)
    .select((eb) => [
      eb.fn<Uint8Array>('sha256', ['body']).as('body_hash'),
      eb.fn<Uint8Array>('sha256', ['slim']).as('slim_hash'),
    ])
    .where('account_id', '=', slot('account_id'))
    .where('id', '>', slot('after'))
    .orderBy('id')
    .limit((eb) => eb.lit(PAGE_ROWS)),
);

/** Finds the changes after a sequence number. */
export const changes = query((slot: Slot<AfterKey<number>>) =>
  build
    .selectFrom('changes')
    .select(['account_id', 'seq', 'memory_id', 'change', 'changed_at'])
    .where('account_id', '=', slot('account_id'))
    .where('seq', '>', slot('after'))
    .orderBy('seq')
    .limit((eb) => eb.lit(PAGE_ROWS)),
);

/** Finds the epochs after a sequence number. */
export const epochs = query((slot: Slot<AfterKey<number>>) =>
  build
    .selectFrom('change_epochs')
    .select(['account_id', 'first_seq', 'epoch'])
    .where('account_id', '=', slot('account_id'))
    .where('first_seq', '>', slot('after'))
    .orderBy('first_seq')
    .limit((eb) => eb.lit(PAGE_ROWS)),
);

/** Finds the sources of an account. */
export const sources = query((slot: Slot<{ account_id: string }>) =>
  build
    .selectFrom('sources')
    .select(['account_id', 'name', 'kind', 'settings', 'state', 'run', 'interval_ms'])
    .select(['started_at', 'active_at', 'ended_at', 'succeeded_at', 'result'])
    .select(['added', 'updated', 'unchanged', 'deleted', 'rejected', 'error'])
    .where('account_id', '=', slot('account_id'))
    .orderBy('name'),
);

/** Finds the memories that a source added, after an id. */
export const sourceMemories = query((slot: Slot<AfterKey<string> & { source: string }>) =>
  build
    .selectFrom('source_memories')
    .select(['account_id', 'source', 'memory_id', 'item_id'])
    .where('account_id', '=', slot('account_id'))
    .where('source', '=', slot('source'))
    .where('memory_id', '>', slot('after'))
    .orderBy('memory_id')
    .limit((eb) => eb.lit(PAGE_ROWS)),
);

/** Finds the files of a watched folder, after a path. */
export const watchedFiles = query((slot: Slot<AfterKey<string> & { source: string }>) =>
  build
    .selectFrom('watched_files')
    .select(['account_id', 'source', 'path', 'size', 'modified_at', 'marker'])
    .select(['result', 'reason', 'read_at'])
    .where('account_id', '=', slot('account_id'))
    .where('source', '=', slot('source'))
    .where('path', '>', slot('after'))
    .orderBy('path')
    .limit((eb) => eb.lit(PAGE_ROWS)),
);

/** Finds the passkeys of an account. */
export const passkeys = query((slot: Slot<{ account_id: string }>) =>
  build
    .selectFrom('passkeys')
    .select(['id', 'account_id', 'label', 'public_key', 'algorithm'])
    .select(['sign_count', 'created_at', 'last_used_at'])
    .where('account_id', '=', slot('account_id'))
    .orderBy('id'),
);

/** Finds the password of an account. */
export const passwords = query((slot: Slot<{ account_id: string }>) =>
  build
    .selectFrom('passwords')
    .select(['account_id', 'hash', 'set_at'])
    .where('account_id', '=', slot('account_id')),
);

/** Finds the log of an account. */
export const events = query((slot: Slot<{ account_id: string }>) =>
  build
    .selectFrom('account_events')
    .select(['account_id', 'at', 'kind', 'subject', 'agent'])
    .where('account_id', '=', slot('account_id'))
    .orderBy('seq'),
);

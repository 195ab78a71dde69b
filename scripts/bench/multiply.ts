// Fills accounts with copies of their memories, with other ids and times, without the search index, which takes most of the time.

import Database from 'better-sqlite3';

import { fromJson } from '../../src/contract/json.ts';
import type { Memory } from '../../src/contract/memory.ts';
import { MEMORY_COLUMNS, toMemoryRow, type MemoryRow } from '../../src/store/memory-row.ts';

/** The number of memories that an account gets. */
export interface Wanted {
  readonly id: string;
  readonly count: number;
}

const BATCH = 10_000;

/**
 * Copies the memories of accounts until the wanted number is reached. A copy starts between its
 * original and the next memory, so the file has its memories nearly in the order of time, as in
 * real use. Triggers are on, so the change feed has every copy.
 */
export function multiply(
  path: string,
  accounts: readonly Wanted[],
  progress: (made: number) => void,
): void {
  const db = new Database(path);
  // The file is not in use yet, so a file from a crash is deleted.
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -262144');
  let made = 0;
  for (const account of accounts) {
    const rows = read(db, account.id);
    made += rows.length;
    const insert = prepareInsert(db);
    const writeAll = db.transaction((batch: readonly MemoryRow[]) =>
      batch.forEach((row) => insert(row)),
    );
    for (const batch of batched(copies(rows, account.count - rows.length), BATCH)) {
      writeAll(batch);
      progress((made += batch.length));
    }
  }
  db.pragma('journal_mode = WAL');
  db.close();
}

function read(db: Database.Database, account: string): MemoryRow[] {
  const sql = `SELECT ${MEMORY_COLUMNS.join()} FROM memories WHERE account_id = ? ORDER BY started_at, id`;
  return db.prepare(sql).all(account) as MemoryRow[];
}

function prepareInsert(db: Database.Database): (row: MemoryRow) => void {
  const slots = MEMORY_COLUMNS.map((column) => `:${column}`);
  const held = db.prepare(
    `INSERT INTO memories (${MEMORY_COLUMNS.join()}) VALUES (${slots.join()})`,
  );
  return (values) => held.run(values);
}

/** Copies rows as often as needed. */
function* copies(rows: readonly MemoryRow[], count: number): Generator<MemoryRow> {
  const each = Math.ceil(count / rows.length);
  let left = count;
  for (const [i, row] of rows.entries()) {
    const gap = Math.max(0, (rows[i + 1]?.started_at ?? row.started_at) - row.started_at);
    const memory = fromJson(row.body);
    for (let n = 1; n <= each && left > 0; n++, left--) {
      yield copy(row, memory, { id: `${memory.id}-${n}`, ms: Math.floor((gap * n) / (each + 1)) });
    }
  }
}

function copy(row: MemoryRow, memory: Memory, { id, ms }: { id: string; ms: number }): MemoryRow {
  const started_at = row.started_at + ms;
  const ended_at = Date.parse(memory.ended_at) + ms;
  return toMemoryRow(row.account_id, {
    ...memory,
    id,
    started_at: new Date(started_at).toISOString(),
    ended_at: new Date(ended_at).toISOString(),
  });
}

function* batched<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    if (batch.push(item) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

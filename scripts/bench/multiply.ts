// Fills up accounts with copies of their memories, under other ids and times: the search index is left out, as it takes most of the time.

import Database from 'better-sqlite3';

import { fromJson } from '../../src/contract/json.ts';
import type { Memory } from '../../src/contract/memory.ts';
import { COLUMNS, toRow, type Row } from '../../src/store/rows.ts';

/** How many memories an account is to have. */
export interface Wanted {
  readonly id: string;
  readonly count: number;
}

const BATCH = 10_000;

/**
 * Copies the memories of accounts until there are as many as wanted. A copy starts between its
 * original and the next, so that the file has its memories nearly in the order of time, as life
 * writes them. Triggers are on: the feed of changes has every copy.
 */
export function multiply(
  path: string,
  accounts: readonly Wanted[],
  progress: (made: number) => void,
): void {
  const db = new Database(path);
  // Nobody else knows the file yet: what a crash leaves is thrown away.
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -262144');
  let made = 0;
  for (const account of accounts) {
    const rows = read(db, account.id);
    made += rows.length;
    const insert = prepareInsert(db);
    const writeAll = db.transaction((batch: readonly Row[]) => batch.forEach((row) => insert(row)));
    for (const batch of batched(copies(rows, account.count - rows.length), BATCH)) {
      writeAll(batch);
      progress((made += batch.length));
    }
  }
  db.pragma('journal_mode = WAL');
  db.close();
}

function read(db: Database.Database, account: string): Row[] {
  const sql = `SELECT ${COLUMNS.join()} FROM memories WHERE account_id = ? ORDER BY started_at, id`;
  return db.prepare(sql).all(account) as Row[];
}

function prepareInsert(db: Database.Database): (row: Row) => void {
  const slots = COLUMNS.map((column) => `:${column}`);
  const held = db.prepare(`INSERT INTO memories (${COLUMNS.join()}) VALUES (${slots.join()})`);
  return (values) => held.run(values);
}

/** Copies of rows, as many of each as it takes. */
function* copies(rows: readonly Row[], count: number): Generator<Row> {
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

function copy(row: Row, memory: Memory, { id, ms }: { id: string; ms: number }): Row {
  const started_at = row.started_at + ms;
  const ended_at = Date.parse(memory.ended_at) + ms;
  return toRow(row.account_id, {
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

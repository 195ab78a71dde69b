// Fills accounts with copies of their memories, with other ids and times, and everything that a write leaves.

import { hash } from 'node:crypto';

import Database from 'better-sqlite3';

import { fromJson, type Json } from '../../src/contract/json.ts';
import type { Memory } from '../../src/contract/schemas/memory.ts';
import { MEMORY_COLUMNS, type StoredMemory } from '../../src/store/import/memory-row.ts';
import { weekOf } from '../../src/store/search/weeks.ts';
import { indexTermsOf } from '../../src/store/sqlite/search/search.ts';

/** The number of memories that an account gets. */
export interface Wanted {
  readonly id: string;
  readonly count: number;
}

const BATCH = 10_000;

/**
 * Copies the memories of accounts until the wanted number is reached. A copy starts between its
 * original and the next memory, so the file has its memories nearly in the order of time, as in
 * real use.
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
  // What a trigger and an index cost for each row, one statement does for all at the end.
  const left = putAside(db, ['memories_inserted', 'memories_by_time', 'memories_by_state']);
  const index = createIndex(db);
  const insert = prepareInsert(db);
  const feed = createFeed(db);
  let made = 0;
  for (const { id, count } of accounts) {
    const rows = read(db, id);
    made += rows.length;
    const change = feed(id);
    const writeAll = db.transaction((batch: readonly Copied[]) => {
      for (const { row, original, memory } of batch) {
        index.add(Number(insert(row)), row, { original, memory });
        change(row.id);
      }
    });
    for (const batch of batched(copies(rows, count - rows.length), BATCH)) {
      writeAll(batch);
      progress((made += batch.length));
    }
  }
  for (const sql of left) db.exec(sql);
  index.end();
  db.pragma('journal_mode = WAL');
  db.close();
}

/** Drops triggers and indexes. Returns the statements that create them again. */
function putAside(db: Database.Database, names: readonly string[]): string[] {
  return names.map((name) => {
    const found = db.prepare('SELECT type, sql FROM sqlite_schema WHERE name = ?').get(name);
    const { type, sql } = found as { type: string; sql: string };
    db.exec(`DROP ${type} ${name}`);
    return sql;
  });
}

/** Writes the feed of changes, as the trigger would. */
function createFeed(db: Database.Database) {
  const findLast = db.prepare(
    'SELECT seq, changed_at FROM changes WHERE account_id = ? ORDER BY seq DESC LIMIT 1',
  );
  const add = db.prepare('INSERT INTO changes VALUES (?, ?, ?, ?, ?)');
  return (account: string) => {
    const last = findLast.get(account) as { seq: number; changed_at: number };
    let { seq } = last;
    return (id: string) => void add.run(account, ++seq, id, 'upsert', last.changed_at);
  };
}

/**
 * Writes the search index. Nearly all copies of a memory are in its week and have its words, so
 * their terms are made once.
 */
function createIndex(db: Database.Database) {
  const set = (hashsize: number, automerge: number) =>
    db.exec(
      `INSERT INTO search (search, rank) VALUES ('hashsize', ${hashsize}), ('automerge', ${automerge})`,
    );
  set(67_108_864, 0);
  const findLabel = db.prepare('SELECT label FROM search_weeks WHERE account_id = ? AND week = ?');
  const addWeek = db.prepare('INSERT INTO search_weeks (account_id, week) VALUES (?, ?)');
  const add = db.prepare('INSERT INTO search (rowid, words) VALUES (?, CAST(? AS TEXT))');
  let last = { original: '', week: Number.NaN, terms: Buffer.alloc(0) };

  function labelOf(account: string, week: number): number {
    const found = findLabel.pluck().get(account, week) as number | undefined;
    return found ?? Number(addWeek.run(account, week).lastInsertRowid);
  }

  return {
    add(pk: number, row: StoredMemory, { original, memory }: Pick<Copied, 'original' | 'memory'>) {
      const week = weekOf(row.started_at);
      if (original !== last.original || week !== last.week) {
        const terms = indexTermsOf(labelOf(row.account_id, week), memory);
        last = { original, week, terms };
      }
      add.run(pk, last.terms);
    },
    end(): void {
      db.exec(`INSERT INTO search (search) VALUES ('optimize')`);
      // The defaults of FTS5 again, because the file keeps its settings.
      set(1_048_576, 4);
    },
  };
}

function read(db: Database.Database, account: string): StoredMemory[] {
  const sql = `SELECT ${MEMORY_COLUMNS.join()} FROM memories WHERE account_id = ? ORDER BY started_at, id`;
  return db.prepare(sql).all(account) as StoredMemory[];
}

function prepareInsert(db: Database.Database): (row: StoredMemory) => number | bigint {
  const slots = MEMORY_COLUMNS.map(() => '?');
  const held = db.prepare(
    `INSERT INTO memories (${MEMORY_COLUMNS.join()}) VALUES (${slots.join()})`,
  );
  return (row) => held.run(MEMORY_COLUMNS.map((column) => row[column])).lastInsertRowid;
}

interface Copied {
  readonly row: StoredMemory;
  /** The id of the memory that was copied, and that memory. */
  readonly original: string;
  readonly memory: Memory;
}

/** Copies rows as often as needed. */
function* copies(rows: readonly StoredMemory[], count: number): Generator<Copied> {
  const each = Math.ceil(count / rows.length);
  let left = count;
  for (const [i, row] of rows.entries()) {
    const gap = Math.max(0, (rows[i + 1]?.started_at ?? row.started_at) - row.started_at);
    const memory = fromJson(row.body);
    const copy = copierOf(row, memory);
    for (let n = 1; n <= each && left > 0; n++, left--) {
      const ms = Math.floor((gap * n) / (each + 1));
      yield { row: copy(`${memory.id}-${n}`, ms), original: memory.id, memory };
    }
  }
}

/** Returns a function that copies a row under another id, some milliseconds later. */
function copierOf(row: StoredMemory, { id, started_at, ended_at }: Memory) {
  // To copy bytes takes a twentieth of the time of serialising the memory again.
  const own = [id, started_at, ended_at].map((value) => JSON.stringify(value));
  const slim = split(row.slim, own);
  const body = split(row.body, own);
  const ends = Date.parse(ended_at);

  return (copied: string, ms: number): StoredMemory => {
    const times = [row.started_at + ms, ends + ms].map((time) => new Date(time).toISOString());
    const put = [copied, ...times].map((value) => Buffer.from(JSON.stringify(value)));
    const newSlim = join<Partial<Memory>>(slim, put);
    const newBody = join<Memory>(body, put);
    return {
      ...row,
      id: copied,
      started_at: row.started_at + ms,
      ended_at: ends + ms,
      body_sha256: hash('sha256', newBody),
      slim_sha256: hash('sha256', newSlim),
      slim: newSlim,
      body: newBody,
    };
  };
}

/** Splits bytes around values that come in this order, each for the first time. */
function split(bytes: Uint8Array, values: readonly string[]): Buffer[] {
  const parts: Buffer[] = [];
  let rest = Buffer.from(bytes);
  for (const value of values) {
    const at = rest.indexOf(value);
    if (at < 0) throw new Error(`a memory has no ${value} where it is expected`);
    parts.push(rest.subarray(0, at));
    rest = rest.subarray(at + value.length);
  }
  return [...parts, rest];
}

/** The bytes between the values are JSON, and so are the values. */
function join<T>(parts: readonly Buffer[], values: readonly Buffer[]): Json<T> {
  return Buffer.concat(
    parts.flatMap((part, i) => [part, values[i] ?? NOTHING]),
  ) as Uint8Array as Json<T>;
}

const NOTHING = Buffer.alloc(0);

function* batched<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    if (batch.push(item) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

// Overwrites pages of a database file, as a faulty disk would.

import { closeSync, openSync, writeSync } from 'node:fs';

import Database from 'better-sqlite3';

/** The page size of a database, and the numbers of its used pages. */
export function pagesOf(database: string) {
  const db = new Database(database);
  const pages = db.prepare<[], number>('SELECT DISTINCT pageno FROM dbstat').pluck().all();
  const pageSize = Number(db.pragma('page_size', { simple: true }));
  db.close();
  return { pageSize, used: new Set(pages) };
}

/** Writes bytes into a file at an offset. */
export function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

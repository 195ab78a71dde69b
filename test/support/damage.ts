// Damage: pages of a database file, and bytes written over them, as a bad disk would.

import { closeSync, openSync, writeSync } from 'node:fs';

import Database from 'better-sqlite3';

/** How long the pages of a database are, and the numbers of those that are in use. */
export function pagesOf(database: string) {
  const db = new Database(database);
  const pages = db.prepare<[], number>('SELECT DISTINCT pageno FROM dbstat').pluck().all();
  const pageSize = Number(db.pragma('page_size', { simple: true }));
  db.close();
  return { pageSize, used: new Set(pages) };
}

/** Writes bytes over a file, at a place in it. */
export function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

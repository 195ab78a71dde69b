// The data access of every peer: the same file, a table with ordinary columns, and prepared statements.

import { hash } from 'node:crypto';

import Database from 'better-sqlite3';

const [, , port, file] = process.argv;

const db = new Database(file, { readonly: true });
db.pragma('cache_size = -16384'); // like the gateway

const key = db.prepare(
  'SELECT account_id, expires_at, revoked_at FROM api_keys WHERE key_sha256 = ?',
);
const one = db.prepare('SELECT * FROM plain_memories WHERE account_id = ? AND id = ?');
const page = db.prepare(
  'SELECT * FROM plain_memories WHERE account_id = ? ORDER BY started_at DESC, id DESC LIMIT ?',
);

const matching = db.prepare(`
  SELECT m.* FROM plain_fts5 JOIN plain_memories AS m ON m.rowid = plain_fts5.rowid
  WHERE plain_fts5 MATCH ? AND account_id = ?
  ORDER BY started_at DESC, id DESC LIMIT ?`);
const best = db.prepare(`
  SELECT m.id, m.name, started_at, snippet(plain_fts5, -1, '', '', '…', 64) AS text
  FROM plain_fts5 JOIN plain_memories AS m ON m.rowid = plain_fts5.rowid
  WHERE plain_fts5 MATCH ? AND account_id = ?
  ORDER BY rank LIMIT ?`);

/** The port to listen on. */
export const listening = { port: Number(port), hostname: '127.0.0.1', host: '127.0.0.1' };

/** Returns the account of the key in a header, or undefined. */
export function accountOf(authorization = '') {
  const [, text] = /^Bearer (\S+)$/i.exec(authorization) ?? [];
  const found = text && key.get(hash('sha256', text));
  if (!found || found.revoked_at !== null) return undefined;
  if (found.expires_at !== null && found.expires_at <= Date.now()) return undefined;
  return found.account_id;
}

/** Returns one memory of an account, or undefined. */
export function memoryOf(account_id, id) {
  const row = one.get(account_id, id);
  return row && toMemory(row);
}

/** Returns the newest memories of an account. */
export function memoriesOf(account_id, limit) {
  return page.all(account_id, limit).map(toMemory);
}

/** Returns the newest memories of an account that have all of some words. */
export function matchesOf(account_id, words, limit) {
  return matching.all(quoted(words).join(' '), account_id, limit).map(toMemory);
}

/** Returns the best passages for any of some words, because the gateway's search takes any as well. */
export function passagesOf(account_id, words, limit) {
  return best.all(quoted(words).join(' OR '), account_id, limit);
}

/** Quotes words for FTS5, so that every word stands for itself. */
function quoted(words) {
  return words.split(/\s+/).map((word) => `"${word.replaceAll('"', '""')}"`);
}

function toMemory(row) {
  return {
    id: row.id,
    name: row.name,
    started_at: row.started_at,
    ended_at: row.ended_at,
    is_processing: row.is_processing === 1,
    user_id: row.account_id,
    duration_seconds: row.duration_seconds,
    summary: {
      quick_summary: row.quick_summary,
      key_takeaways: JSON.parse(row.key_takeaways),
    },
    transcript: row.transcript,
  };
}

// Backs up a database while others use it: one snapshot, verified, in one file.

import { createHash } from 'node:crypto';
import { createReadStream, existsSync, realpathSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import type { Database } from 'better-sqlite3';

import { commandOn } from '../../address.ts';
import { createFileAsync } from '../../files/atomic-file.ts';
import type { BackedUp, BackupOptions } from '../../files/database-file.ts';
import { withoutProgress, type Stage } from '../../progress.ts';
import { Refusal } from '../../refusal.ts';
import { verifyFile } from '../check/verify.ts';
import { explainSqlite, isMissing, openFile } from '../connection.ts';
import { inSnapshot } from '../snapshot.ts';
import { dropSessions } from './drop-sessions.ts';
import { copyPages } from './page-copy.ts';
import { isDatabaseFile } from './paths.ts';

/** A backup of a database. */
export interface Backup extends BackupOptions {
  readonly database: string;
}

/** Writes a backup and verifies it before it gets its name. Rejects with `Refusal`. */
export async function backUp(options: Backup): Promise<BackedUp> {
  const { database, file, overwrite = false, stage = withoutProgress } = options;
  const db = openFile(database, 'visit');
  try {
    requireOtherFile(database, file, overwrite);
    // Replaces the file that a link leads to, never the link.
    const place = overwrite && existsSync(file) ? realpathSync(file) : file;
    requireNoLog(place);
    const where = overwrite ? 'replace' : 'refuse';
    return await createFileAsync(place, { where }, async (draft) => {
      const at = await copySnapshot(db, draft, { stage, edit: dropSessions });
      const { memories, accounts, findings } = await verifyFile(draft, stage);
      if (findings.length > 0) throw unverified(database);
      return { at, memories, accounts, bytes: statSync(draft).size, sha256: await hashFile(draft) };
    });
  } finally {
    db.close();
  }
}

/** How a snapshot is copied. */
export interface SnapshotCopy {
  readonly stage: Stage;
  /** Edits the copy before it is complete. */
  readonly edit?: (copy: Database) => void;
}

/**
 * Copies a snapshot into a new file without a -wal, so that it can be read in a read-only folder.
 * Returns the time of the snapshot, in milliseconds since 1970.
 */
export async function copySnapshot(
  db: Database,
  draft: string,
  { stage, edit }: SnapshotCopy,
): Promise<number> {
  const at = await inSnapshot(db, async (now) => {
    await copyPages(db, draft, { stage });
    return now;
  });
  const copy = openFile(draft, 'create'); // its schema may be older
  try {
    edit?.(copy);
    copy.pragma('journal_mode = DELETE');
  } catch (error) {
    throw explainSqlite(error, db.name); // the copy has the damage of the original
  } finally {
    copy.close();
  }
  return at;
}

/** Returns whether two paths lead to the same file, also through links. */
export function isSameFile(one: string, other: string): boolean {
  if (!existsSync(one) || !existsSync(other)) return false;
  const [a, b] = [statSync(one, { bigint: true }), statSync(other, { bigint: true })];
  return a.dev === b.dev && a.ino === b.ino;
}

/** Throws `Refusal` if there is a log next to a path: SQLite would apply it to a new file of that name. */
export function requireNoLog(path: string): void {
  const log = logBeside(path);
  if (log === undefined) return;
  throw new Refusal(`${log} belongs to another database; move it away first.`);
}

/** Returns the path of a log of SQLite beside a file. */
export function logBeside(path: string): string | undefined {
  return ['-journal', '-wal'].map((end) => path + end).find((each) => existsSync(each));
}

function requireOtherFile(database: string, file: string, overwrite: boolean): void {
  if (isSameFile(database, file))
    throw new Refusal(`${file} is the database itself; give the backup another name.`);
  if (isDatabaseFile(database, file))
    throw new Refusal(`${file} belongs to the database; give the backup another name.`);
  if (!isMissing(file) && !overwrite)
    throw new Refusal(`${file} exists already; give another name, or add --overwrite.`);
}

function unverified(database: string): Refusal {
  return new Refusal(
    `${database} does not verify, so there is no backup of it; see what is wrong with: ${commandOn(database, 'verify')}`,
  );
}

/** Returns the SHA-256 of a file, in hex. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

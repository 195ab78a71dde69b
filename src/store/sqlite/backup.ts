// Backs up a database that others read and write: one state of it, verified, in one file.

import { createHash } from 'node:crypto';
import { createReadStream, existsSync, realpathSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import type { Database } from 'better-sqlite3';

import { Refusal } from '../refusal.ts';
import { commandOn } from '../shell.ts';
import { unwatched, type Stage } from '../stage.ts';
import type { Verified } from '../verify.ts';
import { belongsTo } from './beside.ts';
import { copyInto } from './copy.ts';
import { createSafely } from './create.ts';
import { isMissing, openFile } from './file.ts';
import { inSnapshot } from './snapshot.ts';
import { verifyFile } from './verify.ts';

/** What is backed up, and where. */
export interface BackupOptions {
  readonly database: string;
  readonly file: string;
  /** Whether a file of that name is replaced. */
  readonly overwrite?: boolean;
  readonly stage?: Stage;
}

/** A backup, and what is in it. */
export interface BackedUp extends Pick<Verified, 'at' | 'memories' | 'accounts'> {
  readonly bytes: number;
  readonly sha256: string;
}

/** Writes a backup that is verified before it gets its name. Fails with `Refusal`. */
export async function backUp(options: BackupOptions): Promise<BackedUp> {
  const { database, file, overwrite = false, stage = unwatched } = options;
  const db = openFile(database, 'read');
  try {
    requireRoom(database, file, overwrite);
    // What a link leads to is replaced, never the link.
    const place = overwrite && existsSync(file) ? realpathSync(file) : file;
    requireNoLog(place);
    const where = overwrite ? 'replace' : 'refuse';
    return await createSafely(place, { where }, async (draft) => {
      const at = await snapshotInto(db, draft, stage);
      const { memories, accounts, findings } = await verifyFile(draft, stage);
      if (findings.length > 0) throw unwell(database);
      return { at, memories, accounts, bytes: statSync(draft).size, sha256: await hashOf(draft) };
    });
  } finally {
    db.close();
  }
}

/**
 * Copies the state of now into a new file, which needs no -wal and so can be read where nothing can
 * be written. Returns when that now was.
 */
export async function snapshotInto(db: Database, draft: string, stage: Stage): Promise<number> {
  const at = await inSnapshot(db, async (now) => {
    await copyInto(db, draft, { stage });
    return now;
  });
  const copy = openFile(draft, 'create'); // of an older schema, perhaps
  try {
    copy.pragma('journal_mode = DELETE');
  } finally {
    copy.close();
  }
  return at;
}

/** Tells whether two names are of one file, also through links. */
export function isSameFile(one: string, other: string): boolean {
  if (!existsSync(one) || !existsSync(other)) return false;
  const [a, b] = [statSync(one, { bigint: true }), statSync(other, { bigint: true })];
  return a.dev === b.dev && a.ino === b.ino;
}

/** Fails with `Refusal` where a log of writes lies beside a name: SQLite would take it for that of a new file there. */
export function requireNoLog(path: string): void {
  const log = ['-wal', '-journal'].map((end) => path + end).find((each) => existsSync(each));
  if (log === undefined) return;
  throw new Refusal(`${log} is of another database; move it away first.`);
}

function requireRoom(database: string, file: string, overwrite: boolean): void {
  if (isSameFile(database, file))
    throw new Refusal(`${file} is the database itself; give the backup another name.`);
  if (belongsTo(database, file))
    throw new Refusal(`${file} belongs to the database; give the backup another name.`);
  if (!isMissing(file) && !overwrite)
    throw new Refusal(`There is a file ${file} already; give another name, or --overwrite.`);
}

function unwell(database: string): Refusal {
  return new Refusal(
    `${database} does not verify, so there is no backup of it; see what is wrong with: ${commandOn(database, 'verify')}`,
  );
}

/** The SHA-256 of a file, in hex. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

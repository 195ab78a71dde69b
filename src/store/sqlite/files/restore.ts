// Restores a backup into a database that may be in use: all of it at once, or nothing.

import { realpathSync, rmSync } from 'node:fs';

import type { Database } from 'better-sqlite3';

import { createFileAsync, type CreateOptions } from '../../files/atomic-file.ts';
import type { Restored, RestoreOptions } from '../../files/database-file.ts';
import { withoutProgress, type Stage } from '../../progress.ts';
import { Refusal } from '../../refusal.ts';
import { verifyConnection } from '../check/verify.ts';
import { isDamage, isMissing, openFile } from '../connection.ts';
import { inSnapshot } from '../snapshot.ts';
import { truncateWal } from '../writer.ts';
import { isSameFile, logBeside, requireNoLog } from './backup.ts';
import { dropSessions } from './drop-sessions.ts';
import { copyPages } from './page-copy.ts';
import { keepDatabase, keepSafetyCopy, putBackDatabase, safetyCopyName } from './safety-copy.ts';

/** A restore into a database. */
export interface Restore extends RestoreOptions {
  readonly database: string;
}

interface Outcome extends Pick<Restored, 'kept' | 'isNewFile'> {}

/** Restores a backup that verifies. If it rejects with `Refusal`, the database is unchanged. */
export async function restore(options: Restore): Promise<Restored> {
  const { file, database, stage = withoutProgress } = options;
  if (isSameFile(file, database))
    throw new Refusal(`${file} is the database itself; name a backup of it.`);
  const source = openBackup(file);
  try {
    return await inSnapshot(source, async (at) => {
      const verified = await verifyConnection(source, { at, stage });
      const isWell = verified.findings.length === 0;
      const outcome = isWell
        ? await restoreFrom(source, options)
        : { kept: undefined, isNewFile: false };
      return { ...verified, ...outcome };
    });
  } finally {
    source.close();
  }
}

function openBackup(file: string): Database {
  try {
    return openFile(file, 'restore');
  } catch (error) {
    const log = logBeside(file);
    if (log === undefined || !(error instanceof Refusal) || error.code !== 'denied') throw error;
    throw new Refusal(
      `${file} cannot be used with ${log} beside it; move that away, or let this user write in the folder if it belongs to the file.`,
      { code: 'denied', cause: error },
    );
  }
}

async function restoreFrom(source: Database, options: Restore): Promise<Outcome> {
  const { database: name, stage = withoutProgress } = options;
  if (isMissing(name)) {
    await createNew(source, name, { stage });
    return { kept: undefined, isNewFile: true };
  }
  const database = realpathSync(name); // its log lies next to the file, not the link
  try {
    return { kept: await overwritePages(source, { ...options, database }), isNewFile: false };
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  return { kept: await replaceFile(source, database, stage), isNewFile: true };
}

/** Replaces a file that SQLite cannot open. The old file gets another name at the last moment. Returns that. */
async function replaceFile(source: Database, database: string, stage: Stage): Promise<string> {
  const kept = safetyCopyName({ database, before: 'restore' });
  try {
    await createNew(source, database, { stage, beforeRename: () => keepDatabase(database, kept) });
  } catch (error) {
    putBackDatabase(database, kept);
    throw error;
  }
  return kept;
}

interface NewOptions extends Pick<CreateOptions, 'beforeRename'> {
  readonly stage: Stage;
}

async function createNew(
  source: Database,
  path: string,
  { stage, beforeRename }: NewOptions,
): Promise<void> {
  if (beforeRename === undefined) requireNoLog(path);
  const where = beforeRename === undefined ? 'refuse' : 'replace';
  await createFileAsync(path, { where, beforeRename }, async (draft) => {
    await copyPages(source, draft, { stage });
    const copy = openFile(draft, 'write'); // sets WAL mode
    try {
      dropSessions(copy);
      truncateWal(copy);
    } finally {
      copy.close();
    }
  });
}

/** Overwrites the pages of the present file, so that programs that have it open see the change. Returns the path of the safety copy. */
async function overwritePages(
  source: Database,
  { database, discard = false, stage }: Restore,
): Promise<string | undefined> {
  const live = openFile(database, 'migrate'); // also an older schema, which is replaced
  try {
    requireSamePages(source, live, database);
    let kept: string | undefined;
    // The safety copy is made while others cannot write, so that no commit is lost.
    const beforeFirst = async (): Promise<void> => {
      if (!discard) kept = await keepSafetyCopy(live, { database, before: 'restore' });
    };
    try {
      await copyPages(source, database, { ...(stage && { stage }), beforeFirst });
    } catch (error) {
      if (kept !== undefined) rmSync(kept, { force: true });
      throw error;
    }
    // A backup has no sessions, but a safety copy or a copied file has.
    dropSessions(live);
    truncateWal(live);
    return kept;
  } finally {
    live.close();
  }
}

function requireSamePages(source: Database, live: Database, database: string): void {
  const [from, into] = [source, live].map((db) => Number(db.pragma('page_size', { simple: true })));
  if (from === into) return;
  throw new Refusal(
    `The backup has pages of ${from} bytes, and ${database} of ${into}; stop what serves it, move it away and restore again.`,
  );
}

// Safety copies: a database from before a restore or a migration, and other leftovers next to it.

import {
  chownSync,
  existsSync,
  linkSync,
  renameSync,
  rmSync,
  statSync,
  readdirSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

import type { Database } from 'better-sqlite3';

import { createFileAsync } from '../../files/atomic-file.ts';
import type { Leftovers } from '../../files/database-file.ts';
import { isMakerRunning, isTemporary } from '../../files/temporary.ts';
import { withoutProgress, type Stage } from '../../progress.ts';
import { Refusal } from '../../refusal.ts';
import { hashFile, copySnapshot } from './backup.ts';

const KEPT = /\.before-(restore|migrate)-\w+(-wal|-shm|-journal)?$/;

/**
 * Finds the files that commands left next to a database: its safety copies, and the temporary files of
 * ended processes, also those of backups and exports. Throws if the folder cannot be read.
 */
export function findLeftovers(database: string): Leftovers {
  const folder = dirname(database);
  const names = readdirSync(folder);
  const isOwn = (name: string) => name.startsWith(`${basename(database)}.`);
  const drafts = names.filter((name) => isTemporary(name, isOwn(name)) && !isMakerRunning(name));
  const kept = names.filter((name) => isOwn(name) && KEPT.test(name));
  const toPath = (name: string) => join(folder, name);
  return { drafts: drafts.map(toPath), kept: kept.map(toPath) };
}

/** Which database is copied, and before what. */
export interface SafetyCopyOptions {
  readonly database: string;
  readonly before: 'restore' | 'migrate';
  readonly stage?: Stage | undefined;
}

/** Returns the path of a safety copy that is made now. */
export function safetyCopyName({ database, before }: SafetyCopyOptions): string {
  const now = new Date().toISOString().replaceAll(/[-:.]/g, '');
  return `${database}.before-${before}-${now}`;
}

/**
 * Copies what a connection sees of a database to a file next to it. The caller must hold the write lock.
 * Returns the path. Rejects with `Refusal`.
 *
 * A supervisor such as systemd may kill and restart a migration forever, so leftovers must not pile up.
 * Temporary files of others are stale, as only one program can hold the lock: they are deleted. A copy
 * gets its name before the commit, so that a crash cannot lose it. An older copy is deleted once a newer
 * one has the same bytes.
 */
export async function keepSafetyCopy(live: Database, keeping: SafetyCopyOptions): Promise<string> {
  const { database, before, stage = withoutProgress } = keeping;
  const kept = safetyCopyName(keeping);
  try {
    const isSafetyCopy = (path: string) => path.startsWith(`${database}.before-`);
    await removeIf(findLeftovers(database).drafts, isSafetyCopy);
    await createFileAsync(kept, { where: 'refuse' }, async (draft) => {
      await copySnapshot(live, draft, { stage });
      copyOwner(database, draft);
      // The safety copies of restores stay: one of them may be the backup that is restored.
      if (before === 'migrate') await removeSame(draft, database);
    });
    return kept;
  } catch (error) {
    throw explainNoRoom(error, keeping);
  }
}

/** Gives a draft the owner of the database, so that a service can use a copy that root made. */
function copyOwner(database: string, draft: string): void {
  const [own, { uid, gid }] = [statSync(draft), statSync(database)];
  if (own.uid === uid && own.gid === gid) return;
  try {
    chownSync(draft, uid, gid);
  } catch {
    // Only root can do that. Otherwise the copy belongs to a user who can read and write the database.
  }
}

/** Removes the safety copies of earlier migrations that have the same bytes as a draft. */
async function removeSame(draft: string, database: string): Promise<void> {
  const { size } = statSync(draft);
  await removeIf(findLeftovers(database).kept, async (path) => {
    if (!path.startsWith(`${database}.before-migrate-`) || statSync(path).size !== size)
      return false;
    return (await hashFile(path)) === (await hashFile(draft));
  });
}

/** Removes files that a condition selects. Files of other users stay; `doctor` reports them. */
async function removeIf(
  paths: readonly string[],
  isSelected: (path: string) => boolean | Promise<boolean>,
): Promise<void> {
  for (const path of paths) {
    try {
      if (await isSelected(path)) rmSync(path, { force: true });
    } catch {
      // A leftover is no reason to stop.
    }
  }
}

/** Explains an error: if the disk is full, the remedy is to make no safety copy. */
export function explainNoRoom(error: unknown, { database, before }: SafetyCopyOptions): unknown {
  if (!(error instanceof Refusal) || error.code !== 'full') return error;
  return new Refusal(
    `There is no room beside ${database} to keep what it has now; free some space, or ${before} with --discard, which keeps nothing.`,
    { code: 'full', cause: error },
  );
}

/**
 * Keeps a database with its logs under another name. The logs go first, because a new file must not meet them. The
 * file also stays under its own name until a rename replaces it, so that a kill in between leaves one there.
 */
export function keepDatabase(database: string, kept: string): void {
  rmSync(`${database}-shm`, { force: true });
  moveLogs(database, kept);
  try {
    linkSync(database, kept);
  } catch {
    renameSync(database, kept); // a file system without hard links
  }
}

/** Undoes `keepDatabase`, as far as it was done. */
export function putBackDatabase(database: string, kept: string): void {
  if (existsSync(kept)) renameSync(kept, database); // of two names of one file it leaves both
  rmSync(kept, { force: true });
  moveLogs(kept, database);
}

function moveLogs(from: string, to: string): void {
  for (const end of ['-wal', '-journal'])
    if (existsSync(from + end)) renameSync(from + end, to + end);
}

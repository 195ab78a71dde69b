// Restores a backup into a database that may be served meanwhile: all of it at once, or nothing.

import { existsSync, realpathSync, renameSync, rmSync } from 'node:fs';

import type { Database } from 'better-sqlite3';

import { isSameFile, requireNoLog, snapshotInto } from './backup.ts';
import { copyInto } from './copy.ts';
import { createSafely } from './create.ts';
import { emptyLog } from './erase.ts';
import { isDamage, isMissing, openFile } from './file.ts';
import { Refusal } from './refusal.ts';
import { unwatched, type Stage } from './stage.ts';
import { inSnapshot, verify, type Verified } from './verify.ts';

/** What is restored, and where. */
export interface RestoreOptions {
  readonly file: string;
  readonly database: string;
  /** Whether the database that is there is lost. */
  readonly discard?: boolean;
  readonly stage?: Stage;
}

/** What was restored; or, where `findings` are any, what is wrong with the backup, and nothing was. */
export interface Restored extends Verified {
  /** Where the database is kept that was there. */
  readonly kept: string | undefined;
  /** Whether the database was so damaged that a new file took its name, which servers that run do not see. */
  readonly isNewFile: boolean;
}

interface Outcome extends Pick<Restored, 'kept' | 'isNewFile'> {}

/** Restores a backup that verifies. Fails with `Refusal`, and then the database is as it was. */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { file, database, stage = unwatched } = options;
  if (isSameFile(file, database))
    throw new Refusal(`${file} is the database itself; name a backup of it.`);
  const source = openFile(file, 'restore');
  try {
    return await inSnapshot(source, async (at) => {
      const verified = await verify(source, { at, stage });
      const isWell = verified.findings.length === 0;
      const outcome = isWell ? await put(source, options) : { kept: undefined, isNewFile: false };
      return { ...verified, ...outcome };
    });
  } finally {
    source.close();
  }
}

async function put(source: Database, options: RestoreOptions): Promise<Outcome> {
  const { database: name, stage = unwatched } = options;
  if (isMissing(name)) {
    await putNew(source, name, { stage });
    return { kept: undefined, isNewFile: true };
  }
  const database = realpathSync(name); // whose log lies beside it
  try {
    return { kept: await putInto(source, { ...options, database }), isNewFile: false };
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  const kept = keptName(database);
  await putNew(source, database, { stage, last: () => moveAside(database, kept) });
  return { kept, isNewFile: true };
}

interface NewOptions {
  readonly stage: Stage;
  /** Done when nothing is left to be done but to give the new file its name. */
  readonly last?: () => void;
}

async function putNew(source: Database, path: string, { stage, last }: NewOptions): Promise<void> {
  if (last === undefined) requireNoLog(path);
  await createSafely(path, 'refuse', async (draft) => {
    await copyInto(source, draft, { stage });
    openFile(draft, 'write').close(); // in WAL mode, as every database that is served
    last?.();
  });
}

/** Copies into the file that is there, so that whoever has it open sees it. Returns where that is kept. */
async function putInto(
  source: Database,
  { database, discard = false, stage }: RestoreOptions,
): Promise<string | undefined> {
  const live = openFile(database, 'migrate'); // also of an older schema: it goes
  try {
    requireSamePages(source, live, database);
    const kept = discard ? undefined : keptName(database);
    let isKept = false; // before it is, a file of that name is not of this restore
    // What is kept is kept while nobody can write: nothing that was committed is lost.
    const first = async (): Promise<void> => {
      if (kept === undefined) return;
      await createSafely(kept, 'refuse', (draft) => snapshotInto(live, draft, unwatched));
      isKept = true;
    };
    try {
      await copyInto(source, database, { ...(stage && { stage }), first });
    } catch (error) {
      if (kept !== undefined && isKept) rmSync(kept, { force: true });
      throw error;
    }
    emptyLog(live);
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

function keptName(database: string): string {
  const now = new Date().toISOString().replaceAll(/[-:.]/g, '');
  return `${database}.before-restore-${now}`;
}

function moveAside(database: string, kept: string): void {
  // The log first: a new file must not meet it.
  if (existsSync(`${database}-wal`)) renameSync(`${database}-wal`, `${kept}-wal`);
  rmSync(`${database}-shm`, { force: true });
  renameSync(database, kept);
}

// Restores a backup into a database that may be served meanwhile: all of it at once, or nothing.

import { existsSync, realpathSync, rmSync } from 'node:fs';

import type { Database } from 'better-sqlite3';

import { Refusal } from '../refusal.ts';
import { unwatched, type Stage } from '../stage.ts';
import type { Verified } from '../verify.ts';
import { keep, keptName, move } from './aside.ts';
import { isSameFile, requireNoLog } from './backup.ts';
import { copyInto } from './copy.ts';
import { createSafely, type Making } from './create.ts';
import { emptyLog } from './erase.ts';
import { isDamage, isMissing, openFile } from './file.ts';
import { inSnapshot } from './snapshot.ts';
import { verify } from './verify.ts';

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
  /** Whether the database was so damaged that a new file took its name, which servers that run see a little later. */
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
  return { kept: await putInstead(source, database, stage), isNewFile: true };
}

/** Makes a new file of the name of one that SQLite cannot open, which is moved aside at the last moment. Returns where to. */
async function putInstead(source: Database, database: string, stage: Stage): Promise<string> {
  const kept = keptName({ database, before: 'restore' });
  try {
    await putNew(source, database, { stage, last: () => move(database, kept) });
  } catch (error) {
    if (existsSync(kept) && existsSync(database))
      throw new Refusal(
        `Another program made ${database} meanwhile; what was there is kept as ${kept}.`,
        { cause: error },
      );
    move(kept, database);
    throw error;
  }
  return kept;
}

interface NewOptions extends Pick<Making, 'last'> {
  readonly stage: Stage;
}

async function putNew(source: Database, path: string, { stage, last }: NewOptions): Promise<void> {
  if (last === undefined) requireNoLog(path);
  await createSafely(path, { where: 'refuse', last }, async (draft) => {
    await copyInto(source, draft, { stage });
    openFile(draft, 'write').close(); // in WAL mode, as every database that is served
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
    let kept: string | undefined;
    // What is kept is kept while nobody can write: nothing that was committed is lost.
    const first = async (): Promise<void> => {
      if (!discard) kept = await keep(live, { database, before: 'restore' });
    };
    try {
      await copyInto(source, database, { ...(stage && { stage }), first });
    } catch (error) {
      if (kept !== undefined) rmSync(kept, { force: true });
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

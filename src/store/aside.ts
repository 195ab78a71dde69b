// Aside: where a restore keeps the database that was there.

import { existsSync, renameSync, rmSync } from 'node:fs';

import type { Database } from 'better-sqlite3';

import { snapshotInto } from './backup.ts';
import { createSafely } from './create.ts';
import { Refusal } from './refusal.ts';
import { unwatched } from './stage.ts';

/** The name beside a database under which it is kept now. */
export function keptName(database: string): string {
  const now = new Date().toISOString().replaceAll(/[-:.]/g, '');
  return `${database}.before-restore-${now}`;
}

/** Copies what a connection sees of a database to the name under which it is kept. Fails with `Refusal`. */
export async function keep(live: Database, database: string, kept: string): Promise<void> {
  try {
    await createSafely(kept, { where: 'refuse' }, (draft) => snapshotInto(live, draft, unwatched));
  } catch (error) {
    if (!(error instanceof Refusal) || error.trouble !== 'full') throw error;
    throw new Refusal(
      `There is no room beside ${database} to keep what it has now; free some space, or restore with --discard, and it is lost.`,
      { trouble: 'full', cause: error },
    );
  }
}

/** Gives a database another name, with its logs of writes: first those, as a new file must not meet them. */
export function move(from: string, to: string): void {
  rmSync(`${from}-shm`, { force: true });
  for (const end of ['-wal', '-journal', ''])
    if (existsSync(from + end)) renameSync(from + end, to + end);
}

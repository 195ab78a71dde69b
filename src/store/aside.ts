// Aside: where a database is kept as it was before a restore or a migration.

import { existsSync, renameSync, rmSync } from 'node:fs';

import type { Database } from 'better-sqlite3';

import { snapshotInto } from './backup.ts';
import { createSafely } from './create.ts';
import { Refusal } from './refusal.ts';
import { unwatched, type Stage } from './stage.ts';

/** What is kept, and before what. */
export interface Keeping {
  readonly database: string;
  readonly before: 'restore' | 'migrate';
  readonly stage?: Stage | undefined;
}

/** The name beside a database under which it is kept now. */
export function keptName({ database, before }: Keeping): string {
  const now = new Date().toISOString().replaceAll(/[-:.]/g, '');
  return `${database}.before-${before}-${now}`;
}

/** Copies what a connection sees of a database to a file beside it. Returns where. Fails with `Refusal`. */
export async function keep(live: Database, keeping: Keeping): Promise<string> {
  const { stage = unwatched } = keeping;
  const kept = keptName(keeping);
  try {
    await createSafely(kept, { where: 'refuse' }, (draft) => snapshotInto(live, draft, stage));
    return kept;
  } catch (error) {
    throw orNoRoom(error, keeping);
  }
}

/** Gives what to say of a failure: where it is for want of room, that nothing need be kept. */
export function orNoRoom(error: unknown, { database, before }: Keeping): unknown {
  if (!(error instanceof Refusal) || error.trouble !== 'full') return error;
  return new Refusal(
    `There is no room beside ${database} to keep what it has now; free some space, or ${before} with --discard, which keeps nothing.`,
    { trouble: 'full', cause: error },
  );
}

/** Gives a database another name, with its logs of writes: first those, as a new file must not meet them. */
export function move(from: string, to: string): void {
  rmSync(`${from}-shm`, { force: true });
  for (const end of ['-wal', '-journal', ''])
    if (existsSync(from + end)) renameSync(from + end, to + end);
}

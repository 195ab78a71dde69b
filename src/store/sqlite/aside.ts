// Aside: where a database is kept as it was before a restore or a migration.

import { chownSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';

import type { Database } from 'better-sqlite3';

import { Refusal } from '../refusal.ts';
import { unwatched, type Stage } from '../stage.ts';
import { hashOf, snapshotInto } from './backup.ts';
import { createSafely } from './create.ts';
import { findLeft } from './left.ts';

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

/**
 * Copies what a connection sees of a database to a file beside it, while the caller keeps all others
 * from writing. Returns where. Fails with `Refusal`.
 *
 * A migration may be killed and begun again for ever, as by systemd, so that what killed ones leave
 * must not grow. Nobody else can be making a draft: each that is there is removed. A copy must have
 * its name before the commit, or a kill behind that would leave none; so one that was killed in
 * between leaves a copy, which goes as soon as the next has the same bytes. None goes that has
 * others, and so there is no state to be told from another.
 */
export async function keep(live: Database, keeping: Keeping): Promise<string> {
  const { database, before, stage = unwatched } = keeping;
  const kept = keptName(keeping);
  try {
    const isOurs = (path: string) => path.startsWith(`${database}.before-`);
    await removeDue(findLeft(database).drafts, isOurs);
    await createSafely(kept, { where: 'refuse' }, async (draft) => {
      await snapshotInto(live, draft, stage);
      giveTo(draft, database);
      // What a restore kept stays: it may be what is restored.
      if (before === 'migrate') await removeSame(draft, database);
    });
    return kept;
  } catch (error) {
    throw orNoRoom(error, keeping);
  }
}

/** Gives a draft the owner of the database: root may look after that of a service, which must be able to take it back. */
function giveTo(draft: string, database: string): void {
  const [own, { uid, gid }] = [statSync(draft), statSync(database)];
  if (own.uid === uid && own.gid === gid) return;
  try {
    chownSync(draft, uid, gid);
  } catch {
    // Who is not root gives nothing away; it stays with who can read and write the database, too.
  }
}

/** Removes what earlier migrations have kept where a draft has the same bytes. */
async function removeSame(draft: string, database: string): Promise<void> {
  const { size } = statSync(draft);
  await removeDue(findLeft(database).kept, async (path) => {
    if (!path.startsWith(`${database}.before-migrate-`) || statSync(path).size !== size)
      return false;
    return (await hashOf(path)) === (await hashOf(draft));
  });
}

/** Removes files that are due; one of another user, that cannot be, stays, and `doctor` names it. */
async function removeDue(
  paths: readonly string[],
  isDue: (path: string) => boolean | Promise<boolean>,
): Promise<void> {
  for (const path of paths) {
    try {
      if (await isDue(path)) rmSync(path, { force: true });
    } catch {
      // No reason not to migrate.
    }
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

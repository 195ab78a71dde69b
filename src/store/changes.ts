// The feed of changes: which memories were written or deleted, told by their latest change alone.

import { hash, randomBytes } from 'node:crypto';

import type { Database } from 'better-sqlite3';

import { hold } from './held.ts';
import { build, query, type Slot } from './query.ts';
import * as reads from './reads.ts';
import type { Feed, Mark } from './store.ts';
import type { ChangeEpochTable } from './tables.ts';

const begin = query((slot: Slot<ChangeEpochTable>) =>
  build
    .insertInto('change_epochs')
    .values({
      account_id: slot('account_id'),
      first_seq: slot('first_seq'),
      epoch: slot('epoch'),
    })
    .onConflict((conflict) => conflict.doNothing()),
);

/**
 * Makes the function that puts the name of this program before the first change it writes to an
 * account. Changes are counted, and after a restore the count comes by the same numbers again: a
 * cursor of the time that was lost is told by this name.
 */
export function beginEpoch(db: Database): (account_id: string) => void {
  const held = { begin: hold(db, begin), latest: hold(db, reads.latestChange) };
  const program = randomBytes(8).toString('hex');
  return (account_id) => {
    const first_seq = 1 + (held.latest.get({ account_id })?.seq ?? 0);
    // Another in each account, so that a cursor of one is no place in another.
    const epoch = hash('sha256', `${program} ${account_id}`).slice(0, 16);
    held.begin.run({ account_id, first_seq, epoch });
  };
}

/** The reads of the feed on a connection. */
export function changeReads(db: Database): (account: string, since: Mark, limit: number) => Feed {
  const held = {
    latest: hold(db, reads.latestChange),
    epoch: hold(db, reads.epoch),
    changes: hold(db, reads.changes),
  };
  const epochOf = (account_id: string, seq: number) =>
    held.epoch.get({ account_id, seq })?.epoch ?? '';

  function isOurs(account_id: string, { seq, epoch }: Mark): boolean {
    const latest = held.latest.get({ account_id })?.seq ?? 0;
    return seq <= latest && epochOf(account_id, seq) === epoch;
  }

  // From the start where the mark is of a time that a restore has undone.
  const read = db.transaction((account_id: string, since: Mark, limit: number): Feed => {
    const from = isOurs(account_id, since) ? since.seq : 0;
    const changes = held.changes.all({ account_id, seq: from, limit });
    const seq = changes.at(-1)?.seq ?? from;
    return { changes, mark: { seq, epoch: epochOf(account_id, seq) } };
  });
  return (account, since, limit) => read(account, since, limit);
}

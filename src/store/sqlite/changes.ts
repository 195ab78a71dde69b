// The feed of changes: which memories were written or deleted, told by their latest change alone.

import { randomBytes } from 'node:crypto';

import type { Database } from 'better-sqlite3';

import { build, query, type Slot } from '../query.ts';
import * as reads from '../reads.ts';
import type { Feed, Mark, Since } from '../store.ts';
import type { ChangeEpochTable } from '../tables.ts';
import { hold } from './held.ts';

const begin = query((slot: Slot<ChangeEpochTable>) =>
  build.insertInto('change_epochs').values({
    account_id: slot('account_id'),
    first_seq: slot('first_seq'),
    epoch: slot('epoch'),
  }),
);

/**
 * Makes the function that names who writes, to be called before each change of an account: anew
 * wherever the change before it is not the last one of this connection. Changes are counted, and
 * after a restore, also of a file that is open here, the count comes by the same numbers again; but
 * a number under a name is one change for ever, so a cursor of the time that was lost is known.
 */
export function beginEpoch(db: Database): (account_id: string) => void {
  const held = hold(db, begin);
  const marks = markReads(db);
  const last = new Map<string, Mark>();
  return (account_id) => {
    const latest = marks.latestSeq(account_id);
    const mine = last.get(account_id);
    const goesOn = mine?.seq === latest && mine.epoch === marks.epochOf(account_id, latest);
    const next = {
      seq: latest + 1,
      epoch: goesOn ? mine.epoch : randomBytes(8).toString('hex'),
    };
    if (!goesOn) held.run({ account_id, first_seq: next.seq, epoch: next.epoch });
    last.set(account_id, next);
  };
}

/** The reads of the feed on a connection. */
export function changeReads(db: Database): (since: Since) => Feed {
  const held = hold(db, reads.changes);
  const marks = markReads(db);

  function isOurs(account_id: string, { seq, epoch }: Mark): boolean {
    return seq <= marks.latestSeq(account_id) && epoch === marks.epochOf(account_id, seq);
  }

  // From the start where the mark is of a time that a restore has undone.
  const read = db.transaction(({ account_id, mark, limit }: Since): Feed => {
    const from = isOurs(account_id, mark) ? mark.seq : 0;
    const changes = held.all({ account_id, seq: from, limit });
    const seq = changes.at(-1)?.seq ?? from;
    return { changes, mark: { seq, epoch: marks.epochOf(account_id, seq) } };
  });
  return (since) => read(since);
}

function markReads(db: Database) {
  const held = { latest: hold(db, reads.latestChange), epoch: hold(db, reads.epoch) };
  return {
    latestSeq: (account_id: string): number => held.latest.get({ account_id })?.seq ?? 0,
    epochOf: (account_id: string, seq: number): string =>
      held.epoch.get({ account_id, seq })?.epoch ?? '',
  };
}

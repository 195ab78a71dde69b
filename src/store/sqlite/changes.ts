// The change feed: which memories were written or deleted, each with its latest change only.

import { randomBytes } from 'node:crypto';

import type { Database } from 'better-sqlite3';

import { brokenFeed } from '../check/on-read.ts';
import { STRETCH, throughWindow, type ShownChanges } from '../feed-window.ts';
import { perCount } from '../sql/facets.ts';
import * as reads from '../sql/reads.ts';
import { insertRow } from '../sql/row-queries.ts';
import type { FeedMark, FeedPage, FeedRange, StoredChange } from '../store.ts';
import { prepareOn } from './statements.ts';

/** The name of an epoch, as `beginEpoch` makes it. */
const EPOCH = /^[\da-f]{16}$/;

const begin = insertRow('change_epochs');

/**
 * Returns a function to call before each change of an account. It begins a new epoch unless the
 * previous change was written by this connection. After a restore, changes get numbers that were used
 * before. A number together with its epoch is unique, so a cursor from the lost time is recognised.
 */
export function beginEpoch(db: Database): (account_id: string) => void {
  const held = prepareOn(db, begin);
  const positions = positionReads(db);
  const written = new Map<string, FeedMark>();
  return (account_id) => {
    const latest = positions.latestSeq(account_id);
    const own = written.get(account_id);
    const goesOn = own?.seq === latest && own.epoch === positions.epochOf(account_id, latest);
    const next = {
      seq: latest + 1,
      epoch: goesOn ? own.epoch : randomBytes(8).toString('hex'),
    };
    if (!goesOn) held.run({ account_id, first_seq: next.seq, epoch: next.epoch });
    written.set(account_id, next);
  };
}

/** Creates the reads of the feed on a connection. */
export function changeReads(db: Database): (range: FeedRange) => FeedPage {
  const held = { asc: prepareOn(db, reads.changes.asc), desc: prepareOn(db, reads.changes.desc) };
  const prepareWindowed = (order: 'asc' | 'desc') =>
    perCount((count) => prepareOn(db, reads.changesThroughWindow(order, count)));
  const windowed = { asc: prepareWindowed('asc'), desc: prepareWindowed('desc') };
  const positions = positionReads(db);

  function holds(account_id: string, { seq, epoch }: FeedMark, latestSeq: number): boolean {
    return seq <= latestSeq && epoch === positions.epochOf(account_id, seq);
  }

  function readAll(
    from: { account_id: string; seq: number },
    order: 'asc' | 'desc',
    limit: number,
  ): ShownChanges<StoredChange & { readonly seq: number }> {
    const more = order === 'asc' ? 0 : 1; // one more than the page has shows whether another follows
    const found = held[order].all({ ...from, limit: limit + more });
    const changes = found.slice(0, limit);
    return { changes, last: changes.at(-1), hasMore: found.length > limit };
  }

  const read = db.transaction(
    ({ account_id, position, limit, order = 'asc', window }: FeedRange): FeedPage => {
      const latestSeq = positions.latestSeq(account_id);
      const isValid =
        position === undefined ||
        (holds(account_id, position, latestSeq) && holds(account_id, position.latest, latestSeq));
      if (!isValid) return { changes: [], position: undefined, hasMore: false };
      const from = position?.seq ?? (order === 'asc' ? 0 : latestSeq + 1);
      const { changes, last, hasMore } =
        window === undefined
          ? readAll({ account_id, seq: from }, order, limit)
          : throughWindow(
              windowed[order](reads.facetCount(window)).all({
                account_id,
                seq: from,
                limit: STRETCH,
                ...reads.windowValues(window),
              }),
              limit,
            );
      const seq = last?.seq ?? Math.min(from, latestSeq);
      const latest = { seq: latestSeq, epoch: positions.epochOf(account_id, latestSeq) };
      const epoch = seq === latestSeq ? latest.epoch : positions.epochOf(account_id, seq);
      // Each change has an epoch, and none is later than the latest, unless the file is damaged.
      if (seq > latestSeq || (seq > 0 && !EPOCH.test(epoch))) throw brokenFeed(db.name, account_id);
      return { changes, position: { seq, epoch, latest }, hasMore };
    },
  );
  return (range) => read(range);
}

function positionReads(db: Database) {
  const held = { latest: prepareOn(db, reads.latestChange), epoch: prepareOn(db, reads.epoch) };
  return {
    latestSeq: (account_id: string): number => held.latest.get({ account_id })?.seq ?? 0,
    epochOf: (account_id: string, seq: number): string =>
      held.epoch.get({ account_id, seq })?.epoch ?? '',
  };
}

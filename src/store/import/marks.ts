// Marks of an import: feed positions that a restore removes together with what the import wrote before.

import { andThen, eachInTurn, type Awaitable } from '../../lib/async.ts';
import { Refusal } from '../refusal.ts';
import { build, query, type Connection, type Slot } from '../sql/query.ts';

interface Wanted {
  readonly account_id: string;
  readonly seq: number;
}

/** The latest change of an account, and its epoch. */
interface Mark {
  readonly seq: number;
  readonly epoch: string;
}

/** Finds the latest position of an account's feed, and the epoch that a sequence number has now. */
const look = query((slot: Slot<Wanted>) => {
  const epochs = build.selectFrom('change_epochs').where('account_id', '=', slot('account_id'));
  const latestEpoch = epochs.select('epoch').orderBy('first_seq', 'desc').limit(1);
  return build.selectNoFrom((eb) => [
    eb
      .selectFrom('changes')
      .select(({ fn }) => fn.max<number | null>('seq').as('seq'))
      .where('account_id', '=', slot('account_id'))
      .as('seq'),
    latestEpoch.as('epoch'),
    latestEpoch.where('first_seq', '<=', slot('seq')).as('epoch_then'),
  ]);
});

/** The marks of one import. */
export type ImportMarks = ReturnType<typeof importMarks>;

/**
 * Returns the marks of an import on a connection. An account's mark is its latest feed position after
 * a batch. A restored database has that position only if it has the batch as well, because a sequence
 * number together with its epoch is never used twice. Other writers leave positions as they are.
 */
export function importMarks({ prepare }: Connection) {
  const held = prepare(look);
  const marks = new Map<string, Mark>();

  function read(account_id: string): Awaitable<{ now: Mark; isUndone: boolean }> {
    const mark = marks.get(account_id) ?? { seq: 0, epoch: '' };
    return andThen(held.get({ account_id, seq: mark.seq }), (found) => {
      const now = { seq: found?.seq ?? 0, epoch: found?.epoch ?? '' };
      const isUndone = now.seq < mark.seq || (found?.epoch_then ?? '') !== mark.epoch;
      return { now, isUndone };
    });
  }

  return {
    /**
     * Reads the new marks of accounts, in the transaction of the batch that wrote to them, after its
     * writes. Throws or rejects with `Refusal` if an old mark is gone.
     */
    next(account_ids: Iterable<string>): Awaitable<ReadonlyMap<string, Mark>> {
      const positions = new Map<string, Mark>();
      const done = eachInTurn([...new Set(account_ids)], (id) =>
        andThen(read(id), ({ now, isUndone }) => {
          if (isUndone) throw undoneImport();
          positions.set(id, now);
        }),
      );
      return andThen(done, () => positions);
    },
    /** Keeps new marks when their batch is committed. */
    keep(positions: ReadonlyMap<string, Mark>): void {
      for (const [id, mark] of positions) marks.set(id, mark);
    },
    /** Returns whether any mark is gone. */
    isUndone(): Awaitable<boolean> {
      let anyUndone = false;
      const done = eachInTurn([...marks.keys()], (id) =>
        andThen(read(id), ({ isUndone }) => {
          anyUndone ||= isUndone;
        }),
      );
      return andThen(done, () => anyUndone);
    },
  };
}

/** Creates the refusal of an import whose memories are no longer there. */
export function undoneImport(): Refusal {
  return new Refusal('A restore has undone a part of this import; import again.');
}

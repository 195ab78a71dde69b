// Recurring sources: how far each has come, and what its last run did. No credential is stored.

import { randomUUID } from 'node:crypto';

import { andThen, type Awaitable } from '../../lib/async.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import { accountWrites } from '../accounts/accounts.ts';
import { Refusal } from '../refusal.ts';
import { build, query, type Connection, type Slot } from '../sql/query.ts';
import { deleteRows, selectRows } from '../sql/row-queries.ts';
import type { SourceTable } from '../sql/tables/tables.ts';

/** A source of an account. */
export type SourceKey = Pick<SourceTable, 'account_id' | 'name'>;

/** A run of a source. `run` changes with each step; a run that another one has replaced can write nothing. */
export type SourceRun = Pick<SourceTable, 'account_id' | 'name' | 'run'>;

/** A run to start. `settings` is the text of a JSON object without credentials. */
export type NewRun = Pick<SourceTable, 'account_id' | 'name' | 'kind' | 'settings'>;

/** What a run has done so far. */
export type RunCounts = Pick<
  SourceTable,
  'added' | 'updated' | 'unchanged' | 'deleted' | 'rejected'
>;

/** What a run reports while it works. `state` is the text of a JSON object: where the next run continues. */
export type RunProgress = RunCounts & Pick<SourceTable, 'state'>;

/** How a run ended. `error` is one sentence, or null. */
export type RunEnd = RunCounts & {
  readonly result: NonNullable<SourceTable['result']>;
  readonly error: string | null;
};

/** What is known about a source. Times are milliseconds since 1970. */
export type SourceRecord = SourceTable;

/** The values of counts. */
const countsIn = (slot: Slot<RunCounts>) => ({
  added: slot('added'),
  updated: slot('updated'),
  unchanged: slot('unchanged'),
  deleted: slot('deleted'),
  rejected: slot('rejected'),
});

const start = query(
  (
    slot: Slot<
      NewRun & Pick<SourceTable, 'run' | 'started_at' | 'interval_ms'> & { active_at: number }
    >,
  ) =>
    build
      .insertInto('sources')
      .values({
        account_id: slot('account_id'),
        name: slot('name'),
        kind: slot('kind'),
        settings: slot('settings'),
        state: '{}',
        run: slot('run'),
        interval_ms: slot('interval_ms'),
        started_at: slot('started_at'),
        active_at: slot('active_at'),
        ...NO_COUNTS,
      })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'name']).doUpdateSet((eb) => ({
          kind: eb.ref('excluded.kind'),
          settings: eb.ref('excluded.settings'),
          run: eb.ref('excluded.run'),
          interval_ms: eb.ref('excluded.interval_ms'),
          started_at: eb.ref('excluded.started_at'),
          active_at: eb.ref('excluded.active_at'),
          ended_at: null,
          result: null,
          ...NO_COUNTS,
        })),
      ),
);

const NO_COUNTS = { added: 0, updated: 0, unchanged: 0, deleted: 0, rejected: 0 };

const step = query((slot: Slot<SourceRun & { next: string; active_at: number }>) =>
  build
    .updateTable('sources')
    .set({ run: slot('next'), active_at: slot('active_at') })
    .where('account_id', '=', slot('account_id'))
    .where('name', '=', slot('name'))
    .where('run', '=', slot('run')),
);

const keep = query((slot: Slot<SourceRun & RunProgress & { active_at: number }>) =>
  build
    .updateTable('sources')
    .set({
      state: slot('state'),
      active_at: slot('active_at'),
      ...countsIn(slot),
    })
    .where('account_id', '=', slot('account_id'))
    .where('name', '=', slot('name'))
    .where('run', '=', slot('run')),
);

const end = query(
  (slot: Slot<SourceRun & RunEnd & { ended_at: number; succeeded_at: number | null }>) =>
    build
      .updateTable('sources')
      .set((eb) => ({
        active_at: slot('ended_at'),
        ended_at: slot('ended_at'),
        succeeded_at: eb.fn.coalesce(
          eb.cast<number | null>(eb.val(slot('succeeded_at')), 'bigint'),
          'succeeded_at',
        ),
        result: slot('result'),
        error: slot('error'),
        ...countsIn(slot),
      }))
      .where('account_id', '=', slot('account_id'))
      .where('name', '=', slot('name'))
      .where('run', '=', slot('run')),
);

/** Longer than a run waits for a product, and than a watch takes between two looks. */
const SILENCE_MS = 20 * MINUTE_MS;

/** Whether a run has ended without saying so, because it was killed. */
export function isKilled({ ended_at, active_at }: SourceRecord): boolean {
  return ended_at === null && Date.now() - active_at > SILENCE_MS;
}

const find = selectRows('sources', { by: ['account_id', 'name'] });

/** Lists all sources, by account and name. */
const listSources = selectRows('sources', { order: ['account_id', 'name'] });

const forget = deleteRows('sources', ['account_id', 'name']);

/** Starts that are closer together are repetitions by hand, and say nothing about a timer. */
const SHORTEST_INTERVAL_MS = 60_000;

/** Creates the writes of sources on a connection. */
export function sourceWrites(connection: Connection) {
  const { prepare, transaction } = connection;
  const accounts = accountWrites(connection);
  const held = {
    start: prepare(start),
    step: prepare(step),
    keep: prepare(keep),
    end: prepare(end),
    find: prepare(find),
    list: prepare(listSources),
    forget: prepare(forget),
  };

  return {
    /**
     * Starts a run. A run of the same source that is still at work can write nothing any more. Returns
     * the run, and the source as it was before. Throws `Refusal` if there is no such account.
     */
    start: (made: NewRun): Awaitable<{ run: SourceRun; before: SourceRecord | undefined }> =>
      transaction(() =>
        andThen(accounts.require(made.account_id), () =>
          andThen(held.find.get(made), (before) => {
            const now = Date.now();
            const run = { account_id: made.account_id, name: made.name, run: randomUUID() };
            const interval_ms = usualInterval(before, now);
            const started = held.start.run({
              ...made,
              ...run,
              interval_ms,
              started_at: now,
              active_at: now,
            });
            return andThen(started, () => ({ run, before }));
          }),
        ),
      ),
    /** Returns the run with a new token, before it writes. Throws `Refusal` if it was replaced. */
    step(run: SourceRun): Awaitable<SourceRun> {
      const next = randomUUID();
      return andThen(held.step.run({ ...run, next, active_at: Date.now() }), (changed) => {
        requireRun(changed);
        return { ...run, run: next };
      });
    },
    /** Stores where the next run continues. Call it when the memories are written. Throws `Refusal` if the run was replaced. */
    keep: (run: SourceRun, progress: RunProgress): Awaitable<void> =>
      andThen(held.keep.run({ ...progress, ...run, active_at: Date.now() }), requireRun),
    /** Ends a run. Returns false if it was replaced. */
    end(run: SourceRun, ended: RunEnd): Awaitable<boolean> {
      const ended_at = Date.now();
      const succeeded_at = ended.result === 'ok' ? ended_at : null;
      const values = { ...ended, ...run, error: oneLine(ended.error), ended_at, succeeded_at };
      return andThen(held.end.run(values), (changed) => changed === 1);
    },
    find: (source: SourceKey): Awaitable<SourceRecord | undefined> => held.find.get(source),
    /** Lists all sources, by account and name. */
    list: (): Awaitable<SourceRecord[]> => held.list.all({}),
    /** Deletes what is known about a source; its memories stay. Returns whether there was such a source. */
    forget: (source: SourceKey): Awaitable<boolean> =>
      andThen(held.forget.run(source), (deleted) => deleted === 1),
  };
}

/** Averages the times between starts, so that one late run changes little. */
function usualInterval(before: SourceRecord | undefined, now: number): number | null {
  if (before === undefined) return null;
  const { interval_ms, started_at } = before;
  const last = now - started_at;
  if (last < SHORTEST_INTERVAL_MS) return interval_ms;
  return Math.round(interval_ms === null ? last : (3 * interval_ms + last) / 4);
}

function requireRun(changed: number): void {
  if (changed === 1) return;
  throw new Refusal(
    'Another run of this source has started, or a restore has undone a part of this one; run it again.',
  );
}

const MAX_ERROR_LENGTH = 1000;

/** Returns a sentence without control characters, which PostgreSQL or a terminal would not take. */
function oneLine(error: string | null): string | null {
  return error && error.replaceAll(/\p{Cc}+/gu, ' ').slice(0, MAX_ERROR_LENGTH);
}

/** Returns a source as the columns of its other tables name it. */
export function ofSource({ account_id, name }: SourceKey) {
  return { account_id, source: name };
}

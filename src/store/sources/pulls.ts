// The pulls that owners have set up in the app: which are due, and the claim of one by one server.

import { andThen, type Awaitable } from '../../lib/async.ts';
import { build, query, type Connection, type Slot } from '../sql/query.ts';
import { selectRows } from '../sql/row-queries.ts';
import type { AppRow } from '../sql/tables/app-tables.ts';
import type { SourceKey } from './runs.ts';

/** A pull that an owner has set up. Its key is sealed. Times are milliseconds since 1970. */
export type StoredPull = Readonly<AppRow<'pulls'>>;

const due = query(
  (slot: Slot<{ now: number }>) =>
    build
      .selectFrom('pulls')
      .innerJoin('accounts', 'accounts.id', 'pulls.account_id')
      .selectAll('pulls')
      .where('due_at', '<=', slot('now'))
      .where('accounts.disabled_at', 'is', null)
      .orderBy('due_at')
      .orderBy('id'), // all servers claim them in one order
);

/** Finds a pull by the name of its source. */
export const findPull = selectRows('pulls', { by: ['account_id', 'name'] });

const claim = query((slot: Slot<SourceKey & { now: number; next: number }>) =>
  build
    .updateTable('pulls')
    .set({ due_at: slot('next') })
    .where('account_id', '=', slot('account_id'))
    .where('name', '=', slot('name'))
    .where('due_at', '<=', slot('now')),
);

const postpone = query((slot: Slot<SourceKey & { until: number }>) =>
  build
    .updateTable('pulls')
    .set({ due_at: slot('until') })
    .where('account_id', '=', slot('account_id'))
    .where('name', '=', slot('name'))
    .where('due_at', '<', slot('until')),
);

/** Creates the reads and writes of pulls on a connection. */
export function pullWrites({ prepare }: Connection) {
  return {
    /** Lists the pulls of enabled accounts that are due, the longest due first. */
    due: (now: number): Awaitable<StoredPull[]> => prepare(due).all({ now }),
    /** Finds a pull by the name of its source. */
    find: (source: SourceKey): Awaitable<StoredPull | undefined> => prepare(findPull).get(source),
    /** Claims a run that is due, and dates the next one. Returns false if another server has claimed it. */
    claim: ({ account_id, name, interval_ms }: StoredPull, now: number): Awaitable<boolean> =>
      andThen(
        prepare(claim).run({ account_id, name, now, next: now + interval_ms }),
        (changed) => changed === 1,
      ),
    /** Lets the next run start no earlier than at a time. */
    postpone: ({ account_id, name }: SourceKey, until: number): Awaitable<void> =>
      andThen(prepare(postpone).run({ account_id, name, until }), () => undefined),
  };
}

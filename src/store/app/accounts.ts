// The accounts that people can sign in to, and their logs.

import { andThen, type Awaitable } from '../../lib/async.ts';
import { build, query, type Slot } from '../sql/query.ts';
import type { AppAccess } from './access.ts';
import type { AppAccounts, EventRecord, EventStore } from './app-store.ts';

const open = build
  .selectFrom('accounts')
  .select(['id', 'name'])
  .where('disabled_at', 'is', null)
  .orderBy('created_at')
  .orderBy('id');

const byId = query((slot: Slot<{ id: string }>) => open.where('id', '=', slot('id')));

const byName = query((slot: Slot<{ name: string }>) =>
  open.where('name', '=', slot('name')).limit((eb) => eb.lit(2)),
);

const first = query((_: Slot<object>) => open.limit((eb) => eb.lit(1)));

const count = query((_: Slot<object>) =>
  build
    .selectFrom('accounts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('disabled_at', 'is', null),
);

/** A quarter of an hour, in milliseconds. Days of all time zones begin with one. */
const QUARTER_MS = 900_000;

/** Reads the index of lists alone. */
const unmeasured = query((slot: Slot<{ account_id: string }>) =>
  build
    .selectFrom('memories')
    .select((eb) => eb('started_at', '/', eb.lit(QUARTER_MS)).as('quarter'))
    .distinct()
    .where('account_id', '=', slot('account_id'))
    .where('duration_seconds', '=', (eb) => eb.lit(0)),
);

const withIdPrefix = query((slot: Slot<{ account_id: string; prefix: string; end: string }>) =>
  build
    .selectFrom('memories')
    .select('id')
    .where('account_id', '=', slot('account_id'))
    .where('id', '>=', slot('prefix'))
    .where('id', '<', slot('end'))
    .limit((eb) => eb.lit(1)),
);

/** Creates the reads of accounts. */
export function appAccounts({ read }: AppAccess): AppAccounts {
  return {
    find: (nameOrId) =>
      read({}, ({ prepare }) =>
        andThen(prepare(byId).get({ id: nameOrId }), (found) =>
          found === undefined
            ? andThen(prepare(byName).all({ name: nameOrId }), ([one, other]) =>
                other === undefined ? one : undefined,
              )
            : found,
        ),
      ),
    count: () =>
      read({}, ({ prepare }) =>
        andThen(prepare(count).get({}), (all) =>
          andThen(prepare(first).get({}), (account) => ({
            count: all?.count ?? 0,
            first: account,
          })),
        ),
      ),
    unmeasured: (account_id) =>
      read({ account_id }, ({ prepare }) =>
        andThen(prepare(unmeasured).all({ account_id }), (found) =>
          found.map(({ quarter }) => quarter * QUARTER_MS),
        ),
      ),
    hasIdPrefix: (account_id, prefix) =>
      read({ account_id }, ({ prepare }) =>
        andThen(
          // Both engines compare bytes, and no character is after this one.
          prepare(withIdPrefix).get({ account_id, prefix, end: `${prefix}\u{10FFFF}` }),
          (found) => found !== undefined,
        ),
      ),
  };
}

/** Reads the log of an account, the latest entries first. */
const latest = query((slot: Slot<{ account_id: string }>) =>
  build
    .selectFrom('account_events')
    .select(['at', 'kind', 'subject', 'agent'])
    .where('account_id', '=', slot('account_id'))
    .orderBy('seq', 'desc'),
);

/** Creates the reads of the logs. */
export function eventStore({ read }: AppAccess): EventStore {
  return {
    list: (account_id) =>
      read({ account_id }, ({ prepare }): Awaitable<EventRecord[]> =>
        prepare(latest).all({ account_id }),
      ),
  };
}

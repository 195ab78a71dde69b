// Adds to the log of an account, which keeps the latest 100 sign-ins, the latest 100 imports, and so on.

import { andThen, type Awaitable } from '../../lib/async.ts';
import type { Connection } from '../sql/query.ts';
import { build, query, type Slot } from '../sql/query.ts';
import { insertRow } from '../sql/row-queries.ts';
import type { AppRow } from '../sql/tables/app-tables.ts';

/** How many entries of a kind an account keeps. An import each hour must not remove who signed in. */
const MAX_EVENTS = 100;

/** Who did something, if a command did it. */
export const COMMAND_LINE = 'command line';

const insert = insertRow('account_events', { leftOut: ['seq'], returning: ['seq'] });

/** Removes all entries of a kind but the latest. */
const trim = query((slot: Slot<Pick<NewEvent, 'account_id' | 'kind'>>) =>
  build
    .deleteFrom('account_events')
    .where('account_id', '=', slot('account_id'))
    .where('kind', '=', slot('kind'))
    .where('seq', '<', (eb) =>
      eb
        .selectFrom('account_events')
        .select('seq')
        .where('account_id', '=', slot('account_id'))
        .where('kind', '=', slot('kind'))
        .orderBy('seq', 'desc')
        .offset(eb.lit(MAX_EVENTS - 1))
        .limit(eb.lit(1)),
    ),
);

/** An entry to add. `agent` is a browser, or "command line". */
export type NewEvent = Omit<AppRow<'account_events'>, 'seq' | 'at'>;

/** Adds an entry to the log of an account, in the transaction of the connection. */
export function addEvent(connection: Connection, event: NewEvent): Awaitable<void> {
  return andThen(addNumbered(connection, event), () => undefined);
}

/** Adds an entry as `addEvent` does, and returns its number, by which it can be found again. */
export function addNumbered({ prepare, now }: Connection, event: NewEvent): Awaitable<number> {
  const { account_id, kind } = event;
  return andThen(prepare(insert).get({ ...event, at: now() }), (added) =>
    andThen(prepare(trim).run({ account_id, kind }), () => added?.seq ?? 0),
  );
}

// Notes an import in the log of each account, in the transaction of the first batch that changes something there, and counts on.

import { andThen, eachInTurn, type Awaitable } from '../../lib/async.ts';
import { addEvent, type NewEvent } from '../app/log.ts';
import type { Connection } from '../sql/query.ts';
import { build, query, type Slot } from '../sql/query.ts';
import type { ImportedMemory, ImportResult } from './rules.ts';

const KIND = 'memories-imported';

/** Sets how many memories the latest import of an account has written. */
const recount = query((slot: Slot<Pick<NewEvent, 'account_id' | 'kind' | 'subject'>>) =>
  build
    .updateTable('account_events')
    .set({ subject: slot('subject') })
    .where('seq', '=', (eb) =>
      eb
        .selectFrom('account_events')
        .select('seq')
        .where('account_id', '=', slot('account_id'))
        .where('kind', '=', slot('kind'))
        .orderBy('seq', 'desc')
        .limit(eb.lit(1)),
    ),
);

/** Returns the function that notes a batch, after its writes. A run without an `agent` notes nothing. */
export function importLog(connection: Connection, agent: string | undefined) {
  const noted = new Map<string, number>();
  return (
    arrivals: readonly ImportedMemory[],
    results: readonly ImportResult[],
  ): Awaitable<void> => {
    if (agent === undefined) return undefined;
    const changed = arrivals.filter((_, i) => results[i] === 'added' || results[i] === 'updated');
    const batch = Map.groupBy(changed, ({ account_id }) => account_id);
    return eachInTurn([...batch], ([account_id, { length }]) => {
      const before = noted.get(account_id);
      const subject = String((before ?? 0) + length);
      noted.set(account_id, Number(subject));
      return before === undefined
        ? addEvent(connection, { account_id, kind: KIND, subject, agent })
        : andThen(
            connection.prepare(recount).run({ account_id, kind: KIND, subject }),
            () => undefined,
          );
    });
  };
}

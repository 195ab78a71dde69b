// Notes an import in the log of each account, in the transaction of the first batch that changes something there, and counts on.

import { andThen, eachInTurn, type Awaitable } from '../../lib/async.ts';
import { addNumbered } from '../app/log.ts';
import type { Connection } from '../sql/query.ts';
import { updateRows } from '../sql/row-queries.ts';
import type { ImportedMemory, ImportResult } from './rules.ts';

/** Sets how many memories an import has written. */
const recount = updateRows('account_events', { set: ['subject'], by: ['seq'] });

/** The entry of an import in the log of an account. */
interface Entry {
  readonly seq: number;
  readonly count: number;
}

/** Returns the function that notes a batch, after its writes. A run without an `agent` notes nothing. */
export function importLog(connection: Connection, agent: string | undefined) {
  const noted = new Map<string, Entry>();
  return (
    arrivals: readonly ImportedMemory[],
    results: readonly ImportResult[],
  ): Awaitable<void> => {
    if (agent === undefined) return undefined;
    const changed = arrivals.filter((_, i) => results[i] === 'added' || results[i] === 'updated');
    const batch = Map.groupBy(changed, ({ account_id }) => account_id);
    return eachInTurn([...batch], ([account_id, { length }]): Awaitable<void> => {
      const { seq, count = 0 } = noted.get(account_id) ?? {};
      const subject = String(count + length);
      const written =
        seq === undefined
          ? addNumbered(connection, { account_id, kind: 'memories-imported', subject, agent })
          : andThen(connection.prepare(recount).run({ seq, subject }), () => seq);
      return andThen(written, (number) => {
        noted.set(account_id, { seq: number, count: count + length });
      });
    });
  };
}

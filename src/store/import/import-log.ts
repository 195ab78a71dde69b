// Notes an import in the log of each account, in the transaction of the first batch that changes something there.

import { eachInTurn, type Awaitable } from '../../lib/async.ts';
import { addEvent } from '../app/log.ts';
import type { Connection } from '../sql/query.ts';
import type { ImportedMemory, ImportResult } from './rules.ts';

/** Returns the function that notes a batch, after its writes. A run without an `agent` notes nothing. */
export function importLog(connection: Connection, agent: string | undefined) {
  const noted = new Set<string>();
  return (
    arrivals: readonly ImportedMemory[],
    results: readonly ImportResult[],
  ): Awaitable<void> => {
    if (agent === undefined) return undefined;
    const changed = arrivals.filter((_, i) => results[i] === 'added' || results[i] === 'updated');
    const fresh = new Set(changed.map(({ account_id }) => account_id)).difference(noted);
    for (const account_id of fresh) noted.add(account_id);
    return eachInTurn([...fresh], (account_id) =>
      addEvent(connection, { account_id, kind: 'memories-imported', subject: '', agent }),
    );
  };
}

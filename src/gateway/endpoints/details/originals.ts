// Reads what a memory was made from.

import { failure } from '../../../contract/statuses.ts';
import { andThen, type Awaitable } from '../../../lib/async.ts';
import type { DetailsQuery, StoredOriginal } from '../../../store/details/reads.ts';
import type { Store } from '../../../store/store.ts';

/** An original, and the revision at which it and its memory were read. */
export interface FoundOriginal extends StoredOriginal {
  readonly revision: string | undefined;
}

/** Reads the original of a memory. Returns undefined if none was kept. Throws a 404 if there is no such memory. */
export function readOriginal(
  store: Store,
  { account_id, revision }: Pick<DetailsQuery, 'account_id' | 'revision'>,
  id: string,
): Awaitable<FoundOriginal | undefined> {
  const wanted = { account_id, revision, id };
  return andThen(store.memory({ ...wanted, projection: 'slim', known: '' }), (memory) => {
    if (!memory) throw failure(404);
    return andThen(
      store.original(wanted),
      ({ found, revision: read }) =>
        found && { ...found, revision: memory.revision === read ? read : undefined },
    );
  });
}

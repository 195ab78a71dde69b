// What keys have read lately: their paths, how often and when last, for 30 days. Nothing of what they got.

import type { Awaitable } from '../../lib/async.ts';
import { compareText } from '../../lib/order.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Connection } from '../sql/query.ts';
import { build, query, type Slot } from '../sql/query.ts';
import type { KeyRead, ReadPath } from './app-store.ts';

/** How long a path is kept after its last read. */
const KEPT_MS = 30 * DAY_MS;

/** How many paths of a key are kept. */
const MOST = 1000;

/** Counts reads of a path by a key. A key that is gone has none. */
const count = query((slot: Slot<KeyRead>) =>
  build
    .insertInto('key_reads')
    .columns(['key_id', 'account_id', 'path', 'last_at', 'count'])
    .expression((eb) =>
      eb
        .selectFrom('api_keys')
        .select((row) => [
          'api_keys.id',
          'api_keys.account_id',
          // PostgreSQL treats a selected value as text, even for a numeric column.
          row.val(slot('path')).as('path'),
          row.cast<number>(row.val(slot('last_at')), 'bigint').as('last_at'),
          row.cast<number>(row.val(slot('count')), 'bigint').as('count'),
        ])
        .where('key_sha256', '=', slot('key_sha256')),
    )
    .onConflict((conflict) =>
      conflict.columns(['key_id', 'path']).doUpdateSet((eb) => ({
        // Another process may have written a later one.
        last_at: eb
          .case()
          .when(eb.ref('excluded.last_at'), '>', eb.ref('key_reads.last_at'))
          .then(eb.ref('excluded.last_at'))
          .else(eb.ref('key_reads.last_at'))
          .end(),
        count: eb('key_reads.count', '+', eb.ref('excluded.count')),
      })),
    ),
);

/** Removes all paths of a key but the latest. */
const trim = query((slot: Slot<{ key_sha256: string }>) =>
  build
    .deleteFrom('key_reads')
    .where('key_id', '=', (eb) =>
      eb.selectFrom('api_keys').select('api_keys.id').where('key_sha256', '=', slot('key_sha256')),
    )
    .where('last_at', '<', (eb) =>
      eb
        .selectFrom('key_reads as kept')
        .innerJoin('api_keys', 'api_keys.id', 'kept.key_id')
        .select('kept.last_at')
        .where('key_sha256', '=', slot('key_sha256'))
        .orderBy('kept.last_at', 'desc')
        .offset(eb.lit(MOST - 1))
        .limit(eb.lit(1)),
    ),
);

const removeBefore = query((slot: Slot<{ before: number }>) =>
  build.deleteFrom('key_reads').where('last_at', '<', slot('before')),
);

const latest = query((slot: Slot<{ id: string; since: number }>) =>
  build
    .selectFrom('key_reads')
    .select(['path', 'last_at', 'count'])
    .where('key_id', '=', slot('id'))
    .where('last_at', '>=', slot('since'))
    .orderBy('last_at', 'desc')
    .orderBy('path')
    .limit((eb) => eb.lit(MOST)),
);

/** Lists what a key has read, latest first. */
export function readsOf({ prepare, now }: Connection, id: string): Awaitable<ReadPath[]> {
  return prepare(latest).all({ id, since: now() - KEPT_MS });
}

/** Removes what is too old. */
export async function removeOldReads({ prepare, now }: Connection): Promise<void> {
  await prepare(removeBefore).run({ before: now() - KEPT_MS });
}

/** Counts reads, and removes those that are too old or too many, in the transaction of the connection. */
export async function recordReads(on: Connection, reads: readonly KeyRead[]): Promise<void> {
  const counting = on.prepare(count);
  const inOrder = reads.toSorted((a, b) => compareText(idOf(a), idOf(b)));
  for (const each of inOrder) await counting.run(each);
  for (const key_sha256 of new Set(inOrder.map((each) => each.key_sha256)))
    await on.prepare(trim).run({ key_sha256 });
  await removeOldReads(on);
}

function idOf({ key_sha256, path }: KeyRead): string {
  return `${key_sha256} ${path}`;
}

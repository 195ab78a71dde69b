// The gateway's queries for single rows: keys, accounts, memories and changes. Memories are only read by their account.

import { LAST_MOMENT } from '../../lib/time.ts';
import { SCOPE_COLUMNS, type Window } from '../scope.ts';
import type { Projection } from '../store.ts';
import { facetValues, hasFacets, OF_MEMORY } from './facets.ts';
import { query, build, type Slot } from './query.ts';
import { selectRows } from './row-queries.ts';

/** Finds a key by its hash, with its account. `ends_at` is 0 if the key is revoked or its account is disabled. */
export const apiKey = query(keyByHash);

/** Finds the same, with what `keyInAccount` takes. A user who can only read may not read that in PostgreSQL. */
export const datedApiKey = query((slot: Slot<{ key_sha256: string }>) =>
  keyByHash(slot).select('api_keys.created_at'),
);

function keyByHash(slot: Slot<{ key_sha256: string }>) {
  return build
    .selectFrom('api_keys')
    .crossJoin('accounts') // a cross join fixes the order, which SQLite could turn round in an inner join
    .whereRef('accounts.id', '=', 'api_keys.account_id')
    .select((eb) => [
      'api_keys.account_id',
      'api_keys.last_four',
      ...SCOPE_COLUMNS,
      eb
        .case()
        .when(
          eb.and([eb('api_keys.revoked_at', 'is', null), eb('accounts.disabled_at', 'is', null)]),
        )
        .then(eb.fn.coalesce('api_keys.expires_at', eb.val(LAST_MOMENT)))
        .else(0)
        .end()
        .as('ends_at'),
      'accounts.revision as account_revision',
    ])
    .where('api_keys.key_sha256', '=', slot('key_sha256'));
}

/**
 * Finds the key of a hash among the keys of an account, by an index that `apiKey` does not use. It takes
 * one step in that index, however many keys the account has. May return the key after it.
 */
export const keyInAccount = query(
  (slot: Slot<{ account_id: string; created_at: number; key_sha256: string }>) =>
    build
      .selectFrom('api_keys')
      .select('key_sha256')
      .where('account_id', '=', slot('account_id'))
      .where((eb) => {
        const position = eb.refTuple('created_at', 'key_sha256');
        return eb(position, '>=', eb.tuple(slot('created_at'), slot('key_sha256')));
      })
      .orderBy('created_at')
      .orderBy('key_sha256')
      .limit(1),
);

/** Finds the state of an account. */
export const account = selectRows('accounts', { columns: ['revision', 'disabled_at'], by: ['id'] });

/** The values of a query for one memory, and of its window if it has one. */
export interface OneMemory extends Partial<WindowValues> {
  readonly account_id: string;
  readonly id: string;
  readonly known: string;
}

/** A window of time, in milliseconds: from `low_at` to before `high_at`. Its facets come with it. */
export interface WindowValues {
  readonly low_at: number;
  readonly high_at: number;
}

/** Returns a window as values of a statement. */
export function windowValues({ started_after, started_before, facets }: Window): WindowValues {
  const times = { low_at: started_after ?? -LAST_MOMENT, high_at: started_before ?? LAST_MOMENT };
  return facets === undefined ? times : { ...times, ...facetValues(facets) };
}

/** Returns how many facets a window has. */
export function facetCount({ facets }: Window): number {
  return facets?.length ?? 0;
}

/** Finds one memory of an account, whole or slim, with its hashes. The bytes are null if the caller has them. */
export const memory = { body: memoryAs('body'), slim: memoryAs('slim') };

/** Finds the same if the memory is in a window with a number of facets. */
export function memoryInWindow(projection: Projection, count: number) {
  return memoryAs(projection, count);
}

function memoryAs(projection: Projection, count?: number) {
  return query((slot: Slot<OneMemory>) => {
    const one = build
      .selectFrom('memories')
      .select((eb) => [
        'body_sha256',
        eb
          .case()
          .when('body_sha256', '=', slot('known'))
          .then(null)
          .else(eb.ref(projection))
          .end()
          .as('bytes'),
        eb.ref(`${projection}_sha256`).as('sha256'),
      ])
      .where('account_id', '=', slot('account_id'))
      .where('id', '=', slot('id'));
    if (count === undefined) return one;
    return one
      .where('started_at', '>=', slot('low_at') as number)
      .where('started_at', '<', slot('high_at') as number)
      .$if(count > 0, (some) => some.where(hasFacets(OF_MEMORY, { slot, count })));
  });
}

/** Finds the number of the latest change of an account. */
export const latestChange = query((slot: Slot<{ account_id: string }>) =>
  build
    .selectFrom('changes')
    .select('seq')
    .where('account_id', '=', slot('account_id'))
    .orderBy('seq', 'desc')
    .limit(1),
);

/** Finds the feed's entry for a memory. */
export const feedEntry = query((slot: Slot<{ account_id: string; id: string }>) =>
  build
    .selectFrom('changes')
    .select('change')
    .where('account_id', '=', slot('account_id'))
    .where('memory_id', '=', slot('id')),
);

/** Finds the epoch of a change: it names the connection that wrote the change. */
export const epoch = query((slot: Slot<{ account_id: string; seq: number }>) =>
  build
    .selectFrom('change_epochs')
    .select('epoch')
    .where('account_id', '=', slot('account_id'))
    .where('first_seq', '<=', slot('seq'))
    .orderBy('first_seq', 'desc')
    .limit(1),
);

/** The values of a query for changes, and of its window if it has one. */
interface FeedValues extends Partial<WindowValues> {
  readonly account_id: string;
  readonly seq: number;
  readonly limit: number;
}

/** Reads the changes of an account after a given one oldest first, or before it latest first. */
export const changes = { asc: changesIn('asc'), desc: changesIn('desc') };

function changesIn(order: 'asc' | 'desc') {
  return query((slot: Slot<FeedValues>) => feed(order, slot));
}

/** Reads the same changes, and whether each of them is of a memory in a window with a number of facets. */
export function changesThroughWindow(order: 'asc' | 'desc', count: number) {
  return query((slot: Slot<FeedValues>) =>
    feed(order, slot).select((eb) => {
      const inside = eb
        .selectFrom('memories')
        .select((row) => row.lit(1).as('is_inside'))
        .where('memories.account_id', '=', slot('account_id'))
        .whereRef('memories.id', '=', 'changes.memory_id')
        .where('started_at', '>=', slot('low_at') as number)
        .where('started_at', '<', slot('high_at') as number)
        .$if(count > 0, (some) => some.where(hasFacets(OF_MEMORY, { slot, count })));
      return inside.as('is_inside');
    }),
  );
}

function feed(order: 'asc' | 'desc', slot: Slot<FeedValues>) {
  return build
    .selectFrom('changes')
    .select(['seq', 'memory_id', 'change', 'changed_at'])
    .where('changes.account_id', '=', slot('account_id'))
    .where('seq', order === 'asc' ? '>' : '<', slot('seq'))
    .orderBy('seq', order)
    .limit(slot('limit'));
}

// The queries of the gateway, compiled once. Each names the account in its index condition.

import { query, build, type Slot } from './query.ts';
import type { Bytes } from './store.ts';

const NEVER = 8.64e15; // the last moment that a Date has

/**
 * Finds the key of a hash, else the one behind it, or the last: `is_it` tells. So a hash that is nowhere
 * costs what one costs that is there, a row with its account, and a key that is revoked what any costs:
 * the time of a 401 does not tell whether its key was ever good (measured: 1 µs where there is no row,
 * 70 ns where the row of each state has a shape of its own).
 */
export const apiKey = query((slot: Slot<{ key_sha256: string }>) =>
  build
    .selectFrom('api_keys')
    .crossJoin('accounts') // the order SQLite keeps to, where it would be free to turn an inner join around
    .whereRef('accounts.id', '=', 'api_keys.account_id')
    .select((eb) => [
      eb('api_keys.key_sha256', '=', slot('key_sha256')).as('is_it'),
      'api_keys.account_id',
      'api_keys.last_four',
      'api_keys.created_at',
      eb
        .case()
        .when(
          eb.and([eb('api_keys.revoked_at', 'is', null), eb('accounts.disabled_at', 'is', null)]),
        )
        .then(eb.fn.coalesce('api_keys.expires_at', eb.val(NEVER)))
        .else(0)
        .end()
        .as('ends_at'),
      'accounts.revision as account_revision',
    ])
    .where('api_keys.key_sha256', '>=', (eb) =>
      eb.fn<string>('min', [
        eb.val(slot('key_sha256')),
        eb.selectFrom('api_keys').select((row) => row.fn.max('key_sha256').as('last')),
      ]),
    )
    .orderBy('api_keys.key_sha256')
    .limit(1),
);

/**
 * Finds a key of an account, else the one behind it, in the index that a look-up of a key does not come
 * by: in its order by one step, however many keys the account has.
 */
export const keyOf = query(
  (slot: Slot<{ account_id: string; created_at: number; key_sha256: string }>) =>
    build
      .selectFrom('api_keys')
      .select('key_sha256')
      .where('account_id', '=', slot('account_id'))
      .where((eb) => {
        const place = eb.refTuple('created_at', 'key_sha256');
        return eb(place, '>=', eb.tuple(slot('created_at'), slot('key_sha256')));
      })
      .orderBy('created_at')
      .orderBy('key_sha256')
      .limit(1),
);

/** Finds the state of an account. */
export const account = query((slot: Slot<{ id: string }>) =>
  build.selectFrom('accounts').select(['revision', 'disabled_at']).where('id', '=', slot('id')),
);

/** Finds one memory of an account, whole or slim, with their hash, without its bytes where the caller has them. */
export const memory = { body: memoryAs('body'), slim: memoryAs('slim') };

function memoryAs(bytes: Bytes) {
  return query((slot: Slot<{ account_id: string; id: string; known: string }>) =>
    build
      .selectFrom('memories')
      .select((eb) => [
        'body_sha256',
        eb
          .case()
          .when('body_sha256', '=', slot('known'))
          .then(null)
          .else(eb.ref(bytes))
          .end()
          .as('bytes'),
        eb.ref(`${bytes}_sha256`).as('sha256'),
      ])
      .where('account_id', '=', slot('account_id'))
      .where('id', '=', slot('id')),
  );
}

/** Finds a change of an account: the latest. */
export const latestChange = query((slot: Slot<{ account_id: string }>) =>
  build
    .selectFrom('changes')
    .select('seq')
    .where('account_id', '=', slot('account_id'))
    .orderBy('seq', 'desc')
    .limit(1),
);

/** Finds what the feed says of a memory. */
export const told = query((slot: Slot<{ account_id: string; id: string }>) =>
  build
    .selectFrom('changes')
    .select('change')
    .where('account_id', '=', slot('account_id'))
    .where('memory_id', '=', slot('id')),
);

/** Finds who wrote a change of an account. */
export const epoch = query((slot: Slot<{ account_id: string; seq: number }>) =>
  build
    .selectFrom('change_epochs')
    .select('epoch')
    .where('account_id', '=', slot('account_id'))
    .where('first_seq', '<=', slot('seq'))
    .orderBy('first_seq', 'desc')
    .limit(1),
);

/** Reads the changes of an account behind one of them, oldest first. */
export const changes = query((slot: Slot<{ account_id: string; seq: number; limit: number }>) =>
  build
    .selectFrom('changes')
    .select(['seq', 'memory_id', 'change', 'changed_at'])
    .where('account_id', '=', slot('account_id'))
    .where('seq', '>', slot('seq'))
    .orderBy('seq')
    .limit(slot('limit')),
);

// The queries of the gateway, compiled once. Each names the account in its index condition.

import { query, build, type Slot } from './query.ts';

interface Bounds {
  account_id: string;
  started_at: number;
  id: string;
  limit: number;
}

/** Finds a key and the state of its account by the hash of the key. */
export const apiKey = query((slot: Slot<{ key_sha256: string }>) =>
  build
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select([
      'api_keys.account_id',
      'api_keys.last_four',
      'api_keys.expires_at',
      'api_keys.revoked_at',
      'accounts.disabled_at as account_disabled_at',
      'accounts.revision as account_revision',
    ])
    .where('api_keys.key_sha256', '=', slot('key_sha256')),
);

/** Finds the state of an account. */
export const account = query((slot: Slot<{ id: string }>) =>
  build.selectFrom('accounts').select(['revision', 'disabled_at']).where('id', '=', slot('id')),
);

/** Finds one memory of an account, without its body where the caller has it. */
export const memory = query((slot: Slot<{ account_id: string; id: string; known: string }>) =>
  build
    .selectFrom('memories')
    .select((eb) => [
      'started_at',
      'body_sha256',
      eb
        .case()
        .when('body_sha256', '=', slot('known'))
        .then(null)
        .else(eb.ref('body'))
        .end()
        .as('body'),
    ])
    .where('account_id', '=', slot('account_id'))
    .where('id', '=', slot('id')),
);

/** Reads the memories of an account in order, from a place on. */
export const items = {
  desc: list('desc', ['started_at', 'id', 'body']),
  asc: list('asc', ['started_at', 'id', 'body']),
};
/** Reads places in the list of an account, from the index alone. */
export const positions = {
  desc: list('desc', ['started_at', 'id']),
  asc: list('asc', ['started_at', 'id']),
};

function list<C extends 'started_at' | 'id' | 'body'>(
  order: 'desc' | 'asc',
  columns: readonly C[],
) {
  return query((slot: Slot<Bounds>) =>
    build
      .selectFrom('memories')
      .select(columns)
      .where('account_id', '=', slot('account_id'))
      .where((eb) =>
        eb(
          eb.refTuple('started_at', 'id'),
          order === 'desc' ? '<' : '>',
          eb.tuple(slot('started_at'), slot('id')),
        ),
      )
      .orderBy('started_at', order)
      .orderBy('id', order)
      .limit(slot('limit')),
  );
}

// The queries of the gateway, compiled once. Each names the account in its index condition.

import { query, build, type Slot } from './query.ts';
import type { Bytes } from './store.ts';

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

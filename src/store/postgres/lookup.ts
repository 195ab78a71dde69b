// The look-up of a key, by its hash, with its account.

import { query, type Slot } from '../query.ts';
import { buildPostgres as build } from './build.ts';

const NEVER = 8.64e15; // the last moment that a Date has

/**
 * Finds the key of a hash with its account, else the one behind it, or the last: as on SQLite, so that a
 * hash that is nowhere costs what one costs that is there, and the time of a 401 tells nothing.
 */
export const apiKey = query((slot: Slot<{ key_sha256: string }>) =>
  build
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select((eb) => [
      'api_keys.key_sha256',
      'api_keys.account_id',
      'api_keys.last_four',
      eb
        .case()
        .when(
          eb.and([eb('api_keys.revoked_at', 'is', null), eb('accounts.disabled_at', 'is', null)]),
        )
        .then(eb.fn.coalesce('api_keys.expires_at', eb.lit(NEVER)))
        .else(eb.lit(0))
        .end()
        .as('ends_at'),
      'accounts.revision as account_revision',
    ])
    .where('api_keys.key_sha256', '>=', (eb) =>
      eb.fn<string>('least', [
        eb.val(slot('key_sha256')),
        eb.selectFrom('api_keys').select((row) => row.fn.max('key_sha256').as('last')),
      ]),
    )
    .orderBy('api_keys.key_sha256')
    .limit((eb) => eb.lit(1)),
);

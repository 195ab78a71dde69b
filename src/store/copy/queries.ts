// The queries of a copy, the same for both engines; what may be long is read in pages, in the order of keys.

import { build, query, type Slot } from '../query.ts';
import type { AccountTable } from '../tables.ts';
import { FACTS } from './checked.ts';
import { PAGE, type After } from './pages.ts';

/** An account as it is kept. */
export type Account = Omit<AccountTable, 'revision'> & { readonly revision: string };

/** Counts all memories there are. */
export const total = query((_: Slot<object>) =>
  build.selectFrom('memories').select((eb) => eb.fn.countAll<number>().as('memories')),
);

/** Finds accounts behind one. */
export const accounts = query((slot: Slot<After<string>>) =>
  build
    .selectFrom('accounts')
    .select(['id', 'name', 'created_at', 'created_by', 'disabled_at', 'revision'])
    .where('id', '>', slot('after'))
    .orderBy('id')
    .limit((eb) => eb.lit(PAGE)),
);

/** Finds one account. */
export const account = query((slot: Slot<{ id: string }>) =>
  build
    .selectFrom('accounts')
    .select(['id', 'name', 'created_at', 'created_by', 'disabled_at', 'revision'])
    .where('id', '=', slot('id')),
);

/** Finds the keys of an account. */
export const keys = query((slot: Slot<{ account_id: string }>) =>
  build
    .selectFrom('api_keys')
    .select(['key_sha256', 'id', 'account_id', 'last_four', 'label'])
    .select(['created_at', 'expires_at', 'revoked_at'])
    .where('account_id', '=', slot('account_id'))
    .orderBy('key_sha256'),
);

/** Finds the memories of an account behind one: their ids, hashes and sizes. */
export const places = query((slot: Slot<After<string>>) =>
  build
    .selectFrom('memories')
    .select((eb) => ['id', 'body_sha256', eb.fn<number>('octet_length', ['body']).as('bytes')])
    .where('account_id', '=', slot('account_id'))
    .where('id', '>', slot('after'))
    .orderBy('id')
    .limit((eb) => eb.lit(PAGE)),
);

/** A memory with all that is made of its body, but for its slim. */
export const memories = query((slot: Slot<{ account_id: string; first: string; last: string }>) =>
  build
    .selectFrom('memories')
    .select([...FACTS, 'body'])
    .where('account_id', '=', slot('account_id'))
    .where('id', '>=', slot('first'))
    .where('id', '<=', slot('last'))
    .orderBy('id'),
);

/** Finds the same with the hashes that their bytes have, in place of the bytes. */
export const hashed = query((slot: Slot<After<string>>) =>
  build
    .selectFrom('memories')
    .select(FACTS)
    .select((eb) => [
      eb.fn<Uint8Array>('sha256', ['body']).as('body_hash'),
      eb.fn<Uint8Array>('sha256', ['slim']).as('slim_hash'),
    ])
    .where('account_id', '=', slot('account_id'))
    .where('id', '>', slot('after'))
    .orderBy('id')
    .limit((eb) => eb.lit(PAGE)),
);

/** Finds the changes of an account behind one. */
export const changes = query((slot: Slot<After<number>>) =>
  build
    .selectFrom('changes')
    .select(['account_id', 'seq', 'memory_id', 'change', 'changed_at'])
    .where('account_id', '=', slot('account_id'))
    .where('seq', '>', slot('after'))
    .orderBy('seq')
    .limit((eb) => eb.lit(PAGE)),
);

/** Finds the epochs of an account behind one. */
export const epochs = query((slot: Slot<After<number>>) =>
  build
    .selectFrom('change_epochs')
    .select(['account_id', 'first_seq', 'epoch'])
    .where('account_id', '=', slot('account_id'))
    .where('first_seq', '>', slot('after'))
    .orderBy('first_seq')
    .limit((eb) => eb.lit(PAGE)),
);

// Passkeys: their public keys, labels and counters.

import { andThen } from '../../../lib/async.ts';
import { build, query, type Slot } from '../../sql/query.ts';
import { deleteRows, insertRow } from '../../sql/row-queries.ts';
import { requireAccount, type AppAccess } from '../access.ts';
import type { PasskeyStore } from '../app-store.ts';
import { requireRoom } from '../caps.ts';
import { addEvent } from '../log.ts';

const COLUMNS = [
  'passkeys.id',
  'passkeys.account_id',
  'passkeys.label',
  'passkeys.created_at',
  'passkeys.last_used_at',
] as const;

const listOf = query((slot: Slot<{ account_id: string }>) =>
  build
    .selectFrom('passkeys')
    .select(COLUMNS)
    .where('account_id', '=', slot('account_id'))
    .orderBy('created_at')
    .orderBy('id'),
);

const insert = insertRow('passkeys', { leftOut: ['last_used_at'], unlessThere: ['id'] });

const setLabel = query((slot: Slot<{ account_id: string; id: string; label: string }>) =>
  build
    .updateTable('passkeys')
    .set({ label: slot('label') })
    .where('account_id', '=', slot('account_id'))
    .where('id', '=', slot('id'))
    .returning(COLUMNS),
);

const removeOne = deleteRows('passkeys', ['account_id', 'id'], ['label']);

const byId = query((slot: Slot<{ id: string }>) =>
  build
    .selectFrom('passkeys')
    .innerJoin('accounts', 'accounts.id', 'passkeys.account_id')
    .select(COLUMNS)
    .select(['public_key', 'algorithm', 'sign_count', 'accounts.name'])
    .where('passkeys.id', '=', slot('id'))
    .where('accounts.disabled_at', 'is', null),
);

/** Notes a use, unless the counter has moved on. A passkey without a counter always reports 0. */
const noteUse = query((slot: Slot<{ id: string; sign_count: number; at: number }>) =>
  build
    .updateTable('passkeys')
    .set({ sign_count: slot('sign_count'), last_used_at: slot('at') })
    .where('id', '=', slot('id'))
    .where((eb) =>
      eb.or([
        eb('sign_count', '<', slot('sign_count')),
        eb.and([eb('sign_count', '=', 0), eb('sign_count', '=', slot('sign_count'))]),
      ]),
    ),
);

/** Creates the reads and writes of passkeys. */
export function passkeyStore({ read, write }: AppAccess): PasskeyStore {
  return {
    list: (account_id) =>
      read({ account_id }, ({ prepare }) => prepare(listOf).all({ account_id })),
    add: ({ agent, ...passkey }) =>
      write({ account_id: passkey.account_id }, async (on) => {
        const { id, account_id, label } = passkey;
        await requireAccount(on, account_id);
        await requireRoom(on, 'passkeys', account_id);
        const created_at = on.now();
        if ((await on.prepare(insert).run({ ...passkey, created_at })) === 0) return undefined;
        await addEvent(on, { account_id, kind: 'passkey-added', subject: label, agent });
        return { id, account_id, label, created_at, last_used_at: null };
      }),
    relabel: ({ account_id, id, label }) =>
      write({ account_id }, async ({ prepare }) =>
        prepare(setLabel).get({ account_id, id, label }),
      ),
    remove: ({ account_id, id, agent }) =>
      write({ account_id }, async (on) => {
        const removed = await on.prepare(removeOne).get({ account_id, id });
        if (removed === undefined) return false;
        const subject = removed.label;
        await addEvent(on, { account_id, kind: 'passkey-removed', subject, agent });
        return true;
      }),
    find: (id) =>
      read({ secret: id }, ({ prepare }) =>
        andThen(prepare(byId).get({ id }), (row) => {
          if (row === undefined) return undefined;
          const { name, ...passkey } = row;
          return { ...passkey, account: { id: row.account_id, name } };
        }),
      ),
    used: (id, sign_count) =>
      write(
        { secret: id },
        async ({ prepare, now }) =>
          (await prepare(noteUse).run({ id, sign_count, at: now() })) === 1,
      ),
  };
}

// The API keys of one account.

import { andThen } from '../../lib/async.ts';
import { keyWrites } from '../accounts/api-keys.ts';
import type { AppAccess } from './access.ts';
import type { AppKeyStore } from './app-store.ts';
import { requireRoom } from './caps.ts';
import { credentialUse } from './credential-use.ts';

/** Creates the reads and writes of the app's keys. */
export function appKeyStore(access: AppAccess): AppKeyStore {
  const { read, write } = access;
  return {
    ...credentialUse('keys', access),
    list: (account_id) =>
      read({ account_id }, (on) =>
        andThen(keyWrites(on).list(account_id), (records) => records.toReversed()),
      ),
    create: ({ agent, account_id, ...key }) =>
      write({ account_id }, async (on) => {
        await requireRoom(on, 'api_keys', account_id);
        const keys = keyWrites(on, agent);
        const created = await keys.create({ account_id, ...key });
        return { ...created, record: await keys.get(created.id) };
      }),
    rotate: ({ account_id, id, graceMs, agent }) =>
      write({ account_id }, async (on) => {
        const keys = keyWrites(on, agent);
        if (!(await keys.isOf(account_id, id))) return undefined;
        await requireRoom(on, 'api_keys', account_id);
        const created = await keys.rotate(id, graceMs);
        return { ...created, record: await keys.get(created.id) };
      }),
    revoke: ({ account_id, id, agent }) =>
      write({ account_id }, async (on) => {
        const keys = keyWrites(on, agent);
        if (!(await keys.isOf(account_id, id))) return undefined;
        await keys.revoke(id);
        return keys.get(id);
      }),
  };
}

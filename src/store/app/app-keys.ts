// The API keys of one account, when keys were last used, and what they have read lately.

import { andThen } from '../../lib/async.ts';
import { keyWrites } from '../accounts/api-keys.ts';
import { build, query, type Slot } from '../sql/query.ts';
import { ANY_ACCOUNT, type AppAccess } from './access.ts';
import type { AppKeyStore } from './app-store.ts';
import { requireRoom } from './caps.ts';
import { readsOf, recordReads } from './key-reads.ts';

/** A time never moves back, whatever order processes write in. */
const noteUse = query((slot: Slot<{ key_sha256: string; at: number }>) =>
  build
    .updateTable('api_keys')
    .set({ last_used_at: slot('at') })
    .where('key_sha256', '=', slot('key_sha256'))
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', slot('at'))])),
);

/** Creates the reads and writes of the app's keys. */
export function appKeyStore({ read, write, tryWrite }: AppAccess): AppKeyStore {
  return {
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
    recordUse: (uses, reads = []) =>
      tryWrite({ account_id: ANY_ACCOUNT }, async (on) => {
        const note = on.prepare(noteUse);
        // In one order, so that two transactions never wait for each other.
        for (const key_sha256 of [...uses.keys()].toSorted())
          await note.run({ key_sha256, at: uses.get(key_sha256) ?? 0 });
        if (reads.length > 0) await recordReads(on, reads);
      }),
    reads: ({ account_id, id }) =>
      read({ account_id }, (on) =>
        andThen(keyWrites(on).isOf(account_id, id), (isOf) => (isOf ? readsOf(on, id) : undefined)),
      ),
  };
}

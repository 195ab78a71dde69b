// Handlers of API keys: lists, creates, rotates and revokes those of the signed-in account.

import { Failure } from '../../../contract/failure.ts';
import { toJsonRecord } from '../../../lib/time.ts';
import type { CreatedKey } from '../../../store/app/app-store.ts';
import { Refusal } from '../../../store/refusal.ts';
import { toKey } from '../app-json.ts';
import { DONE, type GroupOf } from '../call.ts';
import { toStoredScope } from '../scope.ts';

const NO_KEY = 'There is no key with this id in your account; reload the list.';

/** The handlers of keys. */
export const keyHandlers: GroupOf<'keys'> = {
  list: async ({ app, store, reader }) => {
    const records = await store.keys.list(reader.account_id);
    return { output: records.map((record) => toKey(record, app.gateway.now())) };
  },

  create: async ({ app, store, reader, agent, input: { label, expires_at, ...scope } }) => {
    const now = app.gateway.now();
    const ends = expires_at === null ? null : Date.parse(expires_at);
    if (ends !== null && ends <= now)
      throw new Failure(422, 'The property "expires_at" takes a time in the future, or null.');
    const { account_id } = reader;
    const key = { account_id, label, expires_at: ends, scope: toStoredScope(scope) };
    const created = await store.keys.create({ ...key, agent });
    return { output: newKey(created, now) };
  },

  rotate: async ({ app, store, reader, agent, input: { id, grace } }) => {
    try {
      const { account_id } = reader;
      const created = await store.keys.rotate({ account_id, id, agent, graceMs: grace * 1000 });
      if (created === undefined) throw new Failure(404, NO_KEY);
      return { output: newKey(created, app.gateway.now()) };
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== undefined) throw error;
      throw new Failure(409, 'This key is not active any more; create a new one instead.');
    }
  },

  revoke: async ({ store, reader, agent, input: { id } }) => {
    const revoked = await store.keys.revoke({ account_id: reader.account_id, id, agent });
    if (revoked === undefined) throw new Failure(404, NO_KEY);
    return DONE;
  },

  reads: async ({ app, store, reader, input: { id } }) => {
    await app.keyUse.flush();
    const found = await store.keys.reads({ account_id: reader.account_id, id });
    if (found === undefined) throw new Failure(404, NO_KEY);
    return { output: found.map(toJsonRecord) };
  },
};

function newKey({ key, record }: CreatedKey, now: number) {
  return { ...toKey(record, now), key };
}

// The caps of an account: what a session can create is bounded, also by many requests at the same time.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { AppStore } from '../../src/store/app/app-store.ts';
import { Refusal } from '../../src/store/refusal.ts';
import { engine } from '../support/engines/engine.ts';
import { AGENT, createApp, DAY, MINUTE, setClock } from '../support/world/app-store.ts';
import { issued } from '../support/world/artifacts.ts';

const ANA = { account_id: 'ana', agent: AGENT };
const isTooMany = (error: unknown) => error instanceof Refusal && error.code === 'too-many';

/** Runs 3 more than `most` calls at once, half of them in another process's store. Returns how many were refused. */
async function crowd(
  stores: readonly AppStore[],
  count: number,
  work: (store: AppStore, i: number) => unknown,
): Promise<number> {
  const done = await Promise.allSettled(
    Array.from({ length: count }, async (_, i) => {
      const store = stores[i % stores.length];
      assert.ok(store);
      await work(store, i);
    }),
  );
  const refused = done.filter((each) => each.status === 'rejected');
  for (const { reason } of refused) assert.ok(isTooMany(reason), String(reason));
  return refused.length;
}

describe('An account', () => {
  it('has at most 20 links that were not used, besides those of the command line', async (t) => {
    const { app, open, database } = await createApp(t);
    const create = (store: AppStore) => store.links.create('ana', AGENT, Date.now());
    assert.equal(await crowd([app, await open()], 23, create), 3);
    await assert.rejects(async () => create(app), /20 sign-in links that were not used; use one/);
    const { secret } = await app.links.create('ana', 'command line');
    assert.equal((await app.links.use(issued(secret)))?.account.id, 'ana');
    await app.links.create('bo', AGENT, Date.now());
    setClock(t, Date.now() + 10 * MINUTE);
    await create(app);
    const rows = () =>
      engine.edit(database, "SELECT * FROM sign_in_links WHERE account_id = 'ana'");
    assert.equal(rows().length, 1, 'expired links are removed');
    setClock(t, Date.now() - DAY);
    await create(app);
    assert.equal(rows().length, 1, 'links from before the clock was set back are removed');
  });

  it('has at most 20 passkeys', async (t) => {
    const { app, open } = await createApp(t);
    const add = (store: AppStore, i: number) =>
      store.passkeys.add({
        ...ANA,
        id: `key${i}`,
        label: `${i}`,
        public_key: 'MFkw',
        algorithm: -7,
        sign_count: 0,
      });
    assert.equal(await crowd([app, await open()], 23, add), 3);
    await assert.rejects(async () => add(app, 99), /at most 20 passkeys; remove one first/);
    const [first] = await app.passkeys.list('ana');
    assert.ok(await app.passkeys.remove({ ...ANA, id: String(first?.id) }));
    assert.ok(await add(app, 99));
    assert.equal((await app.passkeys.list('ana')).length, 20);
  });

  it('has at most 100 keys that are active or less than a day old, and more by the command line', async (t) => {
    const { app, open, writer } = await createApp(t);
    const create = (store: AppStore) => store.keys.create({ ...ANA, label: 'x', expires_at: null });
    for (let i = 0; i < 80; i++) await create(app);
    assert.equal(await crowd([app, await open()], 23, create), 3);
    const [one, two] = await app.keys.list('ana');
    assert.ok(one && two);
    const full = /100 keys that are active or less than a day old; revoke those/;
    await assert.rejects(async () => create(app), full);
    await assert.rejects(async () => app.keys.rotate({ ...ANA, id: one.id, graceMs: 0 }), full);
    assert.ok((await app.keys.revoke({ ...ANA, id: one.id }))?.revoked_at, 'ends at any time');
    await assert.rejects(async () => create(app), full, 'revoked keys are still stored');
    writer.keys.create({ account_id: 'ana', label: 'by hand', expires_at: null });
    await app.keys.create({ account_id: 'bo', agent: AGENT, label: 'x', expires_at: null });
    setClock(t, Date.now() + DAY + MINUTE);
    await assert.rejects(async () => create(app), full, 'they are active');
    assert.ok(await app.keys.revoke({ ...ANA, id: two.id }));
    await create(app);
  });

  it('has at most 20 sessions and 20 challenges, and then the oldest end', async (t) => {
    const { app, open, database } = await createApp(t);
    const stores = [app, await open()];
    const signIn = (store: AppStore) =>
      store.sessions.create({ ...ANA, way: 'link', is_short: false });
    assert.equal(await crowd(stores, 30, signIn), 0);
    assert.equal((await app.sessions.list('ana')).length, 20);
    const stranger = await app.challenges.create(null);
    assert.equal(await crowd(stores, 30, (store) => store.challenges.create('ana')), 0);
    const rows = engine.edit(database, "SELECT * FROM challenges WHERE account_id = 'ana'");
    assert.ok(rows.length <= 20, `${rows.length} challenges`);
    assert.ok(await app.challenges.use(stranger), 'nobody else loses one');
  });
});

// The app's store: passkeys, passwords, guesses, accounts and API keys, each of one account only.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { hashApiKey } from '../../src/store/accounts/api-key.ts';
import { engine } from '../support/engines/engine.ts';
import { AGENT, createApp, DAY, MINUTE, setClock } from '../support/world/app-store.ts';
import { issued } from '../support/world/artifacts.ts';

const ANA = { account_id: 'ana', agent: AGENT };
const BO = { account_id: 'bo', agent: AGENT };
const PHONE = { id: 'cGhvbmU', label: 'Phone', public_key: 'MFkw', algorithm: -7, sign_count: 0 };

describe('A passkey', () => {
  it('is listed without its key, and found by its id with it', async (t) => {
    const { app } = await createApp(t);
    const added = await app.passkeys.add({ ...PHONE, ...ANA });
    assert.ok(added);
    assert.deepEqual([added.label, added.last_used_at], ['Phone', null]);
    assert.deepEqual(await app.passkeys.list('ana'), [added]);
    assert.deepEqual(await app.passkeys.find(PHONE.id), {
      ...added,
      public_key: 'MFkw',
      algorithm: -7,
      sign_count: 0,
      account: { id: 'ana', name: 'Name of ana' },
    });
    assert.equal(await app.passkeys.find('x'), undefined);
  });

  it('has an id that no other passkey has, of whatever account', async (t) => {
    const { app } = await createApp(t);
    assert.ok(await app.passkeys.add({ ...PHONE, ...ANA }));
    for (const owner of [ANA, BO])
      assert.equal(await app.passkeys.add({ ...PHONE, ...owner, public_key: 'other' }), undefined);
    assert.equal((await app.passkeys.find(PHONE.id))?.public_key, 'MFkw');
    assert.deepEqual(await app.passkeys.list('bo'), []);
    assert.equal((await app.events.list('ana')).length, 1);
    assert.deepEqual(await app.events.list('bo'), []);
  });

  it('of another account is an unknown one', async (t) => {
    const { app } = await createApp(t);
    const added = await app.passkeys.add({ ...PHONE, ...ANA });
    for (const id of [PHONE.id, 'unknown']) {
      assert.equal(await app.passkeys.relabel({ account_id: 'bo', id, label: 'Mine' }), undefined);
      assert.equal(await app.passkeys.remove({ ...BO, id }), false);
    }
    assert.deepEqual(await app.passkeys.list('ana'), [added]);
    const renamed = await app.passkeys.relabel({ account_id: 'ana', id: PHONE.id, label: 'Old' });
    assert.deepEqual(renamed, { ...added, label: 'Old' });
    assert.equal(await app.passkeys.remove({ ...ANA, id: PHONE.id }), true);
    assert.equal(await app.passkeys.find(PHONE.id), undefined);
  });

  it('of a disabled account is not found', async (t) => {
    const { app, writer } = await createApp(t);
    await app.passkeys.add({ ...PHONE, ...ANA });
    writer.accounts.setDisabled('ana', true);
    assert.equal(await app.passkeys.find(PHONE.id), undefined);
  });

  it('counts its uses upwards only, unless it does not count', async (t) => {
    const { app } = await createApp(t);
    await app.passkeys.add({ ...PHONE, ...ANA });
    assert.equal(await app.passkeys.used(PHONE.id, 0), true, 'it does not count');
    assert.equal(await app.passkeys.used(PHONE.id, 5), true);
    for (const old of [5, 4, 0]) assert.equal(await app.passkeys.used(PHONE.id, old), false);
    assert.equal(await app.passkeys.used(PHONE.id, 6), true);
    const found = await app.passkeys.find(PHONE.id);
    assert.equal(found?.sign_count, 6);
    assert.ok((found?.last_used_at ?? 0) > 0);
    const both = await Promise.all([1, 2, 3].map(async () => app.passkeys.used(PHONE.id, 7)));
    assert.equal(both.filter(Boolean).length, 1);
  });
});

describe('A password', () => {
  it('is of one account, is replaced and removed', async (t) => {
    const { app } = await createApp(t);
    assert.deepEqual(
      [await app.passwords.get('ana'), await app.passwords.isUsed()],
      [undefined, false],
    );
    await app.passwords.set({ ...ANA, hash: 'first' });
    await app.passwords.set({ ...ANA, hash: 'second' });
    assert.deepEqual(
      [await app.passwords.get('ana'), await app.passwords.get('bo'), await app.passwords.isUsed()],
      ['second', undefined, true],
    );
    assert.equal(await app.passwords.remove(BO), false);
    assert.equal(await app.passwords.remove(ANA), true);
    assert.equal(await app.passwords.isUsed(), false);
    await assert.rejects(
      async () => app.passwords.set({ ...ANA, account_id: 'nobody', hash: 'x' }),
      /There is no account "nobody"/,
    );
  });

  it('has a count of wrong guesses for each subject, which a day or a right one ends', async (t) => {
    const { app } = await createApp(t);
    assert.deepEqual(await app.passwords.guesses('a'), { count: 0, last_at: 0 });
    await Promise.all(
      Array.from({ length: 20 }, async (_, i) =>
        app.passwords.countGuess(i % 2 ? ['a', 'b'] : ['b', 'a']),
      ),
    );
    const start = Date.now();
    assert.equal((await app.passwords.guesses('a')).count, 20);
    await app.passwords.forgetGuesses(['a']);
    assert.equal((await app.passwords.guesses('a')).count, 0);
    const { count, last_at } = await app.passwords.guesses('b');
    assert.equal(count, 20);
    assert.ok(Math.abs(start - last_at) < MINUTE);
    setClock(t, start + DAY + MINUTE);
    assert.equal((await app.passwords.guesses('b')).count, 0);
    await app.passwords.countGuess(['c']);
    assert.equal((await app.passwords.guesses('b')).count, 0);
  });

  it('is guessed by so many at most that the table stays small', async (t) => {
    const { app, database } = await createApp(t);
    const rows = Array.from(
      { length: 10_005 },
      (_, i) => `('s${i}', 1, ${Date.now() - 20_000 + i})`,
    );
    engine.edit(database, `INSERT INTO sign_in_failures VALUES ${rows.join()}`);
    await app.passwords.countGuess(['mine']);
    const [found] = engine.edit(database, 'SELECT count(*) AS n FROM sign_in_failures');
    assert.equal(Number(found?.['n']), 10_000);
    assert.equal((await app.passwords.guesses('mine')).count, 1);
  });
});

describe('An account', () => {
  it('is found by its id, or by its name if no other has the name, unless it is disabled', async (t) => {
    const { app, writer } = await createApp(t);
    const ana = { id: 'ana', name: 'Name of ana' };
    assert.deepEqual(await app.accounts.find('ana'), ana);
    assert.deepEqual(await app.accounts.find('Name of ana'), ana);
    for (const wrong of ['nobody', '', 'name of ana'])
      assert.equal(await app.accounts.find(wrong), undefined);
    writer.accounts.create({ id: 'other', name: 'Name of ana', created_by: 'command line' });
    assert.equal(await app.accounts.find('Name of ana'), undefined);
    assert.equal((await app.accounts.count()).count, 3);
    writer.accounts.setDisabled('other', true);
    assert.deepEqual(await app.accounts.find('Name of ana'), ana);
    assert.equal(await app.accounts.find('other'), undefined);
    assert.deepEqual(await app.accounts.count(), { count: 2, first: ana });
  });
});

describe('An API key in the app', () => {
  it('works as one that a command has created, and is listed latest first', async (t) => {
    const { app, writer } = await createApp(t);
    const expires_at = Date.now() + DAY;
    const first = await app.keys.create({ ...ANA, label: 'first', expires_at });
    const second = await app.keys.create({ ...ANA, label: 'second', expires_at: null });
    for (const { key } of [first, second]) issued(key);
    assert.equal(writer.keys.identify(first.key)?.expires_at, expires_at);
    assert.equal(first.record.last_four, first.key.slice(-4));
    assert.deepEqual(await app.keys.list('ana'), [second.record, first.record]);
    assert.deepEqual(await app.keys.list('bo'), []);
    await assert.rejects(
      async () => app.keys.create({ ...ANA, account_id: 'nobody', label: 'x', expires_at: null }),
      /There is no account "nobody"/,
    );
  });

  it('is rotated with a grace period, and revoked once', async (t) => {
    const { app } = await createApp(t);
    const { id } = await app.keys.create({ ...ANA, label: 'laptop', expires_at: null });
    const next = await app.keys.rotate({ ...ANA, id, graceMs: 3_600_000 });
    assert.ok(next);
    const [after, old] = await app.keys.list('ana');
    assert.deepEqual([after, after?.label], [next.record, 'laptop']);
    assert.ok(Math.abs((old?.expires_at ?? 0) - Date.now() - 3_600_000) < MINUTE);
    const revoked = await app.keys.revoke({ ...ANA, id });
    assert.ok(revoked?.revoked_at);
    assert.deepEqual(await app.keys.revoke({ ...ANA, id }), revoked);
    await assert.rejects(
      async () => app.keys.rotate({ ...ANA, id, graceMs: 0 }),
      /is revoked; create a new one instead/,
    );
    assert.equal(
      (await app.events.list('ana')).filter(({ kind }) => kind === 'key-revoked').length,
      1,
    );
  });

  it('of another account is an unknown one', async (t) => {
    const { app } = await createApp(t);
    const { id, record } = await app.keys.create({ ...ANA, label: 'laptop', expires_at: null });
    for (const other of [id, 'unknown']) {
      assert.equal(await app.keys.rotate({ ...BO, id: other, graceMs: 0 }), undefined);
      assert.equal(await app.keys.revoke({ ...BO, id: other }), undefined);
    }
    assert.deepEqual(await app.keys.list('ana'), [record]);
    assert.deepEqual(await app.events.list('bo'), []);
  });

  it('has a last use that never moves back, whichever process writes it', async (t) => {
    const { app, open } = await createApp(t);
    const one = await app.keys.create({ ...ANA, label: 'one', expires_at: null });
    const two = await app.keys.create({ ...BO, label: 'two', expires_at: null });
    const [first, second] = [hashApiKey(one.key), hashApiKey(two.key)];
    await app.keys.recordUse(
      new Map([
        [first, 1000],
        ['0'.repeat(64), 7],
      ]),
    );
    const other = await open();
    await app.keys.recordUse(
      new Map([
        [first, 3000],
        [second, 500],
      ]),
    );
    await other.keys.recordUse(
      new Map([
        [second, 400],
        [first, 2000],
      ]),
    );
    assert.deepEqual(
      [...(await app.keys.list('ana')), ...(await app.keys.list('bo'))].map(
        ({ last_used_at }) => last_used_at,
      ),
      [3000, 500],
    );
  });
});

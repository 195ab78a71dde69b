// Passwords: set after a fresh sign-in, one answer for all that is wrong, and a wait after too many.

import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { describe, it } from 'node:test';

import { createPasswords } from '../../src/app/server/sign-in/password.ts';
import { createAppWorld, jsonOf, NO_STORE, type AppWorld } from '../support/app/app-world.ts';
import { hashAtFullCost } from '../support/app/cheap-scrypt.ts';
import { engine } from '../support/engines/engine.ts';
import { assertFailure } from '../support/wire/response-shape.ts';

const PASSWORD = 'violet teapots orbit quietly';

/** Sets the password of an account in a browser. */
async function setPassword({ signIn }: AppWorld, account_id: string): Promise<void> {
  const opened = await signIn(account_id);
  assert.equal((await opened.post('/password', { password: PASSWORD })).status, 204);
}

describe('A password', () => {
  it('signs in by id or name, and is stored as scrypt with its parameters', async (t) => {
    hashAtFullCost(t);
    const world = await createAppWorld(t);
    const { browser, database } = world;
    await setPassword(world, 'ana');
    for (const account of ['ana', 'Account ana']) {
      const opened = browser();
      const answer = await opened.post('/sessions', {
        way: 'password',
        account,
        password: PASSWORD,
      });
      assert.equal(answer.status, 204, answer.text);
      assert.equal(jsonOf(await opened.get('/me'))['has_password'], true);
    }
    assert.deepEqual(jsonOf(await browser().get('/ways')), {
      passkey: false,
      password: true,
      asks_name: true,
      command: 'memory-gateway',
      database_option: '', // none was named
    });
    const rows = JSON.stringify(engine.edit(database, 'SELECT * FROM passwords'));
    const [, salt = '', key] = /scrypt\$32768\$8\$3\$([\w-]{22})\$([\w-]{43})"/.exec(rows) ?? [];
    const cost = { N: 32_768, r: 8, p: 3, maxmem: 2 ** 26 };
    const expected = scryptSync(PASSWORD, Buffer.from(salt, 'base64url'), 32, cost);
    assert.equal(key, expected.toString('base64url'));
    assert.ok(!rows.includes(PASSWORD));
  });

  it('that is wrong, of an unknown account, or of one without a password gets the same response', async (t) => {
    const world = await createAppWorld(t);
    await setPassword(world, 'ana');
    const texts = new Set<string>();
    for (const account of ['ana', 'bo', 'nobody', undefined]) {
      const body = { way: 'password', account, password: 'not the password' };
      const answer = await world.browser().post('/sessions', body);
      assertFailure(answer, 401, String(account), NO_STORE);
      texts.add(answer.text);
    }
    assert.equal(texts.size, 1);
  });

  it('needs no name if there is one account', async (t) => {
    const world = await createAppWorld(t);
    await setPassword(world, 'ana');
    world.writer.accounts.setDisabled('bo', true);
    const opened = world.browser();
    assert.equal(jsonOf(await opened.get('/ways'))['asks_name'], false);
    const wrong = await opened.post('/sessions', { way: 'password', password: 'not it' });
    assertFailure(wrong, 401, '', NO_STORE);
    assert.equal(jsonOf(wrong)['detail'], 'The password is wrong.');
    const answer = await opened.post('/sessions', { way: 'password', password: PASSWORD });
    assert.equal(answer.status, 204, answer.text);
  });

  it('waits after ten wrong ones, for a known and for an unknown account, and no other account does', async (t) => {
    const world = await createAppWorld(t);
    await setPassword(world, 'ana');
    await setPassword(world, 'bo');
    const ask = (account: string, password: string) =>
      world.browser().post('/sessions', { way: 'password', account, password });
    for (const account of ['ana', 'nobody']) {
      for (let i = 0; i < 10; i++) assert.equal((await ask(account, `wrong ${i}`)).status, 401);
      const answer = await ask(account, PASSWORD);
      assert.match(
        assertFailure(answer, 429, account, NO_STORE),
        /^Too many wrong passwords; wait/,
      );
      assert.ok(Number(answer.headers['retry-after']) >= 1);
    }
    assert.equal((await ask('bo', PASSWORD)).status, 204);
    engine.edit(world.database, 'UPDATE sign_in_failures SET last_at = last_at - 300000');
    assert.equal((await ask('ana', PASSWORD)).status, 204, 'never locked');
    engine.edit(world.database, 'UPDATE sign_in_failures SET last_at = last_at + 7200000');
    assert.equal((await ask('nobody', 'x')).status, 401, 'the clock was set back');
  });

  it('also waits by the address of the client, as far as a proxy names it', async (t) => {
    const world = await createAppWorld(t, { proxies: ['127.0.0.1'] });
    await setPassword(world, 'ana');
    const ask = (ip: string, account: string, password: string) =>
      world
        .browser({ headers: { 'x-forwarded-for': ip } })
        .post('/sessions', { way: 'password', account, password });
    for (let i = 0; i < 10; i++) assert.equal((await ask('10.9.9.9', `a${i}`, 'x')).status, 401);
    assertFailure(await ask('10.9.9.9', 'ana', PASSWORD), 429, '', NO_STORE);
    assert.equal((await ask('10.8.8.8', 'ana', PASSWORD)).status, 204);
  });

  it('is not kept from the owner by a stranger at another address, until a hundred were wrong', async (t) => {
    const world = await createAppWorld(t, { proxies: ['127.0.0.1'] });
    await setPassword(world, 'ana');
    const ask = (ip: string, password: string) =>
      world
        .browser({ headers: { 'x-forwarded-for': ip } })
        .post('/sessions', { way: 'password', account: 'ana', password });
    for (let i = 0; i < 10; i++) assert.equal((await ask('10.9.9.9', 'x')).status, 401);
    assertFailure(await ask('10.9.9.9', 'x'), 429, 'the stranger waits', NO_STORE);
    assert.equal((await ask('10.8.8.8', 'x')).status, 401, 'the owner types it wrong');
    const all = "WHERE subject LIKE 'account:%'";
    engine.edit(world.database, `UPDATE sign_in_failures SET count = 99 ${all}`);
    assert.equal((await ask('10.8.8.8', 'x')).status, 401);
    assertFailure(await ask('10.7.7.7', PASSWORD), 429, 'many addresses', NO_STORE);
    engine.edit(world.database, `UPDATE sign_in_failures SET last_at = last_at - 300000 ${all}`);
    assert.equal((await ask('10.7.7.7', PASSWORD)).status, 204, 'never locked');
    assert.equal(engine.edit(world.database, `SELECT * FROM sign_in_failures ${all}`).length, 0);
  });

  it('of one account does not free an address from waiting for its guesses at others', async (t) => {
    const world = await createAppWorld(t, { proxies: ['127.0.0.1'] });
    await setPassword(world, 'ana');
    const ask = (account: string, password: string) =>
      world
        .browser({ headers: { 'x-forwarded-for': '10.9.9.9' } })
        .post('/sessions', { way: 'password', account, password });
    for (let i = 0; i < 9; i++) assert.equal((await ask(`a${i}`, 'x')).status, 401);
    assert.equal((await ask('ana', PASSWORD)).status, 204);
    assert.equal((await ask('b', 'x')).status, 401);
    assertFailure(await ask('c', 'x'), 429, '', NO_STORE);
    engine.edit(world.database, 'UPDATE sign_in_failures SET last_at = last_at - 600001');
    for (let i = 0; i < 2; i++) assert.equal((await ask(`d${i}`, 'x')).status, 401, 'starts anew');
  });

  it('is right also while strangers try names that they made up', async (t) => {
    const world = await createAppWorld(t);
    await setPassword(world, 'ana');
    const ask = (account: string, password: string) =>
      world.browser().post('/sessions', { way: 'password', account, password });
    const strangers = Array.from({ length: 12 }, (_, i) => ask(`nobody ${i}`, 'x'));
    assert.equal((await ask('ana', PASSWORD)).status, 204);
    for (const { status } of await Promise.all(strangers)) assert.equal(status, 401);
  });

  it('is hashed two at a time, 32 wait, and further ones are told to', async () => {
    const passwords = createPasswords();
    const all = await Promise.allSettled(
      Array.from({ length: 40 }, () => passwords.matches('x', undefined)),
    );
    const refused = all.filter((each) => each.status === 'rejected');
    assert.equal(refused.length, 40 - 2 - 32);
    assert.equal(await passwords.matches('x', undefined), false, 'the others made room');
  });

  it('waits in two places of its address at most, so that one address leaves room for others', async () => {
    const passwords = createPasswords();
    const from = (count: number, address: string) =>
      Array.from({ length: count }, () => passwords.matches('x', undefined, address));
    const flood = Promise.allSettled(from(40, '10.9.9.9'));
    assert.deepEqual(await Promise.all(from(2, '10.8.8.8')), [false, false]);
    const refused = (await flood).filter((each) => each.status === 'rejected');
    assert.equal(refused.length, 40 - 2 - 2, 'two are hashed, two wait');
    assert.deepEqual(await Promise.all(from(4, '10.9.9.9')), [false, false, false, false]);
  });

  it('is set and removed by the account, with a sign-in of the last ten minutes', async (t) => {
    const world = await createAppWorld(t);
    await setPassword(world, 'ana');
    const opened = await world.signIn('ana');
    assert.equal((await opened.delete('/password')).status, 204);
    const answer = { way: 'password', account: 'ana', password: PASSWORD };
    assert.equal((await world.browser().post('/sessions', answer)).status, 401);
    engine.edit(world.database, `UPDATE sessions SET signed_in_at = ${Date.now() - 601_000}`);
    assertFailure(await opened.post('/password', { password: PASSWORD }), 409, '', NO_STORE);
    engine.edit(world.database, `UPDATE sessions SET signed_in_at = ${Date.now() + 3_600_000}`);
    const answerAfterClock = await opened.post('/password', { password: PASSWORD });
    assertFailure(answerAfterClock, 409, 'the clock was set back', NO_STORE);
  });
});

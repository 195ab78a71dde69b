// Passkeys: added after a fresh sign-in, used to sign in, and refused if anything about them is wrong.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import {
  createAppWorld,
  jsonOf,
  listOf,
  NO_STORE,
  type TestBrowser,
} from '../support/app/app-world.ts';
import { createPasskey, type Algorithm, type Ceremony } from '../support/app/authenticator.ts';
import { engine } from '../support/engines/engine.ts';
import { assertFailure } from '../support/wire/response-shape.ts';

const HERE = { origin: 'https://a.example', rpId: 'a.example' };

async function createHttpsWorld(t: TestContext) {
  const world = await createAppWorld(t, { baseUrl: HERE.origin });
  const challenge = async (browser: TestBrowser) =>
    String(jsonOf(await browser.post('/challenges'))['challenge']);
  return {
    ...world,
    signIn: (id: string) => world.signIn(id, HERE),
    browser: () => world.browser(HERE),
    challenge,
    /** Adds a new passkey to the account of a browser. */
    add: async (browser: TestBrowser, algorithm?: Algorithm) => {
      const passkey = createPasskey(algorithm);
      const body = passkey.register({ ...HERE, challenge: await challenge(browser), signCount: 1 });
      const answer = await browser.post('/passkeys', body);
      assert.equal(answer.status, 200, answer.text);
      return passkey;
    },
  };
}

describe('A passkey', () => {
  it('is of an account that devices know by 64 bytes at most, each by others', async (t) => {
    const { signIn, writer } = await createHttpsWorld(t);
    const handles = [];
    for (const id of ['ana', 'x'.repeat(127), 'x'.repeat(128)]) {
      if (id !== 'ana') writer.accounts.create({ id, name: id, created_by: 'command line' });
      const { user } = jsonOf(await (await signIn(id)).post('/challenges')) as {
        user: { handle: string };
      };
      handles.push(user.handle);
    }
    assert.equal(Buffer.from(handles[0] ?? '', 'base64url').toString(), 'ana');
    for (const handle of handles) assert.ok(Buffer.from(handle, 'base64url').length <= 64);
    assert.equal(new Set(handles).size, 3);
  });

  for (const algorithm of [-7, -8, -257] as const)
    it(`of the algorithm ${algorithm} is added, named, used and removed`, async (t) => {
      const { signIn, browser, challenge, add } = await createHttpsWorld(t);
      const opened = await signIn('ana');
      const passkey = await add(opened, algorithm);
      const named = await opened.post(`/passkeys/${passkey.id}`, { label: 'Key ring' });
      assert.equal(jsonOf(named)['label'], 'Key ring');
      const other = browser();
      const offered = jsonOf(await other.post('/challenges'));
      assert.deepEqual(
        [offered['rp_id'], offered['user'], offered['passkeys']],
        [HERE.rpId, null, []],
      );
      const body = passkey.assert({
        ...HERE,
        challenge: String(offered['challenge']),
        signCount: 2,
      });
      assert.equal((await other.post('/sessions', body)).status, 204);
      assert.deepEqual(jsonOf(await other.get('/me'))['account'], {
        id: 'ana',
        name: 'Account ana',
      });
      const [record] = listOf(await other.get('/passkeys'));
      assert.ok(record?.['last_used_at']);
      assert.equal((await other.delete(`/passkeys/${passkey.id}`)).status, 204);
      const again = { ...HERE, challenge: await challenge(browser()), signCount: 3 };
      assertFailure(await browser().post('/sessions', passkey.assert(again)), 401, '', NO_STORE);
    });

  it('signs in no more than once with one challenge, and not with another one', async (t) => {
    const { signIn, browser, challenge, add } = await createHttpsWorld(t);
    const passkey = await add(await signIn('ana'));
    const body = passkey.assert({ ...HERE, challenge: await challenge(browser()), signCount: 2 });
    const attempts = Array.from({ length: 10 }, () => browser().post('/sessions', body));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 204).length, 1);
    const made = passkey.assert({ ...HERE, challenge: 'A'.repeat(43), signCount: 3 });
    assertFailure(await browser().post('/sessions', made), 401, '', NO_STORE);
  });

  it('is refused with another origin, name, type, flag, counter or signature', async (t) => {
    const { signIn, browser, challenge, add } = await createHttpsWorld(t);
    const passkey = await add(await signIn('ana'));
    const wrong: Partial<Ceremony>[] = [
      { origin: 'https://evil.example' },
      { origin: 'http://a.example' },
      { rpId: 'evil.example' },
      { type: 'webauthn.create' },
      { flags: 0x01 },
      { flags: 0x04 },
      { signCount: 1 },
      { signCount: 0 },
      { crossOrigin: true },
    ];
    for (const change of wrong) {
      const made = { ...HERE, challenge: await challenge(browser()), signCount: 2, ...change };
      const answer = await browser().post('/sessions', passkey.assert(made));
      assertFailure(answer, 401, JSON.stringify(change), NO_STORE);
    }
    const good = { ...HERE, challenge: await challenge(browser()), signCount: 2 };
    const other = { ...createPasskey().assert(good), id: passkey.id };
    assertFailure(await browser().post('/sessions', other), 401, 'of another key', NO_STORE);
    const right = { ...HERE, challenge: await challenge(browser()), signCount: 2 };
    assert.equal((await browser().post('/sessions', passkey.assert(right))).status, 204);
  });

  it('is added only to the account that the challenge was for, by a fresh sign-in', async (t) => {
    const { signIn, challenge, database, browser } = await createHttpsWorld(t);
    const [ana, bo] = [await signIn('ana'), await signIn('bo')];
    const passkey = createPasskey();
    const ofBo = passkey.register({ ...HERE, challenge: await challenge(bo) });
    assertFailure(await ana.post('/passkeys', ofBo), 422, '', NO_STORE);
    const ofNobody = passkey.register({ ...HERE, challenge: await challenge(browser()) });
    assertFailure(await ana.post('/passkeys', ofNobody), 422, '', NO_STORE);
    const body = passkey.register({ ...HERE, challenge: await challenge(ana) });
    const wrongKey = { ...body, algorithm: -8 };
    assertFailure(await ana.post('/passkeys', wrongKey), 422, '', NO_STORE);
    const good = passkey.register({ ...HERE, challenge: await challenge(ana) });
    assert.equal((await ana.post('/passkeys', good)).status, 200);
    const twice = passkey.register({ ...HERE, challenge: await challenge(ana) });
    assertFailure(await ana.post('/passkeys', twice), 409, '', NO_STORE);
    engine.edit(database, `UPDATE sessions SET signed_in_at = ${Date.now() - 601_000}`);
    const late = createPasskey().register({ ...HERE, challenge: await challenge(ana) });
    assert.match(assertFailure(await ana.post('/passkeys', late), 409, '', NO_STORE), /10 minutes/);
    const { secret } = jsonOf(await ana.post('/links'));
    const other = browser();
    assert.equal((await other.post('/sessions', { way: 'link', secret })).status, 204);
    assert.equal(jsonOf(await other.get('/me'))['fresh_until'], null, 'as old as its link');
    const again = createPasskey().register({ ...HERE, challenge: await challenge(other) });
    assertFailure(await other.post('/passkeys', again), 409, '', NO_STORE);
    assertFailure(await bo.delete(`/passkeys/${passkey.id}`), 404, '', NO_STORE);
    assertFailure(await bo.post(`/passkeys/${passkey.id}`, { label: 'x' }), 404, '', NO_STORE);
  });

  it('is offered at https and localhost with a name only', async (t) => {
    const { signIn, port } = await createAppWorld(t);
    for (const [origin, expected] of [
      [`http://127.0.0.1:${port}`, false],
      [`http://gateway.local:${port}`, false],
      [`http://localhost:${port}`, true],
    ] as const) {
      const opened = await signIn('ana', { origin });
      const { passkey } = jsonOf(await opened.get('/ways'));
      assert.equal(passkey, expected, origin);
      const answer = await opened.post('/challenges');
      assert.equal(answer.status, expected ? 200 : 403, origin);
    }
  });

  it('can be used while another address starts too many sign-ins', async (t) => {
    const { browser } = await createAppWorld(t, {
      baseUrl: HERE.origin,
      proxies: ['127.0.0.1'],
    });
    const ask = async (ip: string) =>
      (await browser({ ...HERE, headers: { 'x-forwarded-for': ip } }).post('/challenges')).status;
    const statuses: number[] = [];
    // Enough to exceed the limit of one of two minutes.
    for (let i = 0; i < 61; i++) statuses.push(await ask('10.9.9.9'));
    assert.deepEqual([statuses[29], statuses.includes(429)], [200, true]);
    for (let i = 0; i < 150; i++) await ask(`10.7.7.${i % 5}`);
    assert.equal(await ask('10.8.8.8'), 200, 'there is no limit for all together');
  });
});

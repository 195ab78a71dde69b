// Sign-in by others: a configured proxy that names the account in a header, or the program that embeds the gateway.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createAppWorld, jsonOf, listOf } from '../support/app/app-world.ts';

describe('A proxy that signs people in', () => {
  it('is believed if it is configured, and nobody else is', async (t) => {
    const app = { signInHeader: 'Remote-User', signOutUrl: 'https://sso.example/out' };
    const proxied = await createAppWorld(t, { app, proxies: ['127.0.0.1'] });
    const other = await createAppWorld(t, { app, proxies: ['10.0.0.5'] });
    const headers = { 'remote-user': 'ana' };
    const me = jsonOf(await proxied.browser({ headers }).get('/me'));
    assert.deepEqual(me['account'], { id: 'ana', name: 'Account ana' });
    assert.deepEqual([me['session'], me['sign_out_url']], [null, 'https://sso.example/out']);
    assert.equal((await other.browser({ headers }).get('/me')).status, 401);
    for (const name of ['nobody', '', 'ana, bo', ' '])
      assert.equal(
        (await proxied.browser({ headers: { 'remote-user': name } }).get('/me')).status,
        401,
        name,
      );
    proxied.writer.accounts.setDisabled('ana', true);
    assert.equal((await proxied.browser({ headers }).get('/memories')).status, 401);
  });

  it('names the account by its name, too, and the header wins over a session', async (t) => {
    const app = { signInHeader: 'remote-user' };
    const { browser, signIn } = await createAppWorld(t, { app, proxies: ['127.0.0.1'] });
    const opened = await signIn('ana');
    assert.equal((await opened.get('/memories/one')).status, 200);
    const asBo = browser({ jar: opened.jar, headers: { 'remote-user': 'Account bo' } });
    assert.equal((await asBo.get('/memories/one')).status, 404);
    assert.equal((await asBo.get('/memories/two')).status, 200);
  });

  it('is held to the same rules about other sites', async (t) => {
    const app = { signInHeader: 'remote-user' };
    const { browser } = await createAppWorld(t, { app, proxies: ['127.0.0.1'] });
    const opened = browser({ headers: { 'remote-user': 'ana' } });
    const wrong = { origin: 'https://evil.example' };
    assert.equal((await opened.post('/keys', { label: 'x', expires_at: null }, wrong)).status, 403);
    assert.equal((await opened.post('/keys', { label: 'x', expires_at: null })).status, 200);
    assert.equal((await opened.post('/password', { password: 'x'.repeat(20) })).status, 409);
  });

  it('makes no sign-in fresh, also not that of another device by a link', async (t) => {
    const app = { signInHeader: 'remote-user' };
    const { browser } = await createAppWorld(t, { app, proxies: ['127.0.0.1'] });
    const { secret } = jsonOf(await browser({ headers: { 'remote-user': 'ana' } }).post('/links'));
    assert.equal(jsonOf(await browser().post('/links/look', { secret }))['can_add_way'], false);
    const other = browser();
    assert.equal((await other.post('/sessions', { way: 'link', secret })).status, 204);
    assert.equal(jsonOf(await other.get('/me'))['fresh_until'], null);
    assert.equal((await other.post('/password', { password: 'x'.repeat(20) })).status, 409);
  });
});

describe('A host that knows who is signed in', () => {
  it('decides the account of each request, and the app has no sessions of its own', async (t) => {
    const app = {
      accountOf: (request: { readonly headers: unknown }) =>
        Reflect.get(Object(request.headers), 'x-host-user') as string | undefined,
      signOutUrl: '/out',
    };
    const { browser, link } = await createAppWorld(t, { app });
    const opened = browser({ headers: { 'x-host-user': 'bo' } });
    const me = jsonOf(await opened.get('/me'));
    assert.deepEqual([me['session'], me['sign_out_url']], [null, '/out']);
    assert.equal((await opened.get('/memories/two')).status, 200);
    assert.equal((await opened.post('/keys', { label: 'x', expires_at: null })).status, 200);
    assert.equal(listOf(await opened.get('/keys')).length, 2);
    const secret = await link('ana');
    for (const [path, body] of [
      ['/sessions', { way: 'link', secret }],
      ['/links', {}],
      ['/links/look', { secret }],
      ['/passkeys', {}],
      ['/password', { password: 'x'.repeat(20) }],
    ] as const) {
      const answer = await opened.post(path, body);
      assert.ok([404, 405].includes(answer.status), `${path} ${answer.status}`);
      assert.equal(answer.headers['set-cookie'], undefined);
    }
    assert.equal((await browser().get('/me')).status, 401);
    const unknown = browser({ headers: { 'x-host-user': 'nobody' } });
    for (const path of ['/me', '/memories', '/keys'])
      assert.equal((await unknown.get(path)).status, 401, path);
  });

  it('opens nothing to a page of another host that resolves to ours, if the base URL is an address', async (t) => {
    const app = { accountOf: () => 'ana' };
    const baseUrl = 'https://memories.example';
    const { browser } = await createAppWorld(t, { app, baseUrl });
    const ours = browser({ origin: baseUrl });
    assert.equal((await ours.get('/memories/one')).status, 200);
    assert.equal((await ours.post('/keys', { label: 'x', expires_at: null })).status, 200);
    for (const origin of ['http://evil.example', 'https://memories.example:8443', 'https://a.b'])
      for (const path of ['/memories/one', '/memories', '/me', '/keys']) {
        const answer = await browser({ origin }).get(path);
        assert.equal(answer.status, 403, `${origin} ${path}`);
        assert.match(answer.text, /names another host than the base URL/);
      }
    const proxied = await createAppWorld(t, { app, baseUrl, proxies: ['127.0.0.1'] });
    const behind = proxied.browser({ origin: 'http://127.0.0.1:8787' });
    assert.equal((await behind.get('/memories/one')).status, 200, 'a proxy that names itself');
  });
});

// Reading in the web app: the handlers of /v1 behind a session, and nothing else opens them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createAppWorld } from '../support/app/app-world.ts';
import { engine } from '../support/engines/engine.ts';
import { send } from '../support/wire/wire.ts';

const READS = [
  '/memories',
  '/memories?limit=1',
  '/memories/one',
  '/memories/one/lines?first=1',
  '/memories/none',
  '/memories/%zz',
  '/memories?limit=0',
  '/memories?nothing=1',
  '/search?q=word',
  '/days',
  '/changes',
  '/nothing',
];

const CACHING = { 'cache-control': 'private, no-cache', vary: 'cookie, accept-encoding' };

describe('A read of the app', () => {
  it('has the status, the bytes and the ETag of /v1, for the same account', async (t) => {
    const { signIn, port, keys } = await createAppWorld(t);
    const opened = await signIn();
    for (const path of READS)
      for (const encoding of ['identity', 'gzip']) {
        const headers = { 'accept-encoding': encoding };
        const own = await opened.get(path, headers);
        const key = await send(port, { path: `/v1${path}`, key: keys.ana, headers });
        assert.deepEqual([own.status, own.text], [key.status, key.text], path);
        assert.equal(own.headers['etag'], key.headers['etag'], path);
        assert.equal(own.headers['content-encoding'], key.headers['content-encoding'], path);
        const { 'cache-control': caching, vary } = own.headers;
        assert.deepEqual({ 'cache-control': caching, vary }, CACHING, path);
        assert.equal(
          own.headers['link'],
          key.headers['link']?.replaceAll('</v1', '</app/v1'),
          path,
        );
        const etag = own.headers['etag'];
        if (etag === undefined) continue;
        const again = await opened.get(path, { ...headers, 'if-none-match': etag });
        assert.equal(again.status, 304, path);
        assert.equal(again.headers['cache-control'], CACHING['cache-control']);
      }
  });

  it('shares the cached responses of /v1', async (t) => {
    const { signIn, port, keys, gateway } = await createAppWorld(t);
    const opened = await signIn();
    await send(port, { path: '/v1/memories/one', key: keys.ana });
    const { hits } = gateway.stats().cache;
    await opened.get('/memories/one');
    assert.equal(gateway.stats().cache.hits, hits + 1);
  });

  it('is of the account of the session alone', async (t) => {
    const { signIn } = await createAppWorld(t);
    const [ana, bo] = [await signIn('ana'), await signIn('bo')];
    assert.equal((await ana.get('/memories/one')).status, 200);
    const [foreign, absent] = [await bo.get('/memories/one'), await bo.get('/memories/absent')];
    assert.deepEqual([foreign.status, foreign.text], [404, absent.text]);
  });

  it('ignores API keys, as /v1 ignores cookies', async (t) => {
    const { signIn, browser, keys } = await createAppWorld(t);
    const [opened, stranger] = [await signIn('ana'), browser()];
    for (const headers of [
      { authorization: `Bearer ${keys.bo}` },
      { 'x-api-key': keys.bo },
    ] as Record<string, string>[]) {
      for (const path of ['/memories', '/me', '/keys'])
        assert.equal((await stranger.get(path, headers)).status, 401, path);
      assert.equal((await opened.get('/memories/two', headers)).status, 404);
      assert.equal((await opened.get('/memories/one', headers)).status, 200);
      assert.equal((await opened.get('/v1/memories/two', headers)).status, 200);
      assert.equal((await opened.get('/v1/memories/one', headers)).status, 404);
    }
    const answer = await opened.get('/v1/memories/one');
    assert.deepEqual([answer.status, answer.headers['www-authenticate']], [401, 'Bearer']);
    assert.equal((await stranger.get('/me')).headers['www-authenticate'], 'Session');
  });

  it('takes no cookie of another form, name or secret', async (t) => {
    const { signIn, browser, port, keys } = await createAppWorld(t);
    const { jar } = await signIn();
    const [[name = '', token = ''] = []] = jar;
    for (const cookie of [
      `${name}=${token}x`,
      `${name}=${token.slice(1)}`,
      `${name}="${token}"`,
      `${name}=`,
      `${name.toUpperCase()}=${token}`,
      `memories_${port + 1}=${token}`,
      `__Host-memories=${token}`,
      `memories=${token}`,
      `${name}=${keys.ana}`,
      `${name}=${'A'.repeat(43)}`,
      `x=1 ${name}=${token}`,
    ])
      assert.equal((await browser().get('/me', { cookie })).status, 401, cookie);
    for (const cookie of [
      `${name}=${token}`,
      `a=b; ${name}=${token}; c=d`,
      `${name}=x; ${name}=${token}`,
    ])
      assert.equal((await browser().get('/me', { cookie })).status, 200, cookie);
  });
});

describe('No request', () => {
  it('of the app changes a memory', async (t) => {
    const { signIn, database } = await createAppWorld(t);
    const state = () =>
      ['memories', 'changes'].map((table) => engine.edit(database, `SELECT * FROM ${table}`));
    const before = state();
    const opened = await signIn();
    for (const path of READS) {
      await opened.get(path);
      await opened.post(path, { id: 'one' });
      await opened.delete(path);
    }
    await opened.post('/keys', { label: 'x', expires_at: null });
    await opened.post('/links');
    await opened.delete('/sessions/current');
    assert.deepEqual(state(), before);
  });
});

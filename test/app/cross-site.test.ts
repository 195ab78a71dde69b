// Cross-site requests: what another origin makes a browser send is refused, and changes nothing.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import {
  cookieOf,
  createAppWorld,
  listOf,
  NO_STORE,
  type AppWorld,
} from '../support/app/app-world.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send, sendRaw } from '../support/wire/wire.ts';

/** Creates a world with a signed-in browser, and what sends a request for a new key with other headers. */
async function createKeyMaker(world: AppWorld) {
  const { signIn, port } = world;
  const browser = await signIn();
  const cookie = cookieOf(browser.jar);
  const body = JSON.stringify({ label: 'x', expires_at: null });
  const origin = `http://127.0.0.1:${port}`;
  const own = { cookie, origin, host: `127.0.0.1:${port}`, 'content-type': 'application/json' };
  const ask = (change: Record<string, string | undefined>) => {
    const all = Object.entries({ ...own, ...change }).filter(([, value]) => value !== undefined);
    const headers = Object.fromEntries(all) as Record<string, string>;
    return send(port, { method: 'POST', path: '/app/v1/keys', headers, body });
  };
  const count = async () => listOf(await browser.get('/keys')).length;
  return { ask, count, cookie, origin, browser };
}

describe('A request that changes something', () => {
  it('is refused from another origin, another port, another scheme, or without Origin', async (t) => {
    const world = await createAppWorld(t);
    const { ask, count, origin } = await createKeyMaker(world);
    const before = await count();
    for (const wrong of [
      undefined,
      'null',
      'https://evil.example',
      `http://127.0.0.1:${world.port + 1}`,
      'http://127.0.0.1',
      `https://127.0.0.1:${world.port}`,
      `http://localhost:${world.port}`,
      `${origin}/`,
      `${origin}, ${origin}`,
    ])
      assertFailure(await ask({ origin: wrong }), 403, String(wrong), NO_STORE);
    for (const site of ['cross-site', 'same-site', 'none', 'x'])
      assertFailure(await ask({ 'sec-fetch-site': site }), 403, site, NO_STORE);
    assert.equal(await count(), before);
    assert.equal((await ask({ 'sec-fetch-site': 'same-origin' })).status, 200);
    assert.equal(await count(), before + 1);
  });

  it('is refused with another content type, which pages may send without asking', async (t) => {
    const world = await createAppWorld(t);
    const { ask, count } = await createKeyMaker(world);
    const before = await count();
    for (const type of [
      undefined,
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json, text/plain',
      'application/jsonx',
      'application/json; charset=utf-16',
    ])
      assertFailure(await ask({ 'content-type': type }), 415, String(type), NO_STORE);
    assert.equal(await count(), before);
    assert.equal((await ask({ 'content-type': 'Application/JSON; charset=UTF-8' })).status, 200);
  });

  it('has a body of at most 8 kB and with a length', async (t) => {
    const { port, browser } = await createAppWorld(t);
    const opened = browser();
    const large = { way: 'link', secret: 'x'.repeat(8192) };
    assertFailure(await opened.post('/sessions', large), 413, '', NO_STORE);
    const head = `POST /app/v1/sessions HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://127.0.0.1:${port}\r\nContent-Type: application/json\r\n`;
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
    assertFailure(await sendRaw(port, chunked), 411, '', NO_STORE);
    assertFailure(await sendRaw(port, `${head}Connection: close\r\n\r\n`), 411, '', NO_STORE);
  });

  it('is one of the methods of its path', async (t) => {
    const { signIn, port } = await createAppWorld(t);
    const { jar } = await signIn();
    const cookie = cookieOf(jar);
    const headers = {
      cookie,
      origin: `http://127.0.0.1:${port}`,
      'content-type': 'application/json',
    };
    const ask = (method: string, path: string) => send(port, { method, path, headers });
    for (const [method, path, allow] of [
      ['DELETE', '/app/v1/keys', 'GET, HEAD, POST'],
      ['PUT', '/app/v1/keys', 'GET, HEAD, POST'],
      ['GET', '/app/v1/links', 'POST'],
      ['POST', '/app/v1/me', 'GET, HEAD'],
      ['PATCH', '/app/v1/sessions', 'POST, GET, HEAD, DELETE'],
      ['POST', '/app/v1/memories', 'GET, HEAD'],
      ['DELETE', '/app/v1/memories/one', 'GET, HEAD'],
      ['POST', '/app/', 'GET, HEAD'],
      ['OPTIONS', '/app/v1/keys', 'GET, HEAD, POST'],
    ] as const) {
      const answer = await ask(method, path);
      assert.equal(answer.status, 405, `${method} ${path}: ${answer.text}`);
      assert.equal(answer.headers['allow'], allow, `${method} ${path}`);
    }
    assert.equal((await ask('GET', '/app/v1/memories/one')).status, 200);
  });
});

describe('A read', () => {
  it('is refused if the browser says that another site asks, or that it is a navigation', async (t) => {
    const { signIn, port } = await createAppWorld(t);
    const opened = await signIn();
    for (const path of ['/memories', '/memories/one', '/search?q=word', '/keys', '/me'])
      for (const site of ['cross-site', 'same-site', 'none']) {
        const answer = await opened.get(path, { 'sec-fetch-site': site });
        assert.equal(answer.status, 403, `${path} ${site}`);
        assert.doesNotMatch(answer.text, /word/);
      }
    // On plain http, browsers name the origin of some reads and nothing else.
    for (const origin of ['null', 'http://evil.example', `http://127.0.0.1:${port + 1}`]) {
      const answer = await opened.get('/memories/one', { origin });
      assert.equal(answer.status, 403, origin);
      assert.doesNotMatch(answer.text, /word/);
    }
    const own = await opened.get('/memories', { 'sec-fetch-site': 'same-origin' });
    assert.equal(own.status, 200);
    assert.equal(own.headers['access-control-allow-origin'], undefined);
  });

  it('is shown in no page of another port of the host', async (t) => {
    const { signIn } = await createAppWorld(t);
    const opened = await signIn();
    for (const path of ['/memories', '/memories/one', '/memories/none', '/keys', '/me']) {
      const { headers } = await opened.get(path);
      assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, path);
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin', path);
    }
  });
});

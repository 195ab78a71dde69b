// Sessions of the web app: sign-in by link, devices, and every way in which a session ends.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Address } from '../../src/app/server/request/address.ts';
import { readCookie } from '../../src/app/server/sign-in/cookie.ts';
import {
  createAppWorld,
  jsonOf,
  listOf,
  NO_STORE,
  type TestBrowser,
} from '../support/app/app-world.ts';
import { assertFailure } from '../support/wire/response-shape.ts';

const isSignedIn = async (browser: TestBrowser) => (await browser.get('/me')).status === 200;

describe('The cookie of a session', () => {
  it('has the prefix of its name, and not one behind a space of Unicode', () => {
    const address = { isHttps: true, port: 443, appPath: '/app' } as unknown as Address;
    const token = 'a'.repeat(43);
    const read = (cookie: string) => readCookie(new Map([['cookie', [cookie]]]), address);
    assert.equal(read(`a=b; \t__Host-memories=${token} ;c=d`), token);
    for (const space of ['\xA0', '\uFEFF', '\v', '\f', '\u2003'])
      assert.equal(read(`a=b; ${space}__Host-memories=${token}`), undefined);
  });
});

describe('A sign-in link', () => {
  it('shows whose it is without being used, and signs in', async (t) => {
    const { link, browser } = await createAppWorld(t);
    const secret = await link('ana');
    const opened = browser();
    const look = jsonOf(await opened.post('/links/look', { secret }));
    assert.equal(look['name'], 'Account ana');
    assert.ok(Date.parse(String(look['expires_at'])) > Date.now());
    assert.equal(look['can_add_way'], true);
    assert.equal(await isSignedIn(opened), false);
    const answer = await opened.post('/sessions', { way: 'link', secret });
    assert.deepEqual([answer.status, answer.text], [204, '']);
    assert.equal(answer.headers['cache-control'], 'no-store');
    const me = jsonOf(await opened.get('/me'));
    assert.deepEqual(me['account'], { id: 'ana', name: 'Account ana' });
    assert.equal(me['can_write'], true);
    assert.ok(Date.parse(String(me['fresh_until'])) > Date.now());
  });

  it('works once, also with twenty attempts at the same time', async (t) => {
    const { link, browser } = await createAppWorld(t);
    const secret = await link('ana');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => browser().post('/sessions', { way: 'link', secret })),
    );
    assert.equal(answers.filter(({ status }) => status === 204).length, 1);
    for (const answer of answers.filter(({ status }) => status !== 204))
      assert.match(assertFailure(answer, 401, '', NO_STORE), /was used already, or it is older/);
    assertFailure(await browser().post('/links/look', { secret }), 401, '', NO_STORE);
  });

  it('is made for another device by one that is signed in', async (t) => {
    const { signIn, browser } = await createAppWorld(t);
    const first = await signIn('bo');
    const { secret } = jsonOf(await first.post('/links'));
    const phone = browser({
      headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 15) Chrome/150.0' },
    });
    assert.equal((await phone.post('/sessions', { way: 'link', secret })).status, 204);
    assert.deepEqual(jsonOf(await phone.get('/me'))['account'], { id: 'bo', name: 'Account bo' });
    const agents = listOf(await first.get('/sessions')).map(({ agent }) => agent);
    assert.deepEqual(agents, ['Chrome on Android', 'A browser']);
  });
});

describe('The cookie of a session', () => {
  it('is kept from scripts and other paths, lasts 90 days, and has the port in its name', async (t) => {
    const { link, browser, port } = await createAppWorld(t);
    const secret = await link('ana');
    const answer = await browser().post('/sessions', { way: 'link', secret });
    assert.match(
      String(answer.headers['set-cookie']),
      new RegExp(
        `^memories_${port}=[\\w-]{43}; Path=/app; HttpOnly; SameSite=Lax; Max-Age=7776000$`,
      ),
    );
  });

  it('ends with the browser if the person wants it "only this time"', async (t) => {
    const { link, browser } = await createAppWorld(t);
    const body = { way: 'link', secret: await link('ana'), only_this_time: true };
    const opened = browser();
    const answer = await opened.post('/sessions', body);
    assert.doesNotMatch(String(answer.headers['set-cookie']), /Max-Age|Expires/i);
    const [session] = listOf(await opened.get('/sessions'));
    const hours = (Date.parse(String(session?.['ends_at'])) - Date.now()) / 3_600_000;
    assert.ok(hours > 11.9 && hours <= 12, String(hours));
  });

  it('is a secure one of this host alone if the base URL is https', async (t) => {
    const baseUrl = 'https://a.example/memories';
    const { link, browser } = await createAppWorld(t, { baseUrl });
    const options = { prefix: '/memories', origin: 'https://a.example' };
    const body = { way: 'link', secret: await link('ana') };
    const opened = browser(options);
    const answer = await opened.post('/sessions', body);
    assert.match(
      String(answer.headers['set-cookie']),
      /^__Host-memories=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=7776000$/,
    );
    assert.equal(jsonOf(await opened.get('/me'))['api_url'], 'https://a.example/memories/v1');
  });

  it('believes X-Forwarded-Proto of a configured proxy only', async (t) => {
    const proxied = await createAppWorld(t, { proxies: ['127.0.0.1'] });
    const other = await createAppWorld(t, { proxies: ['10.0.0.5'] });
    const headers = { 'x-forwarded-proto': 'https' };
    const origin = 'https://a.example';
    for (const [{ link, browser }, status] of [
      [proxied, 204],
      [other, 403],
    ] as const) {
      const body = { way: 'link', secret: await link('ana') };
      const answer = await browser({ origin, headers }).post('/sessions', body);
      assert.equal(answer.status, status, answer.text);
      if (status === 204) assert.match(String(answer.headers['set-cookie']), /^__Host-.*; Secure/);
    }
  });

  it('of two gateways on two ports of a host is kept by one browser', async (t) => {
    const [one, two] = [await createAppWorld(t), await createAppWorld(t)];
    const jar = new Map<string, string>();
    const first = await one.signIn('ana', { jar });
    const second = await two.signIn('bo', { jar });
    assert.equal(jar.size, 2);
    assert.deepEqual(
      [jsonOf(await first.get('/me'))['account'], jsonOf(await second.get('/me'))['account']],
      [
        { id: 'ana', name: 'Account ana' },
        { id: 'bo', name: 'Account bo' },
      ],
    );
  });
});

describe('A session ends', () => {
  it('by signing out, which also removes the cookie and what the browser has cached', async (t) => {
    const { signIn, browser } = await createAppWorld(t);
    const opened = await signIn();
    const stolen = browser({ jar: new Map(opened.jar) });
    const answer = await opened.delete('/sessions/current');
    assert.equal(answer.status, 204);
    assert.equal(answer.headers['clear-site-data'], '"cache"');
    assert.match(
      String(answer.headers['set-cookie']),
      /=; Path=\/app; HttpOnly; SameSite=Lax; Max-Age=0$/,
    );
    assert.equal(opened.jar.size, 0);
    assert.equal(await isSignedIn(stolen), false);
  });

  it('by "End all others", which leaves the one that said it', async (t) => {
    const { signIn } = await createAppWorld(t);
    const [first, second, bo] = [await signIn(), await signIn(), await signIn('bo')];
    assert.equal((await first.delete('/sessions')).status, 204);
    assert.deepEqual(
      [await isSignedIn(first), await isSignedIn(second), await isSignedIn(bo)],
      [true, false, true],
    );
  });

  it('by another device of the account, and not by another account', async (t) => {
    const { signIn } = await createAppWorld(t);
    const [first, second, bo] = [await signIn(), await signIn(), await signIn('bo')];
    const sessions = listOf(await first.get('/sessions'));
    assert.deepEqual(new Set(sessions.map((each) => each['is_current'])), new Set([false, true]));
    const other = String(sessions.find((each) => each['is_current'] === false)?.['id']);
    assertFailure(await bo.delete(`/sessions/${other}`), 404, '', NO_STORE);
    assert.equal(await isSignedIn(second), true);
    assert.equal((await first.delete(`/sessions/${other}`)).status, 204);
    assertFailure(await first.delete(`/sessions/${other}`), 404, '', NO_STORE);
    assert.deepEqual([await isSignedIn(first), await isSignedIn(second)], [true, false]);
  });

  it('when the same browser signs in anew', async (t) => {
    const { signIn, browser } = await createAppWorld(t);
    const opened = await signIn();
    const old = browser({ jar: new Map(opened.jar) });
    await signIn('bo', { jar: opened.jar });
    assert.equal(await isSignedIn(old), false);
    assert.deepEqual(jsonOf(await opened.get('/me'))['account'], { id: 'bo', name: 'Account bo' });
  });

  it('when its account is disabled, on the next request', async (t) => {
    const { signIn, writer } = await createAppWorld(t);
    const opened = await signIn();
    assert.equal((await opened.get('/memories')).status, 200);
    writer.accounts.setDisabled('ana', true);
    assertFailure(await opened.get('/me'), 401, '', NO_STORE);
    assert.equal((await opened.get('/memories')).status, 401);
  });
});

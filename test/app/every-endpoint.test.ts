// What holds for every endpoint of the app: who may call it, from where, and what a read-only app refuses.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { appRoutes } from '../../src/app/contract/app-routes.ts';
import { endpointsOf } from '../../src/contract/endpoints.ts';
import type { Route } from '../../src/contract/route.ts';
import { createAppWorld, jsonOf, NO_STORE, type TestBrowser } from '../support/app/app-world.ts';
import { assertFailure } from '../support/wire/response-shape.ts';

const ENDPOINTS = endpointsOf<Route>(appRoutes);

/** Calls an endpoint with ids that are nobody's. */
function call(
  browser: TestBrowser,
  { method, path }: Route,
  { body = {}, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
) {
  const target = path.replace('/app/v1', '').replace('{id}', 'x').replace('{n}', '0');
  if (method === 'POST') return browser.post(target, body, headers);
  if (method === 'PUT') return browser.put(target, headers);
  return method === 'DELETE' ? browser.delete(target, headers) : browser.get(target, headers);
}

describe('Every endpoint of the app', () => {
  it('needs a session, unless it signs in', async (t) => {
    const { browser } = await createAppWorld(t);
    const stranger = browser();
    for (const { name, route } of ENDPOINTS)
      if (route.auth === 'session') assertFailure(await call(stranger, route), 401, name, NO_STORE);
    for (const path of ['/memories', '/nothing'])
      assert.equal((await stranger.get(path)).status, 401, path);
    assert.deepEqual(jsonOf(await stranger.get('/ways')), {
      passkey: false,
      password: false,
      asks_name: true,
      command: 'memory-gateway',
      database_option: '',
    });
  });

  it('refuses what another site makes a browser send', async (t) => {
    const { signIn } = await createAppWorld(t);
    const browser = await signIn();
    for (const { name, route } of ENDPOINTS)
      for (const headers of [
        { origin: 'https://evil.example' },
        { 'sec-fetch-site': 'cross-site' },
      ])
        assertFailure(await call(browser, route, { headers }), 403, name, NO_STORE);
  });
});

/** What the endpoints that write memories, and those beside them, take. */
const WRITES: Readonly<Record<string, object>> = {
  'me.erase': { name: 'ana' },
  'imports.create': {},
  'imports.write': {},
  'imports.check': {},
  'imports.run': {},
  'imports.get': {},
  'imports.remove': {},
  'sources.list': {},
  'sources.save': { product: 'limitless', every_minutes: 60, key: 'x' },
  'sources.run': {},
  'sources.remove': {},
  'shares.list': {},
  'shares.create': { memory_id: 'one', when: 'today' },
  'shares.revoke': {},
  'edits.create': { memory_id: 'one', name: 'x' },
  'edits.list': {},
  'edits.undo': {},
  'deletions.create': { ids: ['one'] },
  'deletions.list': {},
  'deletions.get': {},
  'deletions.undo': { ids: ['one'] },
  'deletions.empty': {},
};

describe('A read-only app', () => {
  it('refuses all that writes memories, says so, and tells its pages', async (t) => {
    const { signIn } = await createAppWorld(t);
    const browser = await signIn();
    const groups = new Set(Object.keys(WRITES).map((name) => name.split('.')[0]));
    for (const { name, route } of ENDPOINTS) {
      const body = WRITES[name];
      if (body === undefined) assert.ok(!groups.has(name.split('.')[0]) || name === 'me.get', name);
      else {
        const detail = assertFailure(await call(browser, route, { body }), 403, name, NO_STORE);
        assert.match(detail, /^The app of this gateway is read-only[,;] .*--app on/, name);
      }
    }
    const { can_import, can_share, bin_days } = jsonOf(await browser.get('/me'));
    assert.deepEqual(
      { can_import, can_share, bin_days },
      {
        can_import: false,
        can_share: false,
        bin_days: null,
      },
    );
  });
});

// The list of paths is the contract's alone: the gateway and nginx agree with it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { appRoutes } from '../../src/app/contract/app-routes.ts';
import { endpointsOf } from '../../src/contract/endpoints.ts';
import { httpEndpoints } from '../../src/contract/file-routes.ts';
import type { Route } from '../../src/contract/route.ts';
import { createAppWorld } from '../support/app/app-world.ts';
import { send } from '../support/wire/wire.ts';
import { ROOT } from '../support/world/program.ts';

const own = httpEndpoints.map(({ route }) => route);
const ofApp = endpointsOf<Route>(appRoutes).map(({ route }) => route);
const fill = (path: string) => path.replaceAll(/\{\w+\}/g, 'one');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('The paths of the contract', () => {
  it('are served with and without the prefix of the base URL', async (t) => {
    const baseUrl = 'https://a.example/memories';
    const { port, keys, link, browser } = await createAppWorld(t, { baseUrl });
    for (const prefix of ['', '/memories']) {
      const opened = browser({ prefix, origin: 'https://a.example' });
      await opened.post('/sessions', { way: 'link', secret: await link('ana') });
      for (const { path } of own)
        for (const start of ['', '/app']) {
          const target = `${prefix}${start}${fill(path)}`;
          const answer =
            start === ''
              ? await send(port, { path: target, key: keys.ana })
              : await opened.get(fill(path).replace('/v1', ''));
          const isThere = answer.status === 200 || answer.status === 422;
          assert.ok(
            isThere || /No (?:original|recording) of this memory/.test(answer.text),
            `${target} ${answer.status}`,
          );
        }
      for (const { method, path } of ofApp) {
        const below = fill(path).replace('/app/v1', '');
        const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
        const answer = await opened[verb](below);
        const what = `${method} ${prefix}${path} ${answer.status} ${answer.text}`;
        assert.ok(answer.status < 500 && ![401, 405].includes(answer.status), what);
        assert.doesNotMatch(answer.text, /nothing at this path/, what);
      }
    }
  });

  it('have a credential that their prefix tells', () => {
    for (const { path, auth } of own) assert.ok(path.startsWith('/v1/') && auth === 'key', path);
    for (const { path, auth } of ofApp)
      assert.ok(path.startsWith('/app/v1/') && auth !== 'key', path);
  });

  it('take a body where the example of nginx passes one on, and nowhere else', () => {
    const nginx = read('scripts/deploy/nginx.conf');
    const withBody = Array.from(
      nginx.matchAll(/location (~ )?(\S+) \{\s+client_max_body_size/g),
      ([, isPattern, place = '']) => (isPattern ? new RegExp(place) : new RegExp(`^${place}`)),
    );
    assert.equal(withBody.length, 2);
    const passes = (path: string) => withBody.some((place) => place.test(path));
    for (const { path, method } of own)
      assert.equal(passes(fill(path)), method !== 'GET', `${method} ${path}`);
    for (const { path } of ofApp) assert.ok(passes(fill(path)), path);
    for (const path of ['/mcp', '/mcp/connect', '/oauth/token', '/oauth/revoke', '/oauth/register'])
      assert.ok(passes(path), path);
    for (const path of ['/', '/app/', '/app/settings', '/docs', '/healthz', '/oauth/authorize'])
      assert.ok(!passes(path), path);
  });
});

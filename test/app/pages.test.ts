// The pages of the app: one shell for every address, its files, its policy, and the sandbox of /docs.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createAppWorld } from '../support/app/app-world.ts';
import { UNPACK } from '../support/wire/openapi-check.ts';
import { send } from '../support/wire/wire.ts';

const PATHS = [
  '/app/',
  '/app/sign-in',
  '/app/search?q=milk',
  '/app/changes',
  '/app/m/one',
  '/app/calendar/2026',
  '/app/days/2026-11-18',
  '/app/settings',
  '/app/settings/reading',
  '/app/settings/access',
  '/app/settings/devices',
  '/app/settings/sources',
  '/app/settings/shares',
  '/app/settings/about',
];

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types worker";

describe('The shell', () => {
  it('is at every address of a screen, with its policy and without a session', async (t) => {
    const { port } = await createAppWorld(t);
    for (const path of PATHS) {
      const { status, headers, text } = await send(port, { path });
      assert.equal(status, 200, path);
      assert.match(text, /^<!doctype html>/, path);
      assert.equal(headers['content-security-policy'], POLICY, path);
      assert.equal(headers['referrer-policy'], 'no-referrer', path);
      assert.match(String(headers['permissions-policy']), /camera=\(\)/, path);
      assert.equal(headers['x-content-type-options'], 'nosniff', path);
      assert.equal(headers['cross-origin-opener-policy'], undefined, 'browsers ignore it on http');
      assert.equal(headers['cache-control'], 'no-cache', path);
      assert.equal(headers['set-cookie'], undefined, path);
    }
    for (const path of ['/app/../v1', '/app/m/a/b/c', '/app/nothing.js']) {
      const { status, headers } = await send(port, { path });
      assert.deepEqual(
        [status, headers['content-type']],
        [404, 'application/json; charset=utf-8'],
        path,
      );
    }
  });

  it('has the colours that the reader has chosen before its script runs, and no others', async (t) => {
    const { port } = await createAppWorld(t);
    const shellOf = async (cookie: string) => {
      const { headers, text } = await send(port, { path: '/app/', headers: { cookie } });
      assert.equal(headers['vary'], 'accept-encoding, cookie');
      const theme = /<html lang="en"([^>]*)>/.exec(text)?.[1];
      return [theme, /name="color-scheme" content="([^"]*)"/.exec(text)?.[1], headers['etag']];
    };
    const [none, both, etag] = await shellOf('a=b');
    assert.deepEqual([none, both], ['', 'light dark']);
    const dark = await shellOf('a=b; memories-theme=dark');
    assert.deepEqual(dark.slice(0, 2), [' data-theme="dark"', 'dark']);
    assert.notEqual(dark[2], etag, 'no cache takes one for the other');
    const light = await shellOf('memories-theme=light; c=d');
    assert.deepEqual(light.slice(0, 2), [' data-theme="light"', 'light']);
    for (const other of [
      'memories-theme="><script>',
      'memories-theme=darker',
      'x-memories-theme=dark',
    ])
      assert.deepEqual(await shellOf(other), [none, both, etag], other);
  });

  it('says so with its status at an address that somebody has mistyped', async (t) => {
    const { port } = await createAppWorld(t);
    for (const path of [
      '/app/nothing',
      '/app/m/',
      '/app/m/a/b',
      '/app/settings/',
      '/app/settings/x',
    ]) {
      const { status, headers, text } = await send(port, { path });
      assert.equal(status, 404, path);
      assert.match(text, /^<!doctype html>/, path);
      assert.equal(headers['content-security-policy'], POLICY, path);
      const any = await send(port, { path, headers: { 'if-none-match': '*' } });
      assert.deepEqual([any.status, any.headers['etag']], [404, undefined], path);
    }
  });

  it('is isolated from other windows over https', async (t) => {
    const { port } = await createAppWorld(t, { baseUrl: 'https://a.example' });
    const { headers } = await send(port, { path: '/app/' });
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
  });

  it('and its files have the smallest encoding that the browser takes, each with an etag of its own', async (t) => {
    const { port } = await createAppWorld(t);
    const { text } = await send(port, { path: '/app/' });
    const path = `/app/${/app-[0-9A-Z]{8}\.js/.exec(text)?.[0]}`;
    const plain = await send(port, { path });
    const sizes: number[] = [];
    for (const [accept, encoding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip, zstd', 'zstd'],
      ['gzip, deflate', 'gzip'],
    ] as const) {
      const headers = { 'accept-encoding': accept };
      const file = await send(port, { path, headers });
      assert.equal(file.headers['content-encoding'], encoding, accept);
      assert.deepEqual(UNPACK[encoding]?.(file.body), plain.body, accept);
      sizes.push(file.body.length);
      const etag = String(file.headers['etag']);
      const known = { ...headers, 'if-none-match': etag };
      const again = await send(port, { path, headers: known });
      assert.deepEqual([again.status, again.headers['etag']], [304, etag], accept);
      const other = { 'accept-encoding': 'identity', 'if-none-match': etag };
      assert.equal((await send(port, { path, headers: other })).status, 200, accept);
    }
    assert.deepEqual(
      sizes,
      sizes.toSorted((a, b) => a - b),
    );
  });

  it('varies by the same headers when it is current as when it is sent', async (t) => {
    const { port } = await createAppWorld(t);
    for (const path of ['/app/', '/app/m/one', '/app/icon.svg']) {
      const { headers } = await send(port, { path });
      const known = { 'if-none-match': String(headers['etag']) };
      const again = await send(port, { path, headers: known });
      assert.equal(again.status, 304, path);
      for (const name of ['vary', 'cache-control'])
        assert.equal(again.headers[name], headers[name], `${path}: ${name}`);
    }
  });

  it('names files that are there, compressed, and constant if their name has a hash', async (t) => {
    const { port } = await createAppWorld(t);
    const { text } = await send(port, { path: '/app/m/one' });
    const names = Array.from(text.matchAll(/(?:href|src)="([^"]+)"/g), ([, name]) => String(name));
    assert.ok(names.length >= 4, names.join());
    for (const name of names) {
      const path = new URL(name, 'http://h/app/m/one').pathname;
      const headers = { 'accept-encoding': 'br' };
      const file = await send(port, { path, headers });
      assert.equal(file.status, 200, path);
      if (!/\/app-[0-9A-Z]{8}\./.test(path)) continue;
      assert.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable', path);
      const etag = String(file.headers['etag']);
      const again = await send(port, { path, headers: { ...headers, 'if-none-match': etag } });
      assert.equal(again.status, 304, path);
    }
    const worker = await send(port, { path: '/app/worker.js' });
    assert.deepEqual(
      [worker.status, worker.headers['content-type'], worker.headers['cache-control']],
      [200, 'text/javascript; charset=utf-8', 'no-cache'],
      'an update of the program reaches the worker',
    );
    const gone = await send(port, { path: '/app/app-00000000.js' });
    assert.deepEqual([gone.status, gone.headers['cache-control']], [404, 'no-cache']);
  });
});

describe('The root of a gateway with the app', () => {
  it('leads to the app, under any prefix', async (t) => {
    const { port } = await createAppWorld(t);
    for (const path of ['/', '/app']) {
      const { status, headers } = await send(port, { path });
      assert.equal(status, 303);
      assert.equal(new URL(String(headers['location']), `http://h${path}`).pathname, '/app/');
    }
    const prefixed = await createAppWorld(t, { baseUrl: '/memories' });
    for (const path of ['/memories', '/memories/', '/memories/app']) {
      const { status, headers } = await send(prefixed.port, { path });
      assert.deepEqual([status, headers['location']], [303, '/memories/app/'], path);
    }
  });
});

describe('The reference page beside the app', () => {
  it('runs in a sandbox, whose requests with a key are answered, and whose session never counts', async (t) => {
    const { port, keys, signIn } = await createAppWorld(t);
    const page = await send(port, { path: '/docs' });
    assert.match(
      String(page.headers['content-security-policy']),
      /; form-action 'none'; .*; sandbox allow-scripts allow-forms allow-popups allow-downloads$/,
    );
    const headers = { origin: 'null' };
    for (const path of ['/openapi.json', '/v1/memories']) {
      const answer = await send(port, { path, headers, key: keys.ana });
      assert.deepEqual(
        [answer.status, answer.headers['access-control-allow-origin']],
        [200, 'null'],
      );
      assert.equal(answer.headers['access-control-allow-credentials'], undefined);
    }
    const preflight = await send(port, {
      method: 'OPTIONS',
      headers: { ...headers, 'access-control-request-method': 'GET' },
    });
    assert.equal(preflight.status, 204);
    assert.match(String(preflight.headers['access-control-allow-headers']), /authorization/);
    const opened = await signIn();
    const own = await opened.get('/memories', headers);
    assert.equal(own.headers['access-control-allow-origin'], undefined);
    assert.equal((await opened.post('/links', {}, headers)).status, 403);
  });
});

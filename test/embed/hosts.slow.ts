// Embedding examples: each example of the manual runs with the real framework, and its gateway works completely.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';

import { createClient } from '../../src/client/index.ts';
import { engineOf } from '../../src/store/engines.ts';
import { createTestBrowser } from '../support/app/app-world.ts';
import { blocks, serveBlock } from '../support/manual/code.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send, sendRaw, type WireRequest } from '../support/wire/wire.ts';
import { issued } from '../support/world/artifacts.ts';
import { createWorld, memories } from '../support/world/world.ts';

/** The examples: each block that opens a gateway, keyed by the package it imports first. */
const examples = new Map(
  blocks
    .filter(({ code }) => code.includes('openGateway(') && code.includes('3000'))
    .map(({ code }) => [/from '([^']+)'/.exec(code)?.[1], code]),
);

describe('The gateway in a larger program', () => {
  it('has an example for each framework', () => {
    assert.deepEqual(
      new Set(examples.keys()),
      new Set(['node:http', 'express', 'fastify', 'koa', '@hono/node-server']),
    );
  });

  for (const [host, block] of examples) {
    it(`works completely in ${host}: results, links, failures, documents`, async (t) => {
      const world = await createWorld(t);
      const key = world.addAccount('ana', memories(25, 40_000));
      // Every example also works with the app.
      const replace = { "'memory-gateway.db'": `${JSON.stringify(world.database)}, app: {}` };
      const { port, child } = await serveBlock(t, block, { replace });
      const baseUrl = `http://127.0.0.1:${port}/recordings`;
      const api = createClient({ baseUrl, apiKey: key });
      const get = (path: string, more: WireRequest = {}) =>
        send(port, { path: `/recordings${path}`, key, ...more });
      const expected = await world.gateway.as('ana').memories.list();

      assert.deepEqual(await api.memories.list(), expected, 'a streamed list');
      const walked: unknown[] = [];
      for await (const each of api.memories.each({ limit: 7 })) walked.push(each);
      assert.deepEqual(walked, expected, 'all pages');

      const page = await get('/v1/memories?limit=2');
      const next = /^<(\/recordings\/v1\/memories\?cursor=[\w-]+)>; rel="next"$/.exec(
        page.headers['link'] ?? '',
      );
      assert.ok(next, String(page.headers['link']));
      const second = await send(port, { path: String(next[1]), key });
      assert.deepEqual(JSON.parse(second.text), expected.slice(2, 4), 'a link leads on');

      if (host === 'express') {
        // This framework also strips the authority of a target in absolute-form. The others leave
        // that to the gateway.
        const head = `Host: x\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`;
        const target = 'http://x/recordings/v1/memories?limit=2';
        const absolute = await sendRaw(port, `GET ${target} HTTP/1.1\r\n${head}`);
        assert.equal(absolute.headers['link'], page.headers['link']);
      }

      const post = await get('/v1/memories', {
        method: 'POST',
        headers: { 'content-type': 'text/csv' },
      });
      assertFailure(post, 405);
      assert.equal(post.headers['allow'], 'GET, HEAD');
      assertFailure(await get('/v1/memories', { key: undefined }), 401);
      assertFailure(await get('/v1/memories/nowhere'), 404);
      assertFailure(await get('/v1/nothing'), 404);
      assertFailure(await get('/v1/memories?limit=0'), 422);

      const head = await get('/v1/memories/m001', { method: 'HEAD' });
      const whole = await get('/v1/memories/m001');
      assert.deepEqual(head.headers['etag'], whole.headers['etag']);
      assert.deepEqual([head.status, head.body.length], [200, 0]);
      assert.equal(head.headers['content-length'], String(whole.body.length));
      const held = { 'if-none-match': String(whole.headers['etag']) };
      assert.equal((await get('/v1/memories/m001', { headers: held })).status, 304);
      const packed = await get('/v1/memories/m001', { headers: { 'accept-encoding': 'gzip' } });
      assert.equal(packed.headers['content-encoding'], 'gzip');

      assert.equal((await get('/readyz')).status, 200);
      const description = JSON.parse((await get('/openapi.json')).text);
      assert.deepEqual(description.servers, [{ url: baseUrl }]);
      assert.match((await get('/docs')).text, /<title>Memory Gateway API<\/title>/);
      assert.equal((await get('/docs/start.js')).status, 200);
      const app = createTestBrowser({ port, prefix: '/recordings' });
      assert.match((await app.get('/app/settings/access')).text, /^<!doctype html>/);
      const store = await engineOf(world.database).openApp();
      const secret = issued((await store.links.create('ana', 'test')).secret);
      await store.close();
      const signedIn = await app.post('/sessions', { way: 'link', secret });
      assert.equal(signedIn.status, 204, signedIn.text);
      assert.match(String(signedIn.headers['set-cookie']), /; Path=\/recordings\/app;/);
      assert.equal((await app.get('/memories/m001')).status, 200);
      const made = await app.post('/keys', { label: 'x', expires_at: null });
      assert.equal(made.status, 200, made.text);
      const foreign = { origin: 'http://127.0.0.1:1' };
      assert.equal((await app.post('/links', {}, foreign)).status, 403);
      assert.equal((await app.delete('/sessions/current')).status, 204);
      assert.equal((await app.get('/me')).status, 401);

      const elsewhere = await fetch(`http://127.0.0.1:${port}/v1/memories`);
      assert.equal(elsewhere.headers.get('x-request-id'), null, 'the rest is the host’s');

      child.kill('SIGTERM');
      const [exit, signal] = (await once(child, 'close')) as [number | null, string | null];
      assert.deepEqual([exit, signal], [null, 'SIGTERM'], 'no signal is listened to');
    });
  }
});

// The hosts: each example of the README runs with the real package, and the gateway in it is whole.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';

import { createClient } from '../src/client/index.ts';
import { blocks, serveBlock } from './support/readme.ts';
import { assertFailure } from './support/shape.ts';
import { send, sendRaw, type WireRequest } from './support/wire.ts';
import { createWorld, memories } from './support/world.ts';

/** The examples: each block that opens a gateway, by the package it imports first. */
const examples = new Map(
  blocks
    .filter((block) => block.includes('openGateway('))
    .map((block) => [/from '([^']+)'/.exec(block)?.[1], block]),
);

describe('The gateway in a larger program', () => {
  it('has an example for each host', () => {
    assert.deepEqual(
      [...examples.keys()],
      ['node:http', 'express', 'fastify', 'koa', '@hono/node-server'],
    );
  });

  for (const [host, block] of examples) {
    it(`is whole in ${host}: results, links, failures, documents`, async (t) => {
      const world = await createWorld(t);
      const key = world.addAccount('ana', memories(25, 40_000));
      const replace = { "'memory-gateway.db'": JSON.stringify(world.database) };
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
        // It cuts the path out of a target in absolute-form, too; the others leave that to themselves.
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
      assert.deepEqual(description.servers, [{ url: '/recordings' }]);
      assert.match((await get('/docs')).text, /<title>Memory Gateway API<\/title>/);
      assert.equal((await get('/docs/start.js')).status, 200);
      const elsewhere = await fetch(`http://127.0.0.1:${port}/v1/memories`);
      assert.equal(elsewhere.headers.get('x-request-id'), null, 'the rest is the host’s');

      child.kill('SIGTERM');
      const [exit, signal] = (await once(child, 'close')) as [number | null, string | null];
      assert.deepEqual([exit, signal], [null, 'SIGTERM'], 'no signal is listened to');
    });
  }
});

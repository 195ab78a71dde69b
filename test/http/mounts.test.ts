// Mounts: paths outside /v1 have handlers of their own, which read small bodies whole.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';

import { createGateway, type Gateway } from '../../src/gateway/gateway.ts';
import type { CreateMount } from '../../src/gateway/mount.ts';
import { readBody } from '../../src/gateway/request/body.ts';
import { ResponseFailure } from '../../src/gateway/response/response-failure.ts';
import { createServer } from '../../src/gateway/server/server.ts';
import { openAny } from '../support/engines/engine.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { exchange, readAnswers, send, sendRaw } from '../support/wire/wire.ts';
import { listen } from '../support/world/server-in-process.ts';
import { createWorld, memory } from '../support/world/world.ts';

const CACHING = { 'cache-control': 'no-store', vary: 'cookie' };

/** A mount that returns bodies of up to 100 bytes, and reads an account at `/echo/v1`. */
const echo: CreateMount = ({ read }) => ({
  owns: (path) => path === '/echo' || path.startsWith('/echo/'),
  commonHeaders: () => Object.entries(CACHING).flat(),
  handle(request, target) {
    if (target.startsWith('/echo/v1')) return read(request, target.slice('/echo'.length), 'ana');
    if (target === '/echo/nothing') return { status: 204, body: null };
    if (request.method !== 'POST')
      throw new ResponseFailure(405, 'Use POST.', { headers: ['allow', 'POST'] });
    return readBody(request, 100).then((body) => ({ type: 'text/plain', body }));
  },
});

/** Serves an account with one memory, and the mount. */
async function serveEcho(t: TestContext, limits: { requestMs?: number; headMs?: number } = {}) {
  const world = await createWorld(t);
  const key = world.addAccount('ana', [memory({ id: 'one' })]);
  const gateway = createGateway(await openAny(world.database), { mounts: [echo] });
  t.after(() => gateway.close());
  const port = await listen(t, createServer(gateway.listener, undefined, limits));
  return { gateway, key, port };
}

const post = (body: string, ...headers: readonly string[]) =>
  [`POST /echo HTTP/1.1`, 'Host: x', `Content-Length: ${body.length}`, ...headers, '', body].join(
    '\r\n',
  );

async function byFetch(gateway: Gateway, body: string | ReadableStream): Promise<Response> {
  return gateway.fetch(new Request('http://x/echo', { method: 'POST', body, duplex: 'half' }));
}

describe('A path outside /v1 with a handler of its own', () => {
  it('reads a body to its end and keeps the connection for the next request', async (t) => {
    const { port } = await serveEcho(t);
    const two = `${post('{"a":1}')}${post('', 'Connection: close')}`;
    const answers = readAnswers(await exchange(port, two), two);
    assert.deepEqual(
      answers.map(({ status, text }) => [status, text]),
      [
        [200, '{"a":1}'],
        [200, ''],
      ],
    );
    assert.equal(answers[0]?.headers['connection'], 'keep-alive');
  });

  it('reads a body that arrives in pieces', async (t) => {
    const { port } = await serveEcho(t);
    const socket = connect(port, '127.0.0.1');
    t.after(() => socket.destroy());
    const bytes = post('twelve bytes', 'Connection: close');
    socket.write(bytes.slice(0, -5));
    setTimeout(() => socket.write(bytes.slice(-5)), 20);
    const [data] = (await once(socket, 'data')) as [Buffer];
    assert.match(data.toString(), /^HTTP\/1.1 200 [\s\S]*twelve bytes$/);
  });

  it('invites a body that its client announces', async (t) => {
    const { port } = await serveEcho(t);
    const socket = connect(port, '127.0.0.1');
    t.after(() => socket.destroy());
    const bytes = post('body', 'Expect: 100-continue', 'Connection: close');
    socket.write(bytes.slice(0, -4));
    const [invitation] = (await once(socket, 'data')) as [Buffer];
    assert.equal(invitation.toString(), 'HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('body');
    const [data] = (await once(socket, 'data')) as [Buffer];
    assert.match(data.toString(), /^HTTP\/1.1 200 [\s\S]*body$/);
  });

  it('refuses a body without a length, with chunks, or of too many bytes, and closes', async (t) => {
    const { port, gateway } = await serveEcho(t);
    const head = 'POST /echo HTTP/1.1\r\nHost: x\r\n';
    for (const [status, bytes] of [
      [411, `${head}Connection: close\r\n\r\n`],
      [411, `${head}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n`],
      [413, post('a'.repeat(101))],
      [413, `${head}Content-Length: 999999999999\r\n\r\n`],
    ] as const) {
      const answer = await sendRaw(port, bytes);
      assertFailure(answer, status, bytes.slice(0, 80), CACHING);
    }
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(60)),
    });
    assert.equal((await byFetch(gateway, stream)).status, 413);
    assert.equal(await (await byFetch(gateway, 'ä'.repeat(50))).text(), 'ä'.repeat(50));
    assert.equal((await byFetch(gateway, 'ä'.repeat(51))).status, 413);
  });

  it('responds with 408 to a body that does not arrive', async (t) => {
    const { port } = await serveEcho(t, { headMs: 100, requestMs: 100 });
    const answer = await sendRaw(port, post('twelve bytes').slice(0, -5));
    assertFailure(answer, 408, '', CACHING);
  });

  it('survives a client that leaves in the middle of its body', async (t) => {
    const { port } = await serveEcho(t);
    const socket = connect(port, '127.0.0.1');
    socket.write(post('twelve bytes').slice(0, -5));
    await once(socket, 'connect');
    socket.resetAndDestroy();
    await once(socket, 'close');
    assert.equal((await sendRaw(port, post('a', 'Connection: close'))).text, 'a');
  });

  it('has methods of its own, responses without a body, and its own headers about caching', async (t) => {
    const { port } = await serveEcho(t);
    const get = await send(port, { path: '/echo' });
    assertFailure(get, 405, '', CACHING);
    assert.equal(get.headers['allow'], 'POST');
    const nothing = await send(port, { path: '/echo/nothing' });
    assert.deepEqual([nothing.status, nothing.text], [204, '']);
    assert.equal(nothing.headers['cache-control'], 'no-store');
    assert.ok(nothing.headers['x-request-id']);
  });

  it('reads an account through the handlers of /v1: the same bytes and ETags, its own links', async (t) => {
    const { port, key } = await serveEcho(t);
    for (const path of ['/v1/memories', '/v1/memories?limit=1', '/v1/memories/one']) {
      const [own, mounted] = [
        await send(port, { path, key }),
        await send(port, { path: `/echo${path}` }),
      ];
      assert.deepEqual(mounted.body, own.body);
      assert.equal(mounted.headers['etag'], own.headers['etag']);
      const headers = { 'if-none-match': String(own.headers['etag']) };
      const again = await send(port, { path: `/echo${path}`, headers });
      assert.deepEqual([again.status, again.headers['vary']], [304, 'cookie']);
    }
    assertFailure(await send(port, { path: '/echo/v1/memories/none' }), 404, '', CACHING);
  });

  it('leaves a body under /v1 unread', async (t) => {
    const { port, key } = await serveEcho(t);
    const get = `GET /v1/memories HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Length: 2\r\n\r\n{}`;
    const answer = await sendRaw(port, get);
    assert.deepEqual([answer.status, answer.headers['connection']], [200, 'close']);
  });
});

describe('A gateway beside other handlers of a host', () => {
  it('passes requests back that are not its own, if the host gives it "next"', async (t) => {
    const { gateway, key } = await serveEcho(t);
    const server = createHttpServer((request, response) =>
      gateway.listener(request, response, () => response.end('the host')),
    );
    const port = await listen(t, server);
    for (const path of ['/', '/other', '/v2', '/docsx', '/echoes', '//v1/memories', '*'])
      assert.equal((await send(port, { path })).text, 'the host', path);
    for (const [path, status] of [
      ['/v1/memories', 200],
      ['/v1/nothing', 404],
      ['/docs', 200],
      ['/docs/nothing', 404],
      ['/openapi.json', 200],
      ['/healthz', 200],
      ['/echo', 405],
    ] as const)
      assert.equal((await send(port, { path, key })).status, status, path);
  });
});

// Framing: requests that are in doubt get one error in the one shape, and the connection is closed.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { assertFailure } from './support/shape.ts';
import { exchange, readAnswers, send, sendRaw } from './support/wire.ts';
import { createWorld, memories, memory } from './support/world.ts';

const GET = 'GET /v1/memories HTTP/1.1\r\nHost: x\r\n';

describe('A request in doubt', () => {
  const cases: Record<string, readonly [status: number, bytes: string]> = {
    'no Host': [400, 'GET /v1/memories HTTP/1.1\r\n\r\n'],
    'two Hosts': [400, `${GET}Host: y\r\n\r\n`],
    'the same Host twice': [400, `${GET}Host: x\r\n\r\n`],
    'a list of Hosts': [400, 'GET / HTTP/1.1\r\nHost: a, b\r\n\r\n'],
    'Host with user': [400, 'GET / HTTP/1.1\r\nHost: u@h\r\n\r\n'],
    'Host with path': [400, 'GET / HTTP/1.1\r\nHost: h/x\r\n\r\n'],
    'Host with space': [400, 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n'],
    'empty Host': [400, 'GET / HTTP/1.1\r\nHost:\r\n\r\n'],
    'HTTP/2.0': [505, 'GET / HTTP/2.0\r\nHost: x\r\n\r\n'],
    'HTTP/1.2': [400, 'GET / HTTP/1.2\r\nHost: x\r\n\r\n'],
    'lower-case http': [400, 'GET / http/1.1\r\nHost: x\r\n\r\n'],
    'unknown method': [400, 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n'],
    'lower-case method': [400, 'get / HTTP/1.1\r\nHost: x\r\n\r\n'],
    'a method of 100 kB': [400, `${'G'.repeat(100_000)} / HTTP/1.1\r\nHost: x\r\n\r\n`],
    'no version': [400, 'GET / \r\nHost: x\r\n\r\n'],
    'TLS hello': [400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    'HTTP/2 preface': [400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    'length and chunked': [
      400,
      `${GET}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    'chunked and length': [
      400,
      `${GET}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
    ],
    'two lengths': [400, `${GET}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`],
    'a list of lengths': [400, `${GET}Content-Length: 5, 5\r\n\r\nhello`],
    'length +5': [400, `${GET}Content-Length: +5\r\n\r\nhello`],
    'length -1': [400, `${GET}Content-Length: -1\r\n\r\n`],
    'length 0x5': [400, `${GET}Content-Length: 0x5\r\n\r\nhello`],
    'length 2^64': [400, `${GET}Content-Length: 18446744073709551616\r\n\r\n`],
    'coding xchunked': [501, `${GET}Transfer-Encoding: xchunked\r\n\r\n`],
    'coding identity': [501, `${GET}Transfer-Encoding: identity\r\n\r\n`],
    'coding gzip, chunked': [501, `${GET}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    'chunked in HTTP/1.0': [400, 'GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    'bare LF': [400, 'GET / HTTP/1.1\nHost: x\n\n'],
    'folded header': [400, `${GET}X-A: b\r\n c\r\n\r\n`],
    'space before colon': [400, `${GET}X-A : b\r\n\r\n`],
    'header without colon': [400, `${GET}nonsense\r\n\r\n`],
    'empty header name': [400, `${GET}: b\r\n\r\n`],
    'NUL in a value': [400, `${GET}X-API-Key: a\0b\r\n\r\n`],
    'bare CR in a value': [400, `${GET}X-API-Key: a\rb\r\n\r\n`],
    'DEL in a value': [400, `${GET}X-API-Key: a\x7fb\r\n\r\n`],
    'head of 17 kB': [431, `${GET}X-A: ${'a'.repeat(17_000)}\r\n\r\n`],
    'unknown expectation': [417, `${GET}Expect: foo\r\nConnection: close\r\n\r\n`],
    CONNECT: [501, 'CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n'],
  };
  it('is answered once, in the one shape, and the connection ends', async (t) => {
    const world = await createWorld(t);
    for (const [name, [status, bytes]] of Object.entries(cases)) {
      const answer = await sendRaw(world.port, bytes);
      assertFailure(answer, status, name);
      assert.equal(answer.headers['connection'], 'close', name);
      assert.equal((await send(world.port, { path: '/healthz' })).status, 200, `after ${name}`);
    }
  });

  it('that is reset before its answer is read ends nothing but itself', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(100, 100_000));
    const heads = [
      'CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n',
      'nonsense\r\n\r\n',
      `${GET}Expect: foo\r\n\r\n`,
      `${GET}X-API-Key: ${key}\r\n\r\n`,
      `POST /v1/memories HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n`,
    ];
    for (let round = 0; round < 20; round++) {
      for (const head of heads) {
        const socket = connect(world.port, '127.0.0.1');
        socket.on('error', () => {});
        await new Promise((resolve) => socket.write(head, resolve));
        if (round % 2) await sleep(1);
        socket.resetAndDestroy();
      }
    }
    await sleep(50);
    assert.equal((await send(world.port, { path: '/healthz' })).status, 200);
    assert.deepEqual(
      world.log.filter(({ message }) => message !== 'request'),
      [],
      'no failure of ours',
    );
  });

  it('that stays silent or trickles is 408 within seconds', { timeout: 20_000 }, async (t) => {
    const world = await createWorld(t);
    assertFailure(await sendRaw(world.port, 'GET /v1/memories HTTP/1.1\r\nHo'), 408);
  });

  it('in the middle of a streamed answer is not answered into its body', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(100, 100_000));
    const socket = connect(world.port, '127.0.0.1');
    const parts: Buffer[] = [];
    socket.on('error', () => {});
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.pause();
    socket.write(`GET /v1/memories HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`);
    await sleep(50);
    socket.write('nonsense\r\n\r\n');
    await sleep(50);
    socket.resume();
    await new Promise((resolve) => socket.once('close', resolve));
    const text = Buffer.concat(parts).toString('latin1');
    assert.equal(text.match(/HTTP\/1\.1 /g)?.length ?? 0, text === '' ? 0 : 1);
    assert.ok(!text.includes('"detail"'));
  });
});

describe('A request body', () => {
  it('is never waited for: the answer comes at once and the connection ends', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', [memory({ id: 'one' })]);
    const head = (method: string, more: string) =>
      `${method} /v1/memories/one HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n${more}\r\n`;
    const smuggled = head('GET', '');
    for (const [method, more, status] of [
      ['POST', 'Content-Length: 5\r\n\r\nhello', 405],
      ['POST', 'Content-Length: 1000000000000\r\n', 405],
      ['POST', 'Content-Length: 5\r\nExpect: 100-continue\r\n', 405],
      ['POST', 'Transfer-Encoding: chunked\r\n', 405],
      ['POST', 'Transfer-Encoding: chunked\r\n\r\n-1\r\n', 405],
      ['GET', `Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`, 200],
      ['GET', 'Content-Length: 10\r\n', 200],
    ] as const) {
      const answer = await sendRaw(world.port, head(method, more));
      assert.equal(answer.status, status, more);
      assert.equal(answer.headers['connection'], 'close', more);
    }
  });
});

describe('A well-formed request', () => {
  it('in HTTP/1.0 is answered without chunks, and the end is the end of the connection', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(100, 10_000));
    const text = await exchange(
      world.port,
      `GET /v1/memories HTTP/1.0\r\nX-API-Key: ${key}\r\n\r\n`,
    );
    const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s);
    assert.match(head, /^HTTP\/1\.1 200 /);
    assert.doesNotMatch(head, /transfer-encoding/i);
    assert.equal(JSON.parse(body).length, 100);
  });

  it('that asks for an upgrade, a range or a type it does not have gets plain JSON', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', [memory({ id: 'one' })]);
    for (const more of [
      'Upgrade: websocket\r\nConnection: upgrade, close',
      'Upgrade: h2c\r\nConnection: upgrade, close',
      'Range: bytes=0-1\r\nConnection: close',
      'Accept: text/html\r\nConnection: close',
      'Accept-Encoding: foo\r\nConnection: close',
      'Expect: 100-continue\r\nConnection: close',
    ]) {
      const answer = await sendRaw(world.port, `${GET}X-API-Key: ${key}\r\n${more}\r\n\r\n`);
      assert.equal(answer.status, 200, more);
      assert.equal(JSON.parse(answer.text)[0].id, 'one');
    }
  });

  it('is answered whole when its sender closes its own side first', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', [memory({ id: 'one' })]);
    const socket = connect({ port: world.port, host: '127.0.0.1', allowHalfOpen: true });
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.end(`${GET}X-API-Key: ${key}\r\n\r\n`);
    await new Promise((resolve) => socket.once('end', resolve));
    socket.destroy();
    assert.equal(readAnswers(Buffer.concat(parts).toString('latin1'))[0]?.status, 200);
  });
});

// Framing: requests that are in doubt get one error in the one shape, and the connection is closed.

import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { COMMON_STATUSES } from '../src/contract/statuses.ts';
import { counting } from './support/counting.ts';
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
      world.log.filter(({ message }) => message === 'request failed'),
      [],
      'no failure of ours',
    );
  });

  it('that stops before its end is 408 within seconds', { timeout: 20_000 }, async (t) => {
    const world = await createWorld(t);
    const slow = ['/v1/memories', '/v1/memories/one', '/v1/changes'].map((path) =>
      sendRaw(world.port, `GET ${path} HTTP/1.1\r\nHo`),
    );
    for (const answer of await Promise.all(slow))
      assert.equal(assertFailure(answer, 408), COMMON_STATUSES[408].detail);
  });

  it('behind a running answer waits for its end, or ends the connection, and never gets into it', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(100, 100_000));
    const list = `${GET}X-API-Key: ${key}\r\n\r\n`;
    const connectLine = 'CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n';
    let doubts = 0;
    for (const [doubt, pause] of [
      ['nonsense\r\n\r\n', 0],
      ['nonsense\r\n\r\n', 50],
      [connectLine, 0],
      [connectLine, 50],
    ] as const) {
      const socket = connect(world.port, '127.0.0.1');
      const parts: Buffer[] = [];
      socket.on('error', () => {});
      socket.on('data', (part: Buffer) => parts.push(part));
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.pause();
      socket.write(pause === 0 ? list + doubt : list);
      await sleep(pause);
      if (pause > 0) socket.write(doubt);
      const more = doubt === connectLine ? 0 : 15;
      for (let i = 0; i < more; i++) {
        await sleep(2);
        socket.write('more of it');
      }
      await sleep(50);
      socket.resume();
      await closed;
      const text = Buffer.concat(parts).toString('latin1');
      const [first, second, ...others] = text.split(/(?=HTTP\/1\.1 \d)/);
      assert.equal(others.length, 0);
      if (doubt === connectLine) {
        assert.equal(
          second,
          undefined,
          'Node has let go of the connection, so all that is left is to end it',
        );
        assert.ok(!text.includes('"detail"'));
      } else {
        assert.match(first ?? '', /^HTTP\/1\.1 200 [^]*\]\r\n0\r\n\r\n$/, 'whole');
        assertFailure(readAnswers(second ?? '', doubt)[0]!, 400);
        const refused = world.log.filter(({ message }) => message === 'request refused');
        assert.equal(refused.length, ++doubts, 'one line for one connection');
      }
    }
  });

  it('is in the access log under its request id', async (t) => {
    const world = await createWorld(t);
    for (const bytes of [
      'nonsense\r\n\r\n',
      `${GET}Expect: foo\r\n\r\n`,
      'CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n',
    ]) {
      const { status, headers, body } = await sendRaw(world.port, bytes);
      const line = world.log.find(({ fields }) => fields['request_id'] === headers['x-request-id']);
      assert.deepEqual([line?.fields['status'], line?.fields['bytes']], [status, body.length]);
    }
  });
});

describe('A pipeline', () => {
  it('of 500 requests is answered in order', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(9));
    const heads = Array.from(
      { length: 500 },
      (_, i) => `GET /v1/memories/m00${i % 10} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n`,
    );
    const bytes = heads.map((head, i) => `${head}${i === 499 ? 'Connection: close\r\n' : ''}\r\n`);
    const answers = readAnswers(await exchange(world.port, bytes.join('')), bytes.join(''));
    assert.equal(answers.length, 500);
    for (const [i, { status, text }] of answers.entries()) {
      assert.equal(status, i % 10 === 9 ? 404 : 200);
      if (status === 200) assert.equal(JSON.parse(text).id, `m00${i % 10}`);
    }
  });

  it('of lists is worked on one by one: what its reader does not take is not read', async (t) => {
    const read = counting();
    const world = await createWorld(t, read);
    const key = world.addAccount('ana', memories(400, 250_000));
    for (const coding of ['identity', 'zstd']) {
      read.batches = 0;
      const socket = connect(world.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.pause();
      socket.write(`${GET}X-API-Key: ${key}\r\nAccept-Encoding: ${coding}\r\n\r\n`.repeat(300));
      await sleep(300);
      // One list is 400 batches, of which sockets and a compressor may hold some.
      assert.ok(read.batches <= 400, `${read.batches} batches read for 300 lists (${coding})`);
      socket.destroy();
      // A busy machine takes its time to notice; whoever goes on reads all 400, and then the next list.
      let before = -1;
      for (let quiet = 0; quiet < 10; before = read.batches) {
        await sleep(20);
        quiet = read.batches === before ? quiet + 1 : 0;
      }
      assert.ok(read.batches <= 400, `${read.batches} batches: it goes on for a reader that left`);
    }
  });
});

describe('A connection', () => {
  it('whose sender closes their side is still answered, compressed too', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(30, 5000));
    for (const coding of ['identity', 'gzip', 'zstd']) {
      const socket = connect({ port: world.port, host: '127.0.0.1', allowHalfOpen: true });
      const parts: Buffer[] = [];
      socket.on('data', (part: Buffer) => parts.push(part));
      const requests = `${GET}X-API-Key: ${key}\r\nAccept-Encoding: ${coding}\r\n\r\n`.repeat(5);
      socket.end(requests);
      await new Promise((resolve) => socket.once('end', resolve));
      socket.destroy();
      const answers = readAnswers(Buffer.concat(parts).toString('latin1'), requests);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200, 200],
        coding,
      );
    }
  });

  it('on which requests come faster than answers leave is ended before they pile up', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(400, 250_000));
    const flood = `GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(500);
    const socket = connect(world.port, '127.0.0.1');
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', () => resolve('closed')));
    socket.write(`${GET}X-API-Key: ${key}\r\nAccept-Encoding: br\r\n\r\n`);
    // Read so slowly that the answer never ends, yet drains again and again.
    socket.on('data', () => {
      socket.pause();
      setTimeout(() => socket.resume(), 2);
    });
    const timer = setInterval(() => socket.writableNeedDrain || socket.write(flood), 1);
    const before = process.memoryUsage().rss;
    const outcome = await Promise.race([closed, sleep(6000)]);
    clearInterval(timer);
    const grown = (process.memoryUsage().rss - before) / 1024 / 1024;
    socket.destroy();
    assert.ok(outcome === 'closed' || grown < 200, `${String(outcome)}: ${Math.round(grown)} MB`);
    await sleep(300);
    const failures = world.log.filter(({ message }) => message === 'request failed');
    assert.deepEqual(failures, [], 'a reader that is gone is no failure of ours');
    assert.equal((await send(world.port, { path: '/healthz' })).status, 200);
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

describe('A refusal', () => {
  const more = 'a'.repeat(8_000_000);
  const cases: Record<string, readonly [status: number, bytes: string]> = {
    'a body': [405, `POST /v1/memories HTTP/1.1\r\nHost: x\r\nX-API-Key: KEY\r\n`],
    'a body without a key': [401, `POST /v1/memories HTTP/1.1\r\nHost: x\r\n`],
    'a body in chunks': [401, `${GET}Transfer-Encoding: chunked\r\n\r\n7A1200\r\n`],
    'a method': [400, ''],
    'a target': [431, 'GET /'],
    'a header': [431, `${GET}X-A: `],
    'a tunnel': [501, 'CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n'],
  };
  const bytesOf = (head: string, key: string) =>
    (head.startsWith('POST') ? `${head}Content-Length: ${more.length}\r\n\r\n` : head).replace(
      'KEY',
      key,
    );

  it('can be read by who has sent megabytes first: what nobody asked for is dropped, not reset', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana');
    for (const [name, [status, head]] of Object.entries(cases)) {
      const socket = connect({ port: world.port, host: '127.0.0.1', allowHalfOpen: true });
      const done = promisify((then: (error?: Error | null) => void) => {
        socket.once('error', then);
        socket.write(bytesOf(head, key) + more, () => then());
      });
      await done();
      assertFailure(readAnswers(await readToEnd(socket), head)[0]!, status, name);
      socket.destroy();
    }
  });

  it('is followed by a cut where the sender never ends', { timeout: 20_000 }, async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana');
    const endless = Object.entries(cases).map(async ([name, [status, head]]) => {
      const socket = connect({ port: world.port, host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => {});
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write(bytesOf(head, key) + more.slice(0, 100_000));
      const timer = setInterval(() => socket.write('more of it'), 50);
      assertFailure(readAnswers(await readToEnd(socket), head)[0]!, status, name);
      await closed;
      clearInterval(timer);
    });
    await Promise.all(endless);
    assert.equal((await send(world.port, { path: '/healthz' })).status, 200);
  });
});

/** Reads until the server has ended its side. */
async function readToEnd(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  await new Promise((resolve) => socket.once('end', resolve));
  return Buffer.concat(parts).toString('latin1');
}

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
    const request = `${GET}X-API-Key: ${key}\r\n\r\n`;
    socket.end(request);
    await new Promise((resolve) => socket.once('end', resolve));
    socket.destroy();
    assert.equal(readAnswers(Buffer.concat(parts).toString('latin1'), request)[0]?.status, 200);
  });
});

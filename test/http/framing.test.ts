// Framing: an ambiguous request gets one error in the documented form, and the connection is closed.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { COMMON_STATUSES } from '../../src/contract/statuses.ts';
import { createApiKey } from '../../src/store/accounts/api-key.ts';
import { counting } from '../support/engines/counting-store.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { exchange, readAnswers, send, sendRaw } from '../support/wire/wire.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

const GET = 'GET /v1/memories HTTP/1.1\r\nHost: x\r\n';

describe('An ambiguous request', () => {
  it('that is reset before its response is read affects no other', async (t) => {
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

  it('that stops before its end gets 408 within seconds', { timeout: 20_000 }, async (t) => {
    const world = await createWorld(t);
    const paths = [
      'memories',
      'memories/one',
      'memories/one/lines',
      'search?q=a',
      'days',
      'changes',
      'memories/one/details',
      'memories/one/original',
      'memories/one/audio',
      'people',
      'tags',
      'action_items',
    ];
    const slow = paths.map((path) => sendRaw(world.port, `GET /v1/${path} HTTP/1.1\r\nHo`));
    for (const answer of await Promise.all(slow))
      assert.equal(assertFailure(answer, 408), COMMON_STATUSES[408].detail);
  });

  it('after a response in progress waits for its end or ends the connection, and never mixes with it', async (t) => {
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

describe('Pipelined requests', () => {
  it('with 500 valid and wrong keys are answered in order, each by its own key', async (t) => {
    const world = await createWorld(t);
    const ana = world.addAccount('ana', memories(9));
    const bo = world.addAccount('bo', [memory({ id: 'm009' })]);
    const keys = [ana, bo, createApiKey(), ''];
    const asked = Array.from({ length: 500 }, (_, i) => ({ id: `m00${i % 10}`, who: i % 4 }));
    const bytes = asked.map(({ id, who }, i) => {
      const end = i === 499 ? 'Connection: close\r\n' : '';
      return `GET /v1/memories/${id} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys[who]}\r\n${end}\r\n`;
    });
    const answers = readAnswers(await exchange(world.port, bytes.join('')), bytes.join(''));
    assert.equal(answers.length, 500);
    for (const [i, { status, text }] of answers.entries()) {
      const { id, who } = asked[i] as (typeof asked)[number];
      const isThere = who === (id === 'm009' ? 1 : 0);
      assert.equal(status, who > 1 ? 401 : isThere ? 200 : 404, `${i}`);
      if (status === 200) assert.equal(JSON.parse(text).id, id);
    }
  });

  it('of which more than 10,000 wait close the connections that add to them, and no other', async (t) => {
    const { promise: gate, resolve: release } = Promise.withResolvers<undefined>();
    const store = { memory: () => gate };
    const world = await createWorld(t, { wrap: (own) => ({ ...own, ...store }) });
    const key = world.addAccount('ana');
    const first = `GET /v1/memories/a HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`;
    const flood = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1500);
    const closings: Promise<unknown>[] = [];
    let closed = 0;
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(world.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.resume();
      closings.push(once(socket, 'close').then(() => closed++));
      socket.write(first + flood);
      return socket;
    });
    t.after(() => {
      sockets.forEach((socket) => socket.destroy());
      release(undefined);
    });
    await Promise.race(closings);
    await sleep(100);
    assert.ok(closed < 20, `${closed} of 20 closed`);
    assert.equal((await send(world.port, { path: '/healthz' })).status, 200);
  });

  it('of lists are handled one by one, and stop reading if the client stops reading', async (t) => {
    const read = counting();
    const world = await createWorld(t, read);
    // A compressor would shrink repeated text so much that even an unread list fits into the
    // buffers. This text has one long word per memory.
    const noise = () => Buffer.from(randomBytes(250_000).map((byte) => 97 + (byte % 26)));
    const all = memories(100).map((each) => ({ ...each, transcript: noise().toString('latin1') }));
    const key = world.addAccount('ana', all);
    for (const coding of ['identity', 'zstd']) {
      read.batches = 0;
      const socket = connect(world.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.pause();
      socket.write(`${GET}X-API-Key: ${key}\r\nAccept-Encoding: ${coding}\r\n\r\n`.repeat(300));
      await sleep(300);
      // A list has 100 batches, and sockets and a compressor may buffer some of them.
      assert.ok(read.batches <= 100, `${read.batches} batches read for 300 lists (${coding})`);
      socket.destroy();
      // A busy machine notices late. A client that goes on would read all 100 batches, and then the
      // next list.
      let before = -1;
      for (let quiet = 0; quiet < 10; before = read.batches) {
        await sleep(20);
        quiet = read.batches === before ? quiet + 1 : 0;
      }
      assert.ok(read.batches <= 100, `${read.batches} batches: it goes on for a reader that left`);
    }
  });
});

describe('A connection', () => {
  it('whose client closes its side still gets its response, compressed too', async (t) => {
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

  it('whose client closes its side within a request gets one error', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', [memory({ id: 'one' })]);
    for (const [bytes, statuses] of [
      ['', []],
      ['\r\n', []],
      ['GET', [400]],
      ['GET /v1/memories HTTP/1.1\r\nHo', [400]],
      [`${GET}X-API-Key: ${key}\r\n`, [400]],
      [`${GET}X-API-Key: ${key}\r\nContent-Length: 5\r\n\r\nhel`, [200]],
      [`${GET}X-API-Key: ${key}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel`, [200]],
      [`${GET}X-API-Key: ${key}\r\n\r\nGET`, [200, 400]],
    ] as const) {
      const socket = connect({ port: world.port, host: '127.0.0.1', allowHalfOpen: true });
      socket.end(bytes);
      const answers = readAnswers(await readToEnd(socket), bytes);
      assert.deepEqual(
        answers.map(({ status }) => status),
        statuses,
        bytes,
      );
      for (const answer of answers) if (answer.status === 400) assertFailure(answer, 400);
    }
  });

  it('on which requests arrive faster than responses leave waits before they pile up', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(400, 250_000));
    const flood = `GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(500);
    const socket = connect(world.port, '127.0.0.1');
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', () => resolve('closed')));
    socket.write(`${GET}X-API-Key: ${key}\r\nAccept-Encoding: br\r\n\r\n`);
    // Reads so slowly that the response never ends, but the socket drains again and again.
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

describe('An error response', () => {
  const more = 'a'.repeat(8_000_000);
  const cases: Record<string, readonly [status: number, bytes: string]> = {
    'a body': [405, `POST /v1/memories HTTP/1.1\r\nHost: x\r\nX-API-Key: KEY\r\n`],
    'a body without a key': [401, `POST /v1/memories HTTP/1.1\r\nHost: x\r\n`],
    'a body in chunks': [401, `${GET}Transfer-Encoding: chunked\r\n\r\n7A1200\r\n`],
    'a method': [400, ''],
    'a target': [414, 'GET /'],
    'a header': [431, `${GET}X-A: `],
    'a tunnel': [501, 'CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n'],
  };
  const bytesOf = (head: string, key: string) =>
    (head.startsWith('POST') ? `${head}Content-Length: ${more.length}\r\n\r\n` : head).replace(
      'KEY',
      key,
    );

  it('can be read by a client that sends megabytes first: they are discarded, and the connection is not reset', async (t) => {
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

  it(
    'is followed by a disconnect if the client never stops sending',
    { timeout: 20_000 },
    async (t) => {
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
    },
  );
});

/** Reads until the server has closed its side. */
async function readToEnd(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  await new Promise((resolve) => socket.once('end', resolve));
  return Buffer.concat(parts).toString('latin1');
}

describe('A well-formed request', () => {
  it('in HTTP/1.0 gets a response without chunks, which ends with the connection', async (t) => {
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
});

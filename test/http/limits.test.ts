// Limits: a request that is too slow, too large or beyond the maximum is ended with an error, and does not affect others.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { connectGateway } from '../../src/gateway/open.ts';
import {
  createReaderBudget,
  isTooSlow,
  MIN_READ_BYTES,
} from '../../src/gateway/server/connections.ts';
import type { Limits } from '../../src/gateway/server/limits.ts';
import { createServer } from '../../src/gateway/server/server.ts';
import { Refusal } from '../../src/index.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { exchange, readAnswers, send, sendRaw } from '../support/wire/wire.ts';
import { run } from '../support/world/program.ts';
import { listen } from '../support/world/server-in-process.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

/** Creates a world behind a server with its own limits. */
async function createLimited(t: TestContext, limits: Partial<Limits>) {
  const world = await createWorld(t);
  const port = await listen(t, createServer(world.gateway.listener, undefined, limits));
  return { world, port };
}

/** Opens a connection and reads nothing from it. */
function open(t: TestContext, port: number, bytes = ''): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  socket.write(bytes);
  t.after(() => socket.destroy());
  return socket;
}

const ask = (key: string, path: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n${more}\r\n`;

describe('A slow reader', () => {
  it('that stops is disconnected after the timeout, and its memory is freed', async (t) => {
    const { world, port } = await createLimited(t, { sendMs: 1000 });
    const long = memories(100).map((each) => ({
      ...each,
      transcript: randomBytes(150_000).toString('base64'), // random, so gzip does not shorten it
    }));
    const key = world.addAccount('ana', long);
    for (const more of ['', 'Accept-Encoding: gzip\r\n'])
      open(t, port, ask(key, '/v1/memories', more));
    const lines = () => world.log.filter(({ fields }) => fields['route'] === 'memories.list');
    while (lines().length < 2) await sleep(100);
    assert.deepEqual(
      lines().map(({ fields }) => [fields['status'], fields['complete']]),
      [
        [200, false],
        [200, false],
      ],
    );
  });

  it('of one long memory gets all of it, however often it pauses', async (t) => {
    const { world, port } = await createLimited(t, { sendMs: 1500 });
    const key = world.addAccount('ana', [
      memory({ id: 'long', transcript: 'x'.repeat(12_000_000) }),
    ]);
    const socket = open(t, port, ask(key, '/v1/memories/long', 'Connection: close\r\n'));
    let length = 0;
    const ended = once(socket, 'end');
    socket.on('data', (part: Buffer) => {
      const before = length;
      length += part.length;
      if (Math.floor(length / 3e6) === Math.floor(before / 3e6)) return;
      socket.pause();
      setTimeout(() => socket.resume(), 900);
    });
    socket.resume();
    await ended;
    assert.ok(length > 12_000_000, `${length} bytes`);
  });

  it('of a list gets all of it, even if each memory takes longer than the timeout', async (t) => {
    const { world, port } = await createLimited(t, { sendMs: 1000 });
    const transcript = 'x'.repeat(12_000_000);
    const key = world.addAccount('ana', [
      memory({ id: 'one', transcript }),
      memory({ id: 'two', transcript }),
    ]);
    const socket = open(t, port, ask(key, '/v1/memories', 'Connection: close\r\n'));
    let length = 0;
    const ended = once(socket, 'close');
    socket.on('data', (part: Buffer) => {
      length += part.length;
      socket.pause();
      setTimeout(() => socket.resume(), 10); // about 4 MB a second, fifteen times the minimum
    });
    socket.resume();
    await ended;
    assert.ok(length > 24_000_000, `${length} bytes`);
  });

  it('can pause for the timeout, and be as slow as the minimum rate, but not slower', () => {
    const sendMs = 30_000;
    const until = (taken: (second: number) => number, isWaiting = true) => {
      const pace = createReaderBudget(sendMs);
      for (let second = 1; second <= 600; second++) {
        const seen = { taken: taken(second), isWaiting, elapsed: 1000 };
        if (isTooSlow(pace, seen, sendMs)) return second;
      }
      return Infinity;
    };
    const rate = MIN_READ_BYTES / 30;
    assert.equal(
      until(() => 0),
      31,
      'nothing is taken',
    );
    assert.equal(
      until((second) => second * rate),
      Infinity,
      'the rate itself',
    );
    assert.equal(
      until((second) => second * rate * 0.5),
      61,
      'half of it',
    );
    assert.equal(
      until((second) => Math.floor(second / 25) * MIN_READ_BYTES),
      Infinity,
      'a piece every 25 s',
    );
    assert.equal(
      until((second) => Math.min(second, 100) * 1e6),
      131,
      'what was taken fast is not saved up',
    );
    assert.equal(
      until(() => 0, false),
      Infinity,
      'nothing waits for it',
    );
  });
});

describe('A connection', () => {
  it('above the maximum gets 503, until another one is closed', async (t) => {
    const { world, port } = await createLimited(t, { connections: 3, idleMs: 60_000 });
    const key = world.addAccount('ana', [memory({ id: 'one' })]);
    const held = [1, 2, 3].map(() => open(t, port));
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    const refused = readAnswers(await exchange(port, ''), '')[0]; // the operating system accepts them in order
    assert.ok(refused);
    assertFailure(refused, 503);
    assert.equal(refused.headers['connection'], 'close');
    const asked = readAnswers(await exchange(port, ask(key, '/v1/memories/one')), '');
    assert.deepEqual(
      asked.map(({ status }) => status),
      [503],
      'one response, and not with the memory',
    );
    held[0]?.destroy();
    const askAgain = () => send(port, { key, path: '/v1/memories/one' });
    let again = await askAgain();
    for (; again.status === 503; again = await askAgain()) await sleep(20); // when it notices the closed connection
    assert.equal(again.status, 200);
  });

  it('far above the maximum is closed without a response, and delays nothing', async (t) => {
    const { world, port } = await createLimited(t, { connections: 1 });
    const key = world.addAccount('ana', [memory({ id: 'one' })]);
    const held = open(t, port);
    await once(held, 'connect');
    const said = await Promise.all(
      Array.from({ length: 130 }, () => exchange(port, '').catch(() => '')),
    );
    const told = said.filter((text) => text.startsWith('HTTP/1.1 503 ')).length;
    assert.ok(told > 0 && told <= 130, `${told} were told`);
    assert.ok(said.every((text) => text === '' || text.startsWith('HTTP/1.1 503 ')));
    held.destroy();
    await once(held, 'close');
    const asked = () => send(port, { key, path: '/v1/memories/one' });
    let { status } = await asked();
    for (; status === 503; { status } = await asked()) await sleep(20);
    assert.equal(status, 200);
  });

  it('is closed after its maximum of requests, as its last response says', async (t) => {
    const { world, port } = await createLimited(t, { requests: 3 });
    const key = world.addAccount('ana', [memory({ id: 'one' })]);
    const requests = ask(key, '/v1/memories/one').repeat(5);
    const answers = readAnswers(await exchange(port, requests), requests);
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers['connection']]),
      [
        [200, 'keep-alive'],
        [200, 'keep-alive'],
        [200, 'close'],
      ],
    );
    const statuses = () => world.log.map(({ fields }) => fields['status']);
    // The fourth and the fifth were waiting.
    while (statuses().length < 5) await sleep(10);
    const unanswered = [undefined, undefined];
    assert.deepEqual(statuses(), [200, 200, 200, ...unanswered], 'none is logged as completed');
  });

  it('that is idle for too long is closed, and one whose headers arrive too slowly gets 408', async (t) => {
    const { port } = await createLimited(t, { headMs: 500, requestMs: 500, idleMs: 500 });
    const idle = open(t, port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(idle.resume(), 'close');
    const socket = open(t, port);
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    const drops = setInterval(() => socket.write('x'), 50);
    t.after(() => clearInterval(drops));
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ');
    await once(socket.resume(), 'close');
    assertFailure(readAnswers(Buffer.concat(parts).toString('latin1'), '')[0]!, 408);
  });
});

describe('The size limits of a request', () => {
  it('are separate for the headers and for the target', async (t) => {
    const world = await createWorld(t, { maxTarget: 100 });
    const port = await listen(
      t,
      createServer(world.gateway.listener, undefined, { headBytes: 1000 }),
    );
    const long = await sendRaw(port, ask('', `/${'a'.repeat(100)}`));
    assert.match(assertFailure(long, 414), /100 characters/);
    assertFailure(await sendRaw(port, ask('', `/${'a'.repeat(99)}`, 'Connection: close\r\n')), 404);
    const large = await sendRaw(port, ask('', '/', `X-A: ${'a'.repeat(1000)}\r\n`));
    assert.match(assertFailure(large, 431), /1000 bytes/);
  });

  it('are 414 for a request line that is longer than a whole head, and 431 for all else', async (t) => {
    const { port } = await createWorld(t);
    const ping = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
    const last = async (bytes: string, count: number) => {
      const answers = readAnswers(await exchange(port, bytes), bytes);
      assert.equal(answers.length, count);
      return answers.at(-1) as (typeof answers)[number];
    };
    for (const before of [0, 1, 3]) {
      const start = ping.repeat(before);
      for (const method of ['GET', 'M-SEARCH'])
        assertFailure(
          await last(`${start}${method} /${'a'.repeat(17_000)} HTTP/1.1\r\n`, before + 1),
          414,
        );
      const header = `GET /${'a'.repeat(4000)} HTTP/1.1\r\nA: ${'a'.repeat(13_000)}\r\n\r\n`;
      assertFailure(await last(start + header, before + 1), 431);
    }
  });
});

describe('Another protocol', () => {
  it('that the parser takes for HTTP gets what HTTP/1.0 gets: no memory without a key', async (t) => {
    const { port } = await createWorld(t);
    for (const [line, status] of [
      ['GET /healthz RTSP/1.0', 200],
      ['GET /v1/memories RTSP/1.0', 401],
      ['GET /v1/memories RTSP/2.0', 505],
      ['DESCRIBE rtsp://a/v1/memories RTSP/1.0', 400],
      ['SOURCE /v1/memories ICE/1.0', 401],
    ] as const) {
      const answer = await sendRaw(port, `${line}\r\nHost: x\r\n\r\n`);
      assert.equal(answer.status, status, line);
    }
    // It changes nothing for HTTP/1.0, also behind another request of the same read.
    const two = ['1.1', '1.0']
      .map((version) => `GET /healthz HTTP/${version}\r\nHost: x\r\n\r\n`)
      .join('');
    const answers = readAnswers(await exchange(port, two), two);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
  });

  it('that has a method of its own is 400 however its bytes arrive', async (t) => {
    const { port } = await createWorld(t);
    const socket = connect(port, '127.0.0.1').setNoDelay(true);
    const received = socket.setEncoding('latin1').toArray();
    for (const part of ['DESC', 'RIBE rtsp://a/ RT', 'SP/1.0\r\nCSeq: 1\r\n', '\r\n']) {
      socket.write(part);
      await sleep(50);
    }
    assert.match((await received).join(''), /^HTTP\/1\.1 400 /);
  });
});

describe('Limits', () => {
  it('of the target count characters, in programs as on the command line', async (t) => {
    const { database } = await createWorld(t);
    for (const maxTarget of [Number.NaN, 0, -1, 0.5, Infinity])
      await assert.rejects(connectGateway({ database, maxTarget }), Refusal, String(maxTarget));
    for (const maxTarget of [undefined, 1, 100_000])
      await (await connectGateway({ database, maxTarget })).close();
  });

  it('that make no sense are refused, in programs and on the command line', async () => {
    for (const limits of [{ headMs: 0 }, { connections: 1.5 }, { headMs: 2000, requestMs: 1000 }])
      assert.throws(() => createServer(() => {}, undefined, limits), Refusal);
    for (const args of [
      ['--head-timeout', '0s'],
      ['--send-timeout', '2h'],
      ['--idle-timeout', '5'],
      ['--head-timeout', '20s'],
      ['--max-head', '8000'],
      ['--max-connections', '0'],
      ['--max-requests', 'many'],
      ['--grace', '4w'],
    ]) {
      const { code, stderr } = await run(['serve', ...args]);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, /^memory-gateway: --[a-z-]+ (takes|must be) [^\n]+\n$/);
    }
  });
});

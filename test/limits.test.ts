// Limits: what takes too long, is too large or too many is ended, politely where anybody listens, and others never notice.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Limits } from '../src/gateway/limits.ts';
import { connectGateway } from '../src/gateway/open.ts';
import { createPace, isTooSlow, PACE_BYTES } from '../src/gateway/pace.ts';
import { createServer } from '../src/gateway/server.ts';
import { Refusal } from '../src/index.ts';
import { run } from './support/program.ts';
import { listen } from './support/serving.ts';
import { assertFailure } from './support/shape.ts';
import { exchange, readAnswers, send, sendRaw } from './support/wire.ts';
import { createWorld, memories, memory } from './support/world.ts';

/** A world behind a server with limits of its own. */
async function createLimited(t: TestContext, limits: Partial<Limits>) {
  const world = await createWorld(t);
  const port = await listen(t, createServer(world.gateway.listener, undefined, limits));
  return { world, port };
}

/** Opens a connection on which nothing is read. */
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

describe('A reader', () => {
  it('that stops is cut when its time is over, and what it held is let go', async (t) => {
    const { world, port } = await createLimited(t, { sendMs: 1000 });
    const long = memories(100).map((each) => ({
      ...each,
      transcript: randomBytes(150_000).toString('base64'), // which gzip makes no shorter
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

  it('of one long memory is served whole, however often it rests in between', async (t) => {
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

  it('of a list of long memories is served whole, each of which takes longer than the limit', async (t) => {
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
      setTimeout(() => socket.resume(), 10); // some 4 MB a second, fifteen times what is asked
    });
    socket.resume();
    await ended;
    assert.ok(length > 24_000_000, `${length} bytes`);
  });

  it('may stall for its time, and be as slow as its rate, but not slower', () => {
    const sendMs = 30_000;
    const until = (taken: (second: number) => number, isWaiting = true) => {
      const pace = createPace(sendMs);
      for (let second = 1; second <= 600; second++) {
        const seen = { taken: taken(second), isWaiting, elapsed: 1000 };
        if (isTooSlow(pace, seen, sendMs)) return second;
      }
      return Infinity;
    };
    const rate = PACE_BYTES / 30;
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
      until((second) => Math.floor(second / 25) * PACE_BYTES),
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
  it('more than there may be gets 503, and there is room again when one goes', async (t) => {
    const { world, port } = await createLimited(t, { connections: 3, idleMs: 60_000 });
    const key = world.addAccount('ana', [memory({ id: 'one' })]);
    const held = [1, 2, 3].map(() => open(t, port));
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    const refused = readAnswers(await exchange(port, ''), '')[0]; // the system hands them on in turn
    assert.ok(refused);
    assertFailure(refused, 503);
    assert.equal(refused.headers['connection'], 'close');
    const asked = readAnswers(await exchange(port, ask(key, '/v1/memories/one')), '');
    assert.deepEqual(
      asked.map(({ status }) => status),
      [503],
      'one answer, and not that of the memory',
    );
    held[0]?.destroy();
    const askAgain = () => send(port, { key, path: '/v1/memories/one' });
    let again = await askAgain();
    for (; again.status === 503; again = await askAgain()) await sleep(20); // as it hears of that end
    assert.equal(again.status, 200);
  });

  it('far more than there may be are let go without a word, and hold nothing up', async (t) => {
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

  it('is closed after so many requests, which its last answer says', async (t) => {
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
    while (statuses().length < 5) await sleep(10);
    const unanswered = [undefined, undefined];
    assert.deepEqual(statuses(), [200, 200, 200, ...unanswered], 'none is told of as answered');
  });

  it('that is idle for too long is closed, and one whose head comes drop by drop gets 408', async (t) => {
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

describe('The head of a request', () => {
  it('has the size that the limit says, and its target another', async (t) => {
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
});

describe('Limits', () => {
  it('of the target are numbers of characters, to programs as at the command line', async (t) => {
    const { database } = await createWorld(t);
    for (const maxTarget of [Number.NaN, 0, -1, 0.5, Infinity])
      await assert.rejects(connectGateway({ database, maxTarget }), Refusal, String(maxTarget));
    for (const maxTarget of [undefined, 1, 100_000])
      await (await connectGateway({ database, maxTarget })).close();
  });

  it('that make no sense are refused, to programs and at the command line', async () => {
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
      assert.match(stderr, /^memory-gateway: --[a-z-]+ takes [^\n]+\n$/);
    }
  });
});

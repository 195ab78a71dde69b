// Floods: thousands of idle connections, and an endless number of wrong keys.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { createApiKey } from '../../src/store/accounts/api-key.ts';
import { tell } from '../support/damage/trial.ts';
import {
  GAUGED,
  gauge,
  megabytes,
  mostFiles,
  noGauges,
  sizesOf,
  type Gauges,
} from '../support/processes/process-usage.ts';
import { serveAlone, type Served } from '../support/processes/serve-process.ts';
import { send } from '../support/wire/wire.ts';
import { stop } from '../support/world/program.ts';
import { sized } from '../support/world/thorough.ts';
import { until } from '../support/world/until.ts';
import { createWorld, memories } from '../support/world/world.ts';

/**
 * Connections come from this many addresses of this machine, because each address has its own range
 * of ports.
 */
const ADDRESSES = 8;

const AT_A_TIME = 200;

/**
 * Each connection takes a file descriptor in this process and one in the server. Some are left for
 * everything else.
 */
const MOST = noGauges ? 0 : Math.min(sized(10_000, 2000), mostFiles() - 1000);
const COUNT = Math.floor(MOST / AT_A_TIME) * AT_A_TIME;

/** No timeout ends a connection while the test runs. */
const PATIENT = ['--head-timeout', '1h', '--request-timeout', '1h', '--idle-timeout', '1h'];

/** The first use of code may keep this much memory: compiled code and interned names. */
const KEPT = 3e6;

const address = (i: number) => `127.0.0.${2 + (i % ADDRESSES)}`;

async function createCrowded(t: TestContext, args: readonly string[]) {
  const world = await createWorld(t);
  const key = world.addAccount('ana', memories(50, 1000));
  const served = await serveAlone(t, world.database, args, { env: GAUGED });
  const expected = (await send(served.port, { key })).text;
  /** Requests a list on a new connection, and asserts that it is right. */
  const askRightly = async () => {
    const answer = await send(served.port, { key });
    assert.deepEqual([answer.status, answer.text], [200, expected]);
  };
  return { ...served, key, askRightly };
}

/** Opens connections that stay open. Every second one has sent a request before. */
async function openCrowd(t: TestContext, { port }: Served): Promise<Set<Socket>> {
  const open = new Set<Socket>();
  t.after(() => open.forEach((socket) => socket.destroy()));
  for (let made = 0; made < COUNT; made += AT_A_TIME) {
    const some = Array.from({ length: AT_A_TIME }, async (_, n) => {
      const i = made + n;
      const socket = connect({ port, host: '127.0.0.1', localAddress: address(i) });
      socket.on('error', () => {});
      socket.on('close', () => open.delete(socket));
      await once(socket, 'connect');
      open.add(socket);
      if (i % 2 === 0) socket.resume();
      else {
        socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
        await once(socket, 'data');
        socket.resume();
      }
    });
    await Promise.all(some);
  }
  return open;
}

/** Gauges a program when it has no more files and handles than before, or after 5 s: a handle ends after its file. */
async function gaugeWhenClosed(
  child: Parameters<typeof gauge>[0],
  before: Gauges,
): Promise<Gauges> {
  const ends = performance.now() + 5000;
  for (;;) {
    const now = await gauge(child);
    const isClosed = now.fds <= before.fds && now.handles <= before.handles;
    if (isClosed || performance.now() > ends) return now;
    await sleep(50);
  }
}

describe('A crowd of idle connections', { skip: noGauges }, () => {
  it('leaves other clients their responses, and is gone when the server stops', async (t) => {
    const crowded = await createCrowded(t, ['--max-connections', '20000', ...PATIENT]);
    const before = sizesOf(crowded.child.pid);
    const open = await openCrowd(t, crowded);
    const during = sizesOf(crowded.child.pid);
    for (let i = 0; i < 200; i++) await crowded.askRightly();
    assert.equal(open.size, COUNT, 'no connection was closed');
    assert.equal(crowded.lines().length, 1, 'nothing was logged');
    const started = performance.now();
    assert.equal(await stop(crowded.child), 0);
    await until(() => open.size === 0, 5000);
    assert.equal(open.size, 0);
    const each = (during.rss - before.rss) / COUNT;
    tell(t, {
      connections: COUNT,
      'memory before': megabytes(before.rss),
      with: megabytes(during.rss),
      'bytes each': Math.round(each),
      'ms to stop': Math.round(performance.now() - started),
    });
    assert.ok(each < 64_000, `${each} bytes a connection`);
  });

  it('is closed by the timeouts, and leaves nothing behind', async (t) => {
    const args = ['--head-timeout', '2s', '--request-timeout', '2s', '--idle-timeout', '2s'];
    const crowded = await createCrowded(t, ['--max-connections', '20000', ...args]);
    await crowded.askRightly(); // the first use of a key opens the app's store
    await sleep(500);
    const before = await gauge(crowded.child);
    const after: Gauges[] = [];
    for (let wave = 0; wave < sized(3, 2); wave++) {
      const open = await openCrowd(t, crowded);
      await crowded.askRightly();
      await until(() => open.size === 0, 60_000);
      assert.equal(open.size, 0, 'all are closed');
      after.push(await gaugeWhenClosed(crowded.child, before));
    }
    const [first, last] = [after[0], after.at(-1)];
    assert.ok(first && last);
    tell(t, {
      connections: `${COUNT} in each of ${after.length} waves`,
      heap: [before, ...after].map(({ heap }) => megabytes(heap)).join(' → '),
      memory: [before, ...after].map(({ rss }) => megabytes(rss)).join(' → '),
      files: [before, ...after].map(({ fds }) => fds).join(' → '),
      handles: [before, ...after].map(({ handles }) => handles).join(' → '),
    });
    assert.ok(last.fds <= before.fds && last.handles <= before.handles, 'no files stay open');
    assert.ok(last.heap < first.heap + KEPT, 'no wave leaves memory in the heap');
    await crowded.askRightly();
  });
});

/** Sends requests with these keys on one connection, a few at a time. Returns the statuses. */
async function askWith(port: number, keys: readonly string[]): Promise<string[]> {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  const statuses: string[] = [];
  socket.setEncoding('latin1');
  let rest = '';
  let waiting: PromiseWithResolvers<void> | undefined;
  let awaited = 0;
  socket.on('close', () => waiting?.reject(new Error(`closed after ${statuses.length} responses`)));
  socket.on('data', (part: string) => {
    const said = rest + part;
    const found = Array.from(said.matchAll(/HTTP\/1\.1 (\d{3}) [^]*?"}/g));
    for (const [, status = ''] of found) statuses.push(status);
    const last = found.at(-1);
    rest = last ? said.slice(last.index + last[0].length) : said;
    if (statuses.length >= awaited) waiting?.resolve();
  });
  for (let at = 0; at < keys.length; at += 50) {
    const some = keys.slice(at, at + 50);
    awaited = at + some.length;
    waiting = Promise.withResolvers();
    socket.write(
      some
        .map(
          (key) => `GET /v1/memories HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n\r\n`,
        )
        .join(''),
    );
    await waiting.promise;
  }
  waiting = undefined;
  socket.destroy();
  return statuses;
}

/** Creates strings to send as keys: unknown keys of the right form, and other texts. */
function wrongKey(i: number): string {
  const key = createApiKey();
  return [key, key, key.slice(0, -1), `${key.slice(0, 30)}${key.slice(30).toLowerCase()}`, 'x'][
    i % 5
  ] as string;
}

describe('Invalid keys', { skip: noGauges }, () => {
  const KEYS = sized(100_000, 20_000);
  const ROUNDS = 5;

  it('in endless number leave no memory behind, and valid keys work as before', async (t) => {
    const crowded = await createCrowded(t, []);
    const gauges: Gauges[] = [];
    const seen = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round++) {
      const lots = Array.from({ length: 4 }, () =>
        Array.from({ length: KEYS / ROUNDS / 4 }, (_, i) => wrongKey(i)),
      );
      const found = await Promise.all(lots.map((keys) => askWith(crowded.port, keys)));
      for (const status of found.flat()) seen.set(status, (seen.get(status) ?? 0) + 1);
      await crowded.askRightly();
      gauges.push(await gauge(crowded.child));
    }
    const [first, last] = [gauges[0], gauges.at(-1)];
    assert.ok(first && last);
    tell(t, {
      keys: KEYS,
      answers: Array.from(seen, ([status, count]) => `${count} × ${status}`).join(' '),
      heap: gauges.map(({ heap }) => megabytes(heap)).join(' → '),
      memory: gauges.map(({ rss }) => megabytes(rss)).join(' → '),
      files: gauges.map(({ fds }) => fds).join(' → '),
    });
    assert.deepEqual([...seen], [['401', KEYS]]);
    assert.ok(last.heap < first.heap + KEPT, 'no memory is kept for each key');
    assert.ok(last.rss < 2 * first.rss);
    // The server notices the closed connections a moment later.
    const files = () => sizesOf(crowded.child.pid).fds;
    await until(() => files() <= first.fds, 5000);
    assert.ok(files() <= first.fds);
    assert.equal(crowded.lines().length, 1, 'nothing was logged about the keys');
    assert.equal(await stop(crowded.child), 0);
  });
});

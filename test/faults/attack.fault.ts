// Slow attacks: thousands of connections that send or read too slowly do not affect other clients, and leave nothing behind.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { tell } from '../support/damage/trial.ts';
import { GAUGED, gauge, megabytes, noGauges, sizesOf } from '../support/processes/process-usage.ts';
import { serveAlone } from '../support/processes/serve-process.ts';
import { send } from '../support/wire/wire.ts';
import { stop } from '../support/world/program.ts';
import { sized } from '../support/world/thorough.ts';
import { createWorld, memories } from '../support/world/world.ts';

const SENDERS = sized(1000, 200);
const READERS = sized(1000, 100);
const AT_A_TIME = 100;

/**
 * A slow reader reads at most 64 KiB at this interval, which is half of the rate that the server
 * demands.
 */
const EVERY_MS = 1500;

/** These timeouts end every attack within seconds. */
const LIMITS = ['--head-timeout', '3s', '--request-timeout', '4s', '--send-timeout', '3s'];

/**
 * The time within which all attackers are disconnected. A slow machine needs this long, because the
 * system buffers megabytes for each reader before a byte waits in the process.
 */
const PATIENCE_MS = sized(300_000, 120_000);

/**
 * The process takes 100 MB without its responses. Each attacker costs less than RSS_EACH on top.
 */
const RSS = 400e6;
const RSS_EACH = 2e6;

/** The behaviour of an attacker: its first bytes, and its action at each interval. */
interface Attack {
  readonly begin: (key: string, i: number) => string;
  readonly goOn: (socket: Socket) => void;
}

const list = (key: string, i: number) => {
  const coding = ['identity', 'gzip', 'br', 'zstd'][i % 4];
  return `GET /v1/memories HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\naccept-encoding: ${coding}\r\n\r\n`;
};

const doNothing = () => {};
const drip = (socket: Socket) => void socket.write('x');

const SLOW_SENDERS: Readonly<Record<string, Attack>> = {
  silent: { begin: () => '', goOn: doNothing },
  head: { begin: () => 'GET /v1/memories HTTP/1.1\r\nhost: a\r\nx-a: ', goOn: drip },
  line: { begin: () => 'G', goOn: drip },
  body: {
    begin: () => 'POST /v1/memories HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\n',
    goOn: drip,
  },
};

const SLOW_READERS: Readonly<Record<string, Attack>> = {
  nothing: { begin: list, goOn: doNothing },
  some: { begin: list, goOn: (socket) => void socket.resume() },
};

interface Attacked {
  readonly port: number;
  readonly key: string;
}

/**
 * Opens `count` connections, which use the attacks in turn. Returns a function that closes them.
 */
async function attack(
  t: TestContext,
  { port, key }: Attacked,
  { count, attacks }: { readonly count: number; readonly attacks: readonly Attack[] },
): Promise<() => void> {
  const open: [Socket, Attack][] = [];
  const goOn = setInterval(() => {
    for (const [socket, each] of open) if (socket.writable) each.goOn(socket);
  }, EVERY_MS);
  const letGo = () => {
    clearInterval(goOn);
    for (const [socket] of open) socket.destroy();
  };
  t.after(letGo);
  for (let made = 0; made < count; made += AT_A_TIME) {
    const some = Array.from({ length: AT_A_TIME }, async (_, n) => {
      const each = attacks[n % attacks.length]!;
      const socket = connect({ port, host: '127.0.0.1' });
      socket.on('error', doNothing).pause();
      socket.on('data', () => socket.pause()); // one chunk each time
      await once(socket, 'connect');
      socket.write(each.begin(key, made + n));
      open.push([socket, each]);
    });
    await Promise.all(some);
  }
  return letGo;
}

/** Returns the median and the 99th percentile of some times, in milliseconds. */
function spread(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN;
  return { median: at(0.5), p99: at(0.99) };
}

/**
 * Counts the sockets of a port with unsent bytes in the system, including those that the process
 * has closed.
 */
function unsent(port: number): number {
  const local = port.toString(16).toUpperCase().padStart(4, '0');
  const line = new RegExp(`^ *\\d+: [0-9A-F]{8}:${local} \\S+ \\S+ (?!00000000:)`, 'gm');
  return readFileSync('/proc/net/tcp', 'utf8').match(line)?.length ?? 0;
}

async function createAttacked(t: TestContext) {
  const world = await createWorld(t);
  const long = memories(140).map((each) => ({
    ...each,
    transcript: randomBytes(110_000).toString('base64'), // 20 MB together, of random bytes that hardly compress
  }));
  const victim = world.addAccount('victim', long);
  const key = world.addAccount('ana', memories(50, 1000));
  const served = await serveAlone(t, world.database, [...LIMITS, '--idle-timeout', '2s'], {
    env: GAUGED,
  });
  const expected = (await send(world.port, { key })).text;
  /**
   * Sends requests as another client until `isEnough`, and asserts every response. Returns their
   * durations.
   */
  const askOn = async (isEnough: (asked: number) => boolean): Promise<number[]> => {
    const times: number[] = [];
    while (!isEnough(times.length)) {
      const began = performance.now();
      const answer = await send(served.port, { key });
      times.push(performance.now() - began);
      assert.deepEqual([answer.status, answer.text], [200, expected]);
      await sleep(10);
    }
    return times;
  };
  return { ...served, key: victim, askOn };
}

describe('A slow attack', { skip: noGauges }, () => {
  for (const [name, count, attacks] of [
    ['that sends too slowly', SENDERS, Object.values(SLOW_SENDERS)],
    ['that reads too slowly', READERS, Object.values(SLOW_READERS)],
  ] as const) {
    it(`${name} leaves other clients their responses, and nothing behind`, async (t) => {
      const attacked = await createAttacked(t);
      const { child, askOn } = attacked;
      const calm = spread(await askOn((asked) => asked === 100));
      const before = await gauge(child);
      let most = before;
      let isUnderWay = true;
      const ends = performance.now() + PATIENCE_MS;
      const isOver = () => {
        const { rss, fds } = sizesOf(child.pid);
        most = { ...most, rss: Math.max(most.rss, rss), fds: Math.max(most.fds, fds) };
        return !isUnderWay && (fds <= before.fds || performance.now() > ends);
      };
      const asking = askOn(isOver);
      const began = performance.now();
      const letGo = await attack(t, attacked, { count, attacks });
      isUnderWay = false;
      const times = await asking;
      const seconds = (performance.now() - began) / 1000;
      const left = sizesOf(child.pid).fds; // before any timeout
      const late = performance.now() + 5000; // the latest bytes may still be on their way
      while (unsent(attacked.port) > 0 && performance.now() < late) await sleep(100);
      const held = unsent(attacked.port);
      letGo();
      await askOn((asked) => asked === 20);
      const after = await gauge(child);
      const meanwhile = spread(times);
      tell(t, {
        attackers: count,
        'seconds until disconnected': seconds.toFixed(1),
        answers: times.length,
        'median meanwhile': `${(meanwhile.median / calm.median).toFixed(1)} of before`,
        p99: `${(meanwhile.p99 / calm.p99).toFixed(1)} of before`,
        'sockets with unsent bytes': held,
        files: [before.fds, most.fds, left].join(' → '),
        memory: [before, most, after].map(({ rss }) => megabytes(rss)).join(' → '),
        heap: [before, after].map(({ heap }) => megabytes(heap)).join(' → '),
        handles: [before, after].map(({ handles }) => handles).join(' → '),
      });
      assert.ok(most.fds > before.fds + count / 4, 'the attackers are connected');
      assert.ok(left <= before.fds, `${left - before.fds} connections are left`);
      assert.equal(held, 0, 'no bytes are buffered for closed connections');
      assert.ok(after.handles <= before.handles, 'no bytes are waiting to be sent');
      assert.ok(most.rss < RSS + count * RSS_EACH, megabytes(most.rss));
      assert.equal(await stop(child), 0);
    });
  }
});

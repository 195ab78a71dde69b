// Rate limit: an address that tries wrong keys is refused for the rest of a minute, and no other address is.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { UsageError } from '../../src/cli/args/parse.ts';
import { readThrottleOption } from '../../src/cli/args/values.ts';
import { createClient } from '../../src/client/index.ts';
import { Failure } from '../../src/contract/failure.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { silent } from '../../src/gateway/log.ts';
import { createFindClientIp } from '../../src/gateway/request/client-ip.ts';
import { readHeaders } from '../../src/gateway/request/headers.ts';
import type { GatewayRequest } from '../../src/gateway/request/request.ts';
import { createFailureCounts, withThrottle } from '../../src/gateway/request/throttle.ts';
import { createServer } from '../../src/gateway/server/server.ts';
import { Refusal } from '../../src/store/refusal.ts';
import { openAny } from '../support/engines/engine.ts';
import { startKeeper } from '../support/processes/socket-activation.ts';
import { assertFailure, comparable } from '../support/wire/response-shape.ts';
import { send, sendRaw } from '../support/wire/wire.ts';
import { leave, newFolder } from '../support/world/artifacts.ts';
import { answerLater } from '../support/world/entry-points.ts';
import { start, stop, waitFor } from '../support/world/program.ts';
import { createWorld, memories, type WorldOptions } from '../support/world/world.ts';

const PATHS = [
  '/v1/memories',
  '/v1/memories?limit=1',
  '/v1/memories/m000',
  '/v1/memories/m000/lines',
  '/v1/search?q=a',
  '/v1/days',
  '/v1/changes',
  '/v1/memories/m000/details',
  '/v1/memories/m000/original',
  '/v1/memories/m000/audio',
  '/v1/people',
  '/v1/tags',
  '/v1/action_items',
  '/v1/x',
  '/v1',
];
const WRONG = 'mem_0000000000000000000000000000000000000000000000000';

/** Creates a world behind a local proxy that names the client's address. */
async function createThrottled(t: TestContext, more: WorldOptions = {}) {
  const world = await createWorld(t, {
    throttle: { perMinute: 3, proxies: ['127.0.0.1'] },
    ...more,
  });
  const key = world.addAccount('ana', memories(1));
  const ask = (address: string, path = '/v1/memories', given: string | undefined = WRONG) =>
    send(world.port, { path, key: given, headers: { 'x-forwarded-for': address } });
  const fail = async (address: string, times = 3) => {
    for (let i = 0; i < times; i++) assert.equal((await ask(address)).status, 401);
  };
  return { world, key, ask, fail };
}

/** Moves the monotonic clock forward by some seconds, until the test ends. */
function later(t: TestContext): (seconds: number) => void {
  const now = performance.now.bind(performance);
  let offset = 0;
  t.mock.method(performance, 'now', () => now() + offset);
  return (seconds) => void (offset += seconds * 1000);
}

describe('An address that tries wrong keys', () => {
  it('gets a number of 401, then 429 with Retry-After for every request under /v1, also with a right key', async (t) => {
    const { key, ask, fail } = await createThrottled(t);
    await fail('203.0.113.7');
    for (const path of PATHS)
      for (const each of [WRONG, key, undefined]) {
        const answer = await ask('203.0.113.7', path, each);
        assertFailure(answer, 429, path);
        const seconds = Number(answer.headers['retry-after']);
        assert.ok(Number.isInteger(seconds) && seconds > 0 && seconds <= 60, `${seconds}`);
        assert.equal(answer.headers['www-authenticate'], undefined);
      }
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs'])
      assert.equal((await ask('203.0.113.7', path)).status, 200, path);
    assert.equal((await ask('203.0.113.8', '/v1/memories', key)).status, 200);
  });

  it('gets the same response for every key, and for HEAD and other methods', async (t) => {
    const { world, key, ask, fail } = await createThrottled(t);
    later(t);
    await fail('203.0.113.7');
    const [first, ...others] = await Promise.all(
      [WRONG, key, 'x', undefined].map((each) => ask('203.0.113.7', '/v1/memories', each)),
    );
    const same = (answer: typeof first) => {
      const { headers, ...rest } = comparable(answer as NonNullable<typeof first>);
      return { ...rest, headers: { ...headers, 'retry-after': 'soon' } };
    };
    for (const other of others) assert.deepEqual(same(other), same(first));
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    for (const method of ['HEAD', 'POST', 'DELETE', 'OPTIONS'])
      assert.equal((await send(world.port, { method, key, headers })).status, 429, method);
  });

  it('is allowed again a minute after the first 401', async (t) => {
    const { key, ask, fail } = await createThrottled(t);
    const pass = later(t);
    await fail('203.0.113.7', 1);
    pass(30);
    await fail('203.0.113.7', 2);
    const refused = await ask('203.0.113.7', '/v1/memories', key);
    assert.equal(refused.headers['retry-after'], '30');
    pass(29);
    assert.equal((await ask('203.0.113.7')).headers['retry-after'], '1');
    pass(1.1);
    assert.equal((await ask('203.0.113.7', '/v1/memories', key)).status, 200);
    await fail('203.0.113.7'); // and has all its attempts again
    assert.equal((await ask('203.0.113.7')).status, 429);
  });

  it('is the same address in every spelling and within its IPv6 network', async (t) => {
    const { ask, fail } = await createThrottled(t);
    await fail('2001:db8:0:1::7');
    for (const same of ['2001:DB8:0:1:ffff::1', '[2001:db8:0:1::9]:443', '2001:db8:0:1::192.0.2.1'])
      assert.equal((await ask(same)).status, 429, same);
    for (const other of ['2001:db8:0:2::7', '2001:db8::1']) await fail(other, 1);
    await fail('192.0.2.1');
    for (const same of ['::ffff:192.0.2.1', '::FFFF:c000:201', '192.0.2.1:5678'])
      assert.equal((await ask(same)).status, 429, same);
  });

  it('gets framing errors first', async (t) => {
    const { world, fail } = await createThrottled(t);
    await fail('203.0.113.7');
    const head = 'X-Forwarded-For: 203.0.113.7\r\nConnection: close\r\n\r\n';
    const twoHosts = `GET /v1/memories HTTP/1.1\r\nHost: a\r\nHost: b\r\n${head}`;
    assertFailure(await sendRaw(world.port, twoHosts), 400);
    const long = `GET /v1/memories?q=${'a'.repeat(13_400)} HTTP/1.1\r\nHost: a\r\n${head}`;
    assertFailure(await sendRaw(world.port, long), 414);
  });

  it('is counted for 401 only', async (t) => {
    const { world, key, ask, fail } = await createThrottled(t);
    for (let i = 0; i < 5; i++) {
      assert.equal((await ask('203.0.113.7', '/v1/memories/none', key)).status, 404);
      assert.equal((await ask('203.0.113.7', '/v1/memories?limit=x', key)).status, 422);
      const bad = `GET / HTTP/1.1\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n`;
      assert.equal((await sendRaw(world.port, bad)).status, 400);
    }
    await fail('203.0.113.7');
    assert.equal((await ask('203.0.113.7')).status, 429);
  });

  it('is counted at once, even if the store is slow', async (t) => {
    const { key, ask } = await createThrottled(t, { wrap: answerLater });
    const all = await Promise.all([
      ...Array.from({ length: 30 }, () => ask('203.0.113.7')),
      ...Array.from({ length: 30 }, () => ask('203.0.113.7', '/v1/memories', key)),
    ]);
    assert.equal(all.filter(({ status }) => status === 401).length, 3);
    assert.ok(all.slice(0, 30).every(({ status }) => status === 401 || status === 429));
    assert.equal((await ask('203.0.113.7', '/v1/memories', key)).status, 429);
  });

  it('is in the access log only, without its keys', async (t) => {
    const { world, ask, fail } = await createThrottled(t);
    await fail('203.0.113.7');
    for (let i = 0; i < 50; i++) assert.equal((await ask('203.0.113.7')).status, 429);
    assert.deepEqual(new Set(world.log.map(({ message }) => message)), new Set(['request']));
    assert.equal(world.log.length, 53);
    assert.doesNotMatch(JSON.stringify(world.log), /mem_|203\.0/);
  });

  it('is forgotten after its minute, even if it never returns', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const pass = later(t);
    const minutes = createFailureCounts();
    const admit = withThrottle(() => new Failure(401, 'No.'), 1, minutes);
    for (const address of ['198.51.100.1', '198.51.100.2']) {
      void admit({ clientIp: address } as GatewayRequest);
      void admit({ clientIp: address } as GatewayRequest);
    }
    pass(59);
    t.mock.timers.tick(59_000);
    assert.deepEqual([...minutes.keys()].toSorted(), ['198.51.100.1', '198.51.100.2']);
    pass(1.1);
    t.mock.timers.tick(1100);
    assert.deepEqual([...minutes.keys()], []);
    assert.equal(minutes.size, 0);
  });

  it('is forgotten after 10,000 other addresses have failed', () => {
    const unknown = new Failure(401, 'No.');
    const admit = withThrottle(() => unknown, 1);
    const ask = (address: string) =>
      (admit({ clientIp: address } as GatewayRequest) as Failure).status;
    const others = (count: number) => {
      for (let i = 0; i < count; i++) ask(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
    };
    assert.deepEqual([ask('198.51.100.1'), ask('198.51.100.1')], [401, 429]);
    others(9_999);
    assert.equal(ask('198.51.100.1'), 429);
    others(10_000);
    assert.equal(ask('198.51.100.1'), 401);
  });
});

describe('No request is refused', () => {
  it('without the option', async (t) => {
    for (const throttle of [undefined, { perMinute: 0, proxies: ['127.0.0.1'] }]) {
      const { fail } = await createThrottled(
        t,
        throttle ? { throttle } : { throttle: { perMinute: 0 } },
      );
      await fail('203.0.113.7', 10);
    }
  });

  it('from this machine, if no proxy on it is configured', async (t) => {
    const { world, fail } = await createThrottled(t, { throttle: { perMinute: 3 } });
    await fail('203.0.113.7', 10);
    const warned = world.log.filter(({ message }) => message.startsWith('X-Forwarded-For'));
    assert.deepEqual(
      warned.map(({ fields }) => fields),
      [{ peer: '127.0.0.1' }],
      'told once',
    );
    assert.match(warned[0]?.message ?? '', /name it with --proxy/);
  });

  it('from a configured proxy on this machine that sends no client address, which is logged once', async (t) => {
    const throttle = { perMinute: 3, proxies: ['127.0.0.1'] };
    const { world, fail } = await createThrottled(t, { throttle });
    for (const said of ['unknown', 'unix:', '203.0.113.7, zzz']) await fail(said, 5);
    const warned = world.log.filter(({ message }) =>
      message.startsWith('A configured proxy did not name its caller'),
    );
    assert.deepEqual(
      warned.map(({ fields }) => fields),
      [{ peer: '127.0.0.1' }],
    );
  });

  it('through a Unix socket from a supervisor, which is logged once', async (t) => {
    const world = await createWorld(t);
    const socketPath = join(newFolder(), 'socket');
    const { child, serve } = await startKeeper(t, socketPath);
    let log = '';
    child.stdout.on('data', (part: Buffer) => void (log += part.toString()));
    await serve('--database', world.database, '--throttle', '1');
    for (let i = 0; i < 4; i++) {
      const headers = { 'x-forwarded-for': '203.0.113.7', 'x-api-key': WRONG };
      const sent = request({ socketPath, path: '/v1/memories', headers, agent: false }).end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      answer.resume();
      assert.equal(answer.statusCode, 401);
    }
    leave(log);
    const warned = log
      .split('\n')
      .filter((line) => line.includes('The rate limit for failed keys is off'));
    assert.equal(warned.length, 1);
    assert.ok(warned.every((line) => line.includes('"level":"warn"')));
  });

  it('through gateway.fetch, which has no client address', async (t) => {
    const { world } = await createThrottled(t);
    for (let i = 0; i < 10; i++) {
      const headers = { 'x-forwarded-for': '203.0.113.7', 'x-api-key': WRONG };
      const answer = await world.gateway.fetch(new Request('http://a/v1/memories', { headers }));
      assert.equal(answer.status, 401);
    }
  });
});

describe('The client address', () => {
  const asks = (peer: string | undefined, proxies: readonly string[], ...lines: string[]) => {
    const raw = lines.flatMap((line) => ['X-Forwarded-For', line]);
    return createFindClientIp(proxies, silent)(peer, readHeaders(raw));
  };

  it('is the address of the socket, whatever a header says', () => {
    assert.equal(asks('203.0.113.7', []), '203.0.113.7');
    assert.equal(asks('203.0.113.7', [], '198.51.100.1'), '203.0.113.7');
    assert.equal(asks('203.0.113.7', ['10.0.0.0/8'], '198.51.100.1'), '203.0.113.7');
    assert.equal(asks('::ffff:203.0.113.7', []), '203.0.113.7');
    assert.equal(asks('fe80::1%eth0', []), 'fe80:0:0:0::/64');
    for (const local of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1', undefined])
      for (const line of [[], ['198.51.100.1']])
        assert.equal(asks(local, ['10.0.0.5'], ...line), undefined);
  });

  it('is the last address in X-Forwarded-For that is not a configured proxy', () => {
    const proxies = ['10.0.0.0/8', 'fd00::/8', '127.0.0.1', '::1', '192.0.2.9'];
    const cases: readonly [string, string, ...string[]][] = [
      ['198.51.100.1', '10.1.2.3', '198.51.100.1'],
      ['198.51.100.1', '127.0.0.1', '198.51.100.1'],
      ['198.51.100.1', '::1', '198.51.100.1'],
      ['198.51.100.1', '::ffff:10.1.2.3', '198.51.100.1'],
      ['198.51.100.1', '10.1.2.3', '1.2.3.4, 198.51.100.1'],
      ['198.51.100.1', '10.1.2.3', '1.2.3.4 ,198.51.100.1 , 10.9.9.9,fd12::1'],
      ['198.51.100.1', '10.1.2.3', '1.2.3.4', '198.51.100.1', '10.9.9.9, 192.0.2.9'],
      ['198.51.100.1', '10.1.2.3', 'made up, 198.51.100.1'],
      ['198.51.100.1', '10.1.2.3', '10.0.0.1, 198.51.100.1'],
      ['10.0.0.1', '10.1.2.3', '10.0.0.1'], // a private address among the proxies
      ['127.0.0.2', '10.1.2.3', '127.0.0.2'],
      ['10.1.2.3', '10.1.2.3'], // without the header, the proxy itself counts as the client
      ['10.1.2.3', '10.1.2.3', ''],
      ['10.1.2.3', '10.1.2.3', 'unknown'],
      ['10.1.2.3', '10.1.2.3', '198.51.100.1, unknown'],
      ['10.9.9.9', '10.1.2.3', '198.51.100.1, _hidden, 10.9.9.9'],
      ['10.1.2.3', '10.1.2.3', '198.51.100.1,'],
    ];
    for (const [expected, peer, ...lines] of cases)
      assert.equal(asks(peer, proxies, ...lines), expected, `${peer}: ${lines.join(' | ')}`);
    assert.equal(asks('127.0.0.1', proxies), undefined, 'what asks on this machine itself');
  });

  it('is found on a wrapped socket', async (t) => {
    const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    const own = all.find(({ internal, family }) => !internal && family === 'IPv4');
    if (own === undefined) return t.skip('this machine has no address but those of itself');
    const world = await createWorld(t);
    const store = await openAny(world.database);
    t.after(() => store.close());
    const server = createServer(createGateway(store, { throttle: { perMinute: 2 } }).listener);
    server.listen(0, own.address);
    await once(server, 'listening');
    t.after(() => server.close());
    const { port } = server.address() as { port: number };
    const statuses: (number | undefined)[] = [];
    for (let i = 0; i < 4; i++) {
      // Another forged address in the header each time does not make another client.
      const headers = { 'x-forwarded-for': `198.51.100.${i}` };
      const sent = request({
        port,
        host: own.address,
        path: '/v1/memories',
        headers,
        agent: false,
      });
      const [answer] = (await once(sent.end(), 'response')) as [IncomingMessage];
      answer.resume();
      statuses.push(answer.statusCode);
    }
    assert.deepEqual(statuses, [401, 401, 429, 429]);
  });
});

describe('The rate limit', () => {
  it('makes the client wait and then retry', async (t) => {
    const { world, key, fail } = await createThrottled(t);
    const pass = later(t);
    await fail('203.0.113.7');
    pass(59);
    let asked = 0;
    const through = (given: Request) => {
      asked++;
      given.headers.set('x-forwarded-for', '203.0.113.7');
      return fetch(given);
    };
    const client = createClient({ baseUrl: world.url, apiKey: key, fetch: through });
    assert.equal((await client.memories.list()).length, 1);
    assert.equal(asked, 2);
    await fail('203.0.113.7');
    const hasty = createClient({ baseUrl: world.url, apiKey: key, fetch: through });
    await assert.rejects(hasty.memories.list(), { status: 429, reason: 'answer' });
    assert.equal(asked, 3, 'a wait that is longer than the call may take is not begun');
  });

  it('accepts numbers and addresses, and refuses other values in a sentence', async (t) => {
    const { world } = await createThrottled(t);
    const store = await openAny(world.database);
    t.after(() => store.close());
    const none = { perMinute: 1, proxies: [] };
    for (const proxies of [['x'], [''], ['10.0.0.0/33'], ['10.0.0.0/0'], ['::/0'], ['fd00::/129']])
      assert.throws(() => createGateway(store, { throttle: { ...none, proxies } }), Refusal);
    for (const perMinute of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
      assert.throws(() => createGateway(store, { throttle: { ...none, perMinute } }), Refusal);
    for (const text of ['', '-1', '1.5', 'off', '1000000'])
      assert.throws(() => readThrottleOption(text, undefined), UsageError, text);
    for (const named of ['x', '10.0.0.1,', '10.0.0.1, 10.0.0.2', '10.0.0.0/00', '1.2.3.4/8/8'])
      assert.throws(() => readThrottleOption('1', named), UsageError, named);
    const proxies = ['10.0.0.5', 'fd00::/8', '::1', '10.0.0.0/8'];
    assert.deepEqual(readThrottleOption('10', proxies.join()), { perMinute: 10, proxies });
    assert.deepEqual(readThrottleOption('0', undefined), { perMinute: 0, proxies: [] });
  });

  it('is switched on by options of serve, or by the environment', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(1));
    const options = ['--throttle', '2', '--proxy', '127.0.0.1'];
    const env = { MEMORY_GATEWAY_THROTTLE: '2', MEMORY_GATEWAY_PROXY: '127.0.0.0/8' };
    for (const [args, environment] of [[options, {}] as const, [[], env] as const]) {
      const serve = ['serve', '--port', '0', '--database', world.database, '--access-log'];
      const child = start([...serve, ...args], { env: environment });
      t.after(() => stop(child, 'SIGKILL'));
      child.stdout.on('data', (part: Buffer) => leave(part.toString()));
      const said = await waitFor(child, 'stdout', /"listening"/);
      const port = Number(/127\.0\.0\.1:(\d+)/.exec(said)?.[1]);
      const headers = { 'x-forwarded-for': '203.0.113.7' };
      const statuses: number[] = [];
      for (const each of [key, WRONG, WRONG, WRONG, key])
        statuses.push((await send(port, { key: each, headers })).status);
      assert.deepEqual(statuses, [200, 401, 401, 429, 429]);
      assert.equal(await stop(child), 0);
    }
  });
});

// serve as a process: its log, its shutdown, and its behaviour on an old Node.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { createGateway } from '../../src/gateway/gateway.ts';
import {
  createServer as createGatewayServer,
  stopServer,
} from '../../src/gateway/server/server.ts';
import { hashOf, startLoad } from '../support/damage/load-callers.ts';
import { readerAddress } from '../support/engines/database-addresses.ts';
import { onlyFiles, openAny } from '../support/engines/engine.ts';
import { GAUGED, gauge, noGauges, type Gauges } from '../support/processes/process-usage.ts';
import { serveAlone } from '../support/processes/serve-process.ts';
import { send } from '../support/wire/wire.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { freePort } from '../support/world/free-port.ts';
import {
  BINARY,
  noLoading,
  PROGRAM_WORDS,
  ROOT,
  run,
  runProcess,
  startProcess,
  stop,
  waitFor,
} from '../support/world/program.ts';
import { cases } from '../support/world/thorough.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

/** The reason to skip a test of the sources if an executable is under test. */
const sourcesAlone = BINARY !== undefined && 'npm start runs the sources';
/** The reason to skip a test that makes the program process 1. */
const NO_NAMESPACE =
  spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0
    ? false
    : 'needs unshare, and leave to use it';

async function startServe(
  t: TestContext,
  {
    args = [],
    isLong = false,
  }: {
    readonly args?: readonly string[];
    /** Whether the list is long enough to wait for its reader. */
    readonly isLong?: boolean;
  } = {},
) {
  const world = await createWorld(t);
  const key = world.addAccount('ana', isLong ? memories(300, 50_000) : memories(3));
  return { world, key, ...(await serveAlone(t, world.database, args)) };
}

function getSlowly(port: number, key: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const options = { port, host: '127.0.0.1', path: '/v1/memories', headers: { 'x-api-key': key } };
  get({ ...options, agent: false }, resolve).on('error', reject);
  return promise;
}

/** Requests a list, and resets the connection after this many bytes. */
async function resetAfter(port: number, key: string, bytes: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET /v1/memories HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\n\r\n`);
  socket.on('data', () => socket.bytesRead > bytes && socket.resetAndDestroy());
  await once(socket, 'close');
}

describe('serve', () => {
  it('logs its start and stop as JSON lines, and ends with 0 on SIGTERM, SIGINT and SIGHUP', async (t) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      const { child, port, key, lines, world } = await startServe(t);
      assert.equal((await send(port, { key, path: '/v1/memories/m001' })).status, 200);
      assert.equal(await stop(child, signal), 0);
      const [listening, stopping, stopped] = lines();
      assert.equal(lines().length, 3, 'no access log by default');
      assert.deepEqual(
        [listening?.['msg'], stopping?.['msg'], stopped?.['msg']],
        ['listening', 'stopping', 'stopped'],
      );
      assert.equal(listening?.['level'], 'info');
      assert.equal(listening?.['database'], readerAddress(world.database));
      assert.match(String(listening?.['time']), /^\d{4}-\d\d-\d\dT.*Z$/);
      assert.equal(stopping?.['signal'], signal);
    }
  });

  it('ends with 0 if `npm start` gets the signal', { skip: sourcesAlone }, async (t) => {
    const args = ['start', '--silent', '--', newFolder(), '--port', '0'];
    const npm = spawn('npm', args, { cwd: ROOT, env: { ...process.env, NODE_V8_COVERAGE: '' } });
    t.after(() => npm.kill('SIGKILL'));
    const said = await waitFor(npm, 'stdout', /Ctrl\+C/);
    const [, port, secret] = /:(\d+)\/app\/start#(\S+)/.exec(said) ?? [];
    issued(String(secret));
    const stopped = once(npm, 'exit');
    npm.kill('SIGTERM');
    await stopped;
    await sleep(100);
    await assert.rejects(send(Number(port), { path: '/healthz' }), { code: 'ECONNREFUSED' });
  });

  it(
    'ends with 0 as the first process of a container, which signals do not end by default',
    { skip: NO_NAMESPACE },
    async (t) => {
      const world = await createWorld(t);
      const under = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
      const { child, port } = await serveAlone(t, world.database, [], { under });
      assert.equal((await send(port, { path: '/healthz' })).status, 200);
      const inside = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
      assert.match(readFileSync(`/proc/${inside}/status`, 'utf8'), /^NSpid:\t\d+\t1$/m);
      process.kill(Number(inside), 'SIGTERM');
      assert.deepEqual(await once(child, 'close'), [0, null]);
    },
  );

  it('finishes responses in progress before it stops, and accepts no new connection', async (t) => {
    const { child, port, key } = await startServe(t, { isLong: true });
    const response = await getSlowly(port, key);
    const ended = stop(child, 'SIGTERM');
    await waitFor(child, 'stdout', /stopping/);
    await assert.rejects(send(port, { key }), { code: 'ECONNREFUSED' });
    const list = JSON.parse((await buffer(response)).toString());
    assert.equal(list.length, 300);
    assert.equal(await ended, 0);
  });

  it('sends a response to its last byte if the client reads it after the signal', async (t) => {
    const { world, child, port, key } = await startServe(t);
    world.writer.memories.put('ana', memory({ id: 'long', transcript: 'x'.repeat(12_000_000) }));
    const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
    const options = { port, host: '127.0.0.1', path: '/v1/memories/long', agent: false };
    get({ ...options, headers: { 'x-api-key': key } }, resolve);
    const response = await promise;
    await sleep(200);
    const ended = stop(child, 'SIGTERM');
    await sleep(500);
    const body = await buffer(response);
    assert.equal(body.length, Number(response.headers['content-length']));
    assert.equal(await ended, 0);
  });

  it('opens no debugger on SIGUSR1, in which others could run code', async (t) => {
    const world = await createWorld(t);
    const { child, port } = await serveAlone(t, world.database);
    let said = '';
    child.stderr.on('data', (part: Buffer) => (said += part.toString()));
    child.kill('SIGUSR1');
    for (let i = 0; i < 20; i++) assert.equal((await send(port, { path: '/healthz' })).status, 200);
    assert.equal(await stop(child), 0);
    assert.doesNotMatch(said, /ebugger/);
  });

  it('stops at once on a second signal', async (t) => {
    const { child, port, key } = await startServe(t, { isLong: true });
    const response = await getSlowly(port, key);
    response.on('error', () => {}); // cut off
    const ended = stop(child, 'SIGTERM');
    await waitFor(child, 'stdout', /stopping/);
    child.kill('SIGTERM');
    assert.equal(await ended, 1);
  });

  it('with --access-log writes one entry per request, without secrets', async (t) => {
    const { child, port, key, lines, log } = await startServe(t, { args: ['--access-log'] });
    const answers = [
      await send(port, { key, path: '/v1/memories/m001' }),
      await send(port, { key, path: '/v1/memories/secretid?token=secretquery' }),
      await send(port, { key: `${key}x`, path: '/v1/secretpath' }),
      await send(port, { path: `/healthz?api_key=${key}`, headers: { cookie: 'secretcookie' } }),
      await send(port, { key, method: 'HEAD', path: '/v1/memories?limit=1' }),
    ];
    await stop(child);
    const access = lines().filter(({ msg }) => msg === 'request');
    const common = { level: 'info', msg: 'request', complete: true };
    const expected = [
      {
        method: 'GET',
        route: 'memories.get',
        status: 200,
        bytes: answers[0]?.body.length,
        last_four: key.slice(-4),
      },
      {
        method: 'GET',
        route: 'memories.get',
        status: 422,
        bytes: answers[1]?.body.length,
        last_four: key.slice(-4),
      },
      { method: 'GET', status: 401, bytes: answers[2]?.body.length },
      { method: 'GET', status: 200, bytes: answers[3]?.body.length },
      { method: 'HEAD', route: 'memories.list', status: 200, bytes: 0, last_four: key.slice(-4) },
    ];
    assert.equal(access.length, expected.length);
    for (const [i, line] of access.entries()) {
      const { time: _time, duration_ms, request_id, ...rest } = line;
      assert.deepEqual(rest, { ...common, ...expected[i] });
      assert.equal(request_id, answers[i]?.headers['x-request-id']);
      assert.ok(typeof duration_ms === 'number' && duration_ms > 0);
    }
    assert.doesNotMatch(log(), /secret|mem_|Mira/);
  });

  it(
    'prints readable text on a terminal',
    { skip: process.platform !== 'linux' && 'needs script(1) of Linux' },
    async (t) => {
      const world = await createWorld(t);
      const command = `exec ${PROGRAM_WORDS.join(' ')} serve --port 0 --database ${world.database}`;
      const terminal = spawn('script', ['-qec', command, '/dev/null'], { detached: true });
      t.after(
        () => terminal.pid && terminal.exitCode === null && process.kill(-terminal.pid, 'SIGKILL'),
      );
      const said = await waitFor(terminal, 'stdout', /listening[^]*node/);
      assert.match(said, /\[\d\d:\d\d:\d\d\].*INFO.*listening/);
      terminal.stdin.write('\x03'); // Ctrl+C
      const [code] = await once(terminal, 'close');
      assert.equal(code, 0);
    },
  );

  it('continues if its log is closed or not read', async (t) => {
    // A pipe that nobody reads is full after 64 kB.
    for (const [rounds, way, other] of [
      [2, 'destroy'],
      [12, 'pause'],
      [2, 'destroy', 'destroy'],
    ] as const) {
      const { child, port, key } = await startServe(t, { args: ['--access-log'] });
      child.stdout.removeAllListeners('data');
      child.stdout[way]();
      if (other) child.stderr[other](); // where it would report an error
      for (let round = 0; round < rounds; round++) {
        const requests = Array.from({ length: 50 }, () => send(port, { key, path: '/healthz' }));
        for (const { status } of await Promise.all(requests)) assert.equal(status, 200);
      }
      assert.equal(await stop(child), 0, `${way} ${other}`);
    }
  });

  it('continues if the disk of its log is full, and says so once', async (t) => {
    const world = await createWorld(t);
    const port = await freePort();
    const [command = '', ...words] = PROGRAM_WORDS;
    const args = [...words, 'serve', '--access-log', '--port', String(port)];
    const full = openSync('/dev/full', 'w');
    t.after(() => closeSync(full));
    const child = spawn(command, [...args, '--database', world.database], {
      stdio: ['ignore', full, 'pipe'],
    });
    t.after(() => child.kill('SIGKILL'));
    const [said] = (await once(child.stderr as Readable, 'data')) as [Buffer];
    assert.match(
      said.toString(),
      /^memory-gateway: the log cannot be written \(ENOSPC\); the program goes on without a log\.\n$/,
    );
    for (let i = 0; i < 20; i++) assert.equal((await send(port, { path: '/healthz' })).status, 200);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'close'), [0, null]);
  });

  it(
    'frees lists whose clients reset the connection, and logs no warning',
    { skip: noGauges },
    async (t) => {
      const world = await createWorld(t);
      // More than the buffers of both ends take, also if this process reads late.
      const key = world.addAccount('ana', memories(800, 50_000));
      const args = ['--access-log'];
      const { child, port, lines } = await serveAlone(t, world.database, args, { env: GAUGED });
      const settled = async (): Promise<Gauges> => {
        while (lines().filter(({ msg }) => msg === 'request').length < asked) await sleep(20);
        return gauge(child);
      };
      let asked = 0;
      const resetSome = async (count: number): Promise<void> => {
        for (; count > 0; count -= 10) {
          // From the first bytes to a dozen waits for the reader.
          const resets = Array.from({ length: 10 }, (_, i) => resetAfter(port, key, i * 500_000));
          await Promise.all(resets);
          asked += 10;
        }
      };
      await resetSome(cases(50, 20)); // until all code is compiled
      const before = await settled();
      await resetSome(cases(200, 60));
      const after = await settled();
      const requests = lines().filter(({ msg }) => msg === 'request');
      assert.ok(requests.every(({ complete }) => complete === false));
      // With PostgreSQL, allows for new connections of the pool, which has ten at most.
      const more = onlyFiles ? 10 : 2;
      assert.ok(after.fds <= before.fds + more, `${before.fds} → ${after.fds} files`);
      assert.ok(
        after.handles <= before.handles + more,
        `${before.handles} → ${after.handles} handles`,
      );
      assert.ok(after.heap < before.heap + 5e6, `${before.heap} → ${after.heap}`);
      // Its stderr is read together with its log: a warning there would not be JSON.
      assert.equal(lines().length, requests.length + 1);
    },
  );

  it('serves at once after it was killed under load', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(20));
    const { body } = await send(world.port, { key });
    // Separate files: the world's gateway keeps its file open, so that file always shuts down
    // cleanly.
    const database = onlyFiles ? world.database : join(newFolder(), 'alone.db');
    if (!onlyFiles)
      assert.equal((await run(['backup', database, '--database', world.database])).code, 0);
    const port = await freePort();
    const load = startLoad(port, [{ path: '/v1/memories', key, hash: hashOf(body) }], 4);
    t.after(load.stop);
    for (let round = 0; round < 2; round++) {
      const child = startProcess(['serve', '--database', database, '--port', String(port)]);
      t.after(() => child.kill('SIGKILL'));
      await waitFor(child, 'stdout', /"listening"/);
      const { right } = load.outcomes;
      await load.more(20);
      assert.ok(load.outcomes.right >= right + 20);
      await stop(child, 'SIGKILL');
    }
    await load.stop();
    assert.equal(load.outcomes.wrong, 0);
  });

  it('reads its settings from the environment', async (t) => {
    const env = {
      MEMORY_GATEWAY_HOST: '127.0.0.2',
      HOST: '203.0.113.1', // after the other
      MEMORY_GATEWAY_ACCESS_LOG: 'on',
      MEMORY_GATEWAY_ALLOW_ORIGIN: 'https://app.example',
    };
    const world = await createWorld(t);
    const child = startProcess(['serve', '--database', world.database], {
      env: { ...env, PORT: '0' },
    });
    t.after(() => stop(child, 'SIGKILL'));
    const url = /http:\/\/127\.0\.0\.2:\d+/.exec(await waitFor(child, 'stdout', /listening/))?.[0];
    const line = waitFor(child, 'stdout', /"request"/);
    const response = await fetch(`${url}/healthz`, { headers: { origin: 'https://app.example' } });
    assert.equal(response.headers.get('access-control-allow-origin'), 'https://app.example');
    await line;
    const off = await run(['serve', '--database', world.database], {
      env: { MEMORY_GATEWAY_ACCESS_LOG: 'maybe' },
    });
    assert.equal(off.code, 2);
    assert.match(
      off.stderr,
      /--access-log takes "on", "off" or "address", not "maybe"\. --access-log comes from MEMORY_GATEWAY_ACCESS_LOG\./,
    );
  });
});

describe('stopServer', () => {
  it('disconnects a client that does not read after the grace period', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(100, 500_000));
    const store = await openAny(world.database);
    const server = createGatewayServer(createGateway(store).listener);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const response = await getSlowly(port, key);
    const cut = once(response, 'error');
    await stopServer(server, 200);
    response.resume();
    await cut;
    await store.close();
  });
});

describe('An old Node', () => {
  it('gets one sentence and exit code 1', { skip: noLoading }, async () => {
    for (const version of ['20.20.2', '22.17.9', '18.0.0']) {
      const fake = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;
      const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fake)}` };
      const { code, stdout, stderr } = await runProcess(['--version'], { env });
      assert.deepEqual([code, stdout], [1, ''], stderr);
      assert.match(
        stderr,
        new RegExp(
          `^memory-gateway needs Node 22\\.18 or newer, and this is ${version}; install [^\\n]+\\n$`,
        ),
      );
    }
    const fake = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'22.18.0'}})`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fake)}` };
    assert.equal((await runProcess(['--version'], { env })).code, 0);
  });
});

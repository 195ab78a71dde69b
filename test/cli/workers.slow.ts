// serve --workers: several processes on one port, with one log and one end.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { UsageError } from '../../src/cli/args/parse.ts';
import { readWorkers } from '../../src/cli/args/values.ts';
import { readerAddress } from '../support/engines/database-addresses.ts';
import { hear, portOf } from '../support/processes/serve-process.ts';
import { send } from '../support/wire/wire.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { noLoading, PROGRAM_WORDS, run, start, stop, waitFor } from '../support/world/program.ts';
import { createWorld, memories, type World } from '../support/world/world.ts';

type Line = Record<string, unknown>;

interface Started {
  readonly args?: readonly string[];
  /** Runs in every worker before the program. */
  readonly before?: string;
  /** The test starts to read the log when this text is on stderr. */
  readonly readAfter?: RegExp;
  /** Whether the list is long enough to wait for its reader. */
  readonly isLong?: boolean;
}

/** Serves the memories of an account with two workers. */
async function startTwo(
  t: TestContext,
  { args = [], before, readAfter, isLong = false }: Started = {},
) {
  const world = await createWorld(t);
  const key = world.addAccount('ana', isLong ? memories(30, 500_000) : memories(1));
  const child = start(
    ['serve', '--workers', '2', '--port', '0', '--database', world.database, ...args],
    before === undefined ? {} : { env: inWorkers(before) },
  );
  t.after(() => stop(child, 'SIGKILL'));
  if (readAfter) await waitFor(child, 'stderr', readAfter);
  const log = hear(child.stdout);
  const port = await portOf(child);
  const lines = (msg: string) => readLines(log()).filter((line) => line['msg'] === msg);
  const pids = () => lines('worker started').map(({ pid }) => Number(pid));
  return { world, key, child, port, lines, pids };
}

function readLines(log: string): Line[] {
  const whole = log.slice(0, log.lastIndexOf('\n'));
  return whole.split('\n').map((line) => JSON.parse(line));
}

/** Preloads a module in every worker. */
function inWorkers(code: string): Record<string, string> {
  const module = `import cluster from 'node:cluster'; import fs from 'node:fs'; if (cluster.isWorker) { ${code} }`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}` };
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function isRefused(port: number): Promise<boolean> {
  return send(port, { path: '/healthz' }).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
  );
}

function getList(port: number, key: string, agent: Agent | false = false) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const options = { port, host: '127.0.0.1', path: '/v1/memories', agent };
  get({ ...options, headers: { 'x-api-key': key } }, resolve).on('error', reject);
  return promise;
}

describe('serve --workers', () => {
  it('serves one port with several processes, which start and stop together', async (t) => {
    const { world, key, child, port, lines, pids } = await startTwo(t, { args: ['--access-log'] });
    // Only the first process is stopped.
    for (const pid of pids())
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(pid, signal);
    for (let i = 0; i < 20; i++) assert.equal((await send(port, { key })).status, 200);
    assert.equal(await stop(child), 0);
    const [listening] = lines('listening');
    assert.equal(listening?.['url'], `http://127.0.0.1:${port}`);
    assert.equal(listening['workers'], 2);
    assert.equal(listening['database'], readerAddress(world.database));
    for (const msg of ['listening', 'stopping', 'stopped']) assert.equal(lines(msg).length, 1, msg);
    assert.equal(lines('stopping')[0]?.['signal'], 'SIGTERM');
    const answered = lines('request').map(({ worker }) => worker);
    assert.equal(answered.length, 20);
    assert.deepEqual(new Set(answered), new Set([1, 2]));
    assert.equal(lines('worker ended').length, 0);
    assert.equal(new Set(pids()).size, 2);
    assert.ok(!pids().some(isAlive));
  });

  it('refuses the same as a single process, and invalid numbers of workers', async (t) => {
    const world = await createWorld(t);
    const taken = createServer().listen(0, '127.0.0.1');
    t.after(() => taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const on = ['--database', world.database];
    const calls: [args: string[], code: number, says: RegExp][] = [
      [['--workers', '2', '--database', '/nowhere/mine.db'], 1, /There is no database/],
      [['--workers', '2', '--port', String(port), ...on], 1, /Port \d+ on 127\.0\.0\.1 is in use/],
      [['--workers', 'auto', ...on], 2, /--workers takes a number from 1 to 128, not "auto"/],
    ];
    for (const [args, code, says] of calls) {
      const ended = await run(['serve', ...args]);
      assert.deepEqual([ended.code, ended.stdout], [code, ''], ended.stderr);
      assert.match(ended.stderr, says);
      assert.match(ended.stderr, /^memory-gateway: [^\n]+\n$/);
    }
    for (const text of ['0', '129', '1.5', '-1', '01', ''])
      assert.throws(() => readWorkers(text), UsageError);
    assert.deepEqual(['1', '128'].map(readWorkers), [1, 128]);
  });

  it('loads the code for several processes only with --workers', { skip: noLoading }, async () => {
    const listing = `process.on('exit', () => process.stderr.write(String(process.moduleLoadList.includes('NativeModule cluster'))));`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(listing)}` };
    for (const [workers, isLoaded] of [
      ['1', 'false'],
      ['2', 'true'],
    ] as const) {
      const args = ['serve', '--workers', workers, '--database', '/nowhere/mine.db'];
      const { code, stderr } = await run(args, { env });
      assert.equal(code, 1);
      assert.ok(stderr.endsWith(isLoaded), stderr);
    }
  });

  it(
    'says in one sentence that a worker ended before it served',
    { skip: noLoading },
    async (t) => {
      const world = await createWorld(t);
      const args = ['serve', '--workers', '2', '--port', '0', '--database', world.database];
      const { code, stderr } = await run(args, { env: inWorkers('process.exit(7)') });
      assert.equal(code, 1);
      assert.match(stderr, /^memory-gateway: Worker [12] ended \(7\)[^\n]+\n$/);
    },
  );

  it(
    'writes every log entry whole, however many at once and however long',
    { skip: noLoading },
    async (t) => {
      const long = 'é'.repeat(20_000);
      const before = `fs.writeSync(2, 'here\\n'); const line = JSON.stringify({ msg: 'long', long: 'é'.repeat(20000) }) + '\\n'; for (let i = 0; i < 10; i++) fs.writeSync(1, line);`;
      const readAfter = /here\n[^]*here\n/;
      const args = ['--access-log'];
      const { child, port, lines } = await startTwo(t, { args, before, readAfter });
      const agent = new Agent({ keepAlive: true, maxSockets: 16 });
      t.after(() => agent.destroy());
      const ids = await Promise.all(
        Array.from({ length: 1500 }, async () => {
          const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
          get({ port, host: '127.0.0.1', path: '/healthz', agent }, resolve).on('error', reject);
          const response = await promise;
          await buffer(response);
          return String(response.headers['x-request-id']);
        }),
      );
      assert.equal(await stop(child), 0);
      const logged = lines('request');
      assert.deepEqual(
        logged.map(({ request_id }) => String(request_id)).toSorted(),
        ids.toSorted(),
      );
      assert.deepEqual(new Set(logged.map(({ worker }) => worker)), new Set([1, 2]));
      assert.deepEqual(
        lines('long').map((line) => line['long']),
        Array.from({ length: 20 }, () => long),
      );
    },
  );

  it('writes every log entry to a file as well', async (t) => {
    const world = await createWorld(t);
    const file = join(newFolder(), 'log');
    const fd = openSync(file, 'w');
    t.after(() => closeSync(fd));
    const args = ['serve', '--workers', '2', '--access-log', '--port', '0'];
    const [command = '', ...words] = PROGRAM_WORDS;
    const child = spawn(command, [...words, ...args, '--database', readerAddress(world.database)], {
      stdio: ['ignore', fd, 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    const text = () => readFileSync(file, 'utf8');
    await until(() => text().includes('"listening"'));
    const port = Number(/127\.0\.0\.1:(\d+)/.exec(text())?.[1]);
    const requests = Array.from({ length: 100 }, () => send(port, { path: '/healthz' }));
    for (const { status } of await Promise.all(requests)) assert.equal(status, 200);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'close'), [0, null]);
    const logged = readLines(text()).filter(({ msg }) => msg === 'request');
    assert.equal(logged.length, 100);
    assert.ok(text().endsWith('"stopped"}\n'));
  });

  it('drops log entries that are not read, and counts them', { skip: noLoading }, async (t) => {
    const world = await createWorld(t);
    const many = `for (let i = 0; i < 20; i++) fs.writeSync(1, JSON.stringify({ msg: 'long', long: 'x'.repeat(200000) }) + '\\n');`;
    const args = ['serve', '--workers', '2', '--port', '0', '--database', world.database];
    const child = start(args, { env: inWorkers(`${many} fs.writeSync(2, 'written\\n');`) });
    t.after(() => stop(child, 'SIGKILL'));
    await waitFor(child, 'stderr', /written\n[^]*written\n/);
    const said = await waitFor(child, 'stdout', /"dropped"[^]*\n/);
    const lines = readLines(said);
    const dropped = lines.reduce((sum, line) => sum + Number(line['dropped'] ?? 0), 0);
    assert.ok(dropped > 0);
    const passed = lines.filter(
      ({ msg }) => msg !== 'log lines dropped: the reader of the log was too slow',
    );
    assert.equal(passed.filter(({ msg }) => msg === 'long').length + dropped, 40);
    assert.equal(await stop(child), 0);
  });

  it('finishes responses in progress after a signal to all its processes, as Ctrl+C sends it', async (t) => {
    const { child, port, key, pids, lines } = await startTwo(t, { isLong: true });
    const running = await Promise.all(Array.from({ length: 4 }, () => getList(port, key)));
    const ended = stop(child, 'SIGINT');
    for (const pid of pids()) process.kill(pid, 'SIGINT');
    await waitFor(child, 'stdout', /stopping/);
    assert.ok(await isRefused(port));
    for (const response of running)
      assert.equal(JSON.parse((await buffer(response)).toString()).length, 30);
    assert.equal(await ended, 0);
    assert.equal(lines('stopping').length, 1);
  });

  it('stops at once on a second signal, with its workers', async (t) => {
    const { child, port, key, pids } = await startTwo(t, { isLong: true });
    const running = await getList(port, key);
    running.on('error', () => {}); // cut off
    const ended = stop(child, 'SIGHUP');
    await waitFor(child, 'stdout', /stopping/);
    child.kill('SIGHUP');
    assert.equal(await ended, 1);
    await until(() => !pids().some(isAlive));
  });

  it('replaces a worker that dies, while the others respond', async (t) => {
    const { child, port, key, pids, lines } = await startTwo(t);
    const [victim = 0, other = 0] = pids();
    process.kill(victim, 'SIGSTOP'); // from here on it accepts no connection that the primary passes to it
    const asked = Array.from({ length: 10 }, () =>
      send(port, { key }).then(
        ({ status }) => status,
        ({ code }: NodeJS.ErrnoException) => code,
      ),
    );
    await sleep(200);
    process.kill(victim, 'SIGKILL');
    const outcomes = await Promise.all(asked); // none waits forever
    assert.ok(outcomes.filter((outcome) => outcome === 200).length >= 9, String(outcomes));
    await until(async () => {
      assert.equal((await send(port, { key })).status, 200);
      return pids().length === 3;
    });
    const [ended, ...more] = lines('worker ended');
    assert.deepEqual(more, []);
    assert.deepEqual([ended?.['level'], ended?.['signal']], ['error', 'SIGKILL']);
    assert.ok(isAlive(other));
    assert.equal(lines('listening').length, 1);
    assert.equal(await stop(child), 0);
  });

  it(
    'logs the error that crashes a worker, and ends with 1 after repeated crashes',
    { skip: noLoading },
    async (t) => {
      const sign = join(newFolder(), 'crash');
      const crash = `setInterval(() => { if (fs.existsSync('${sign}')) throw new Error('a bug in a worker'); }, 20);`;
      const { child, lines } = await startTwo(t, { before: crash });
      writeFileSync(sign, '');
      const ended = once(child, 'close');
      const said = waitFor(child, 'stderr', /memory-gateway: [^\n]*\n/);
      assert.deepEqual(await ended, [1, null]);
      assert.match(await said, /^memory-gateway: Worker \d+ ended \(1\)[^\n]*\n/m);
      const crashed = lines('worker crashed');
      assert.ok(crashed.length >= 2);
      for (const { worker, level, err } of crashed) {
        assert.equal(level, 'fatal');
        assert.ok(Number(worker) > 0);
        assert.match((err as { stack: string }).stack, /Error: a bug in a worker\n +at /);
      }
      assert.ok(lines('worker ended').every(({ code }) => code === 1));
    },
  );

  it('leaves no worker behind if it is killed: they finish their responses and end', async (t) => {
    const { child, port, key, pids } = await startTwo(t, { isLong: true });
    const running = await Promise.all(Array.from({ length: 4 }, () => getList(port, key)));
    const workers = pids();
    child.kill('SIGKILL');
    await once(child, 'exit');
    for (const response of running)
      assert.equal(JSON.parse((await buffer(response)).toString()).length, 30);
    await until(() => !workers.some(isAlive));
  });

  it('refuses a revoked key from the next request, in every worker', async (t) => {
    const { world, port, child, lines } = await startTwo(t, { args: ['--access-log'] });
    const { id, key } = world.addKey('ana');
    const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    t.after(() => agents.forEach((agent) => agent.destroy()));
    const ask = async (agent: Agent) => {
      const response = await getList(port, key, agent);
      await buffer(response);
      return response.statusCode;
    };
    for (const agent of agents) assert.equal(await ask(agent), 200);
    await revoke(world, id);
    for (const agent of agents) assert.equal(await ask(agent), 401);
    assert.equal(await stop(child), 0);
    const refused = lines('request').filter(({ status }) => status === 401);
    assert.deepEqual(new Set(refused.map(({ worker }) => worker)), new Set([1, 2]));
  });

  it(
    'prints readable text on a terminal',
    { skip: process.platform !== 'linux' && 'needs script(1) of Linux' },
    async (t) => {
      const world = await createWorld(t);
      const command = `exec ${PROGRAM_WORDS.join(' ')} serve --access-log --workers 2 --port 0 --database ${readerAddress(world.database)}`;
      const terminal = spawn('script', ['-qec', command, '/dev/null'], { detached: true });
      t.after(
        () => terminal.pid && terminal.exitCode === null && process.kill(-terminal.pid, 'SIGKILL'),
      );
      const said = await waitFor(terminal, 'stdout', /listening[^]*workers/);
      const requested = waitFor(terminal, 'stdout', /INFO.*request[^]*worker/);
      await send(Number(/127\.0\.0\.1:(\d+)/.exec(said)?.[1]), { path: '/healthz' });
      await requested;
      terminal.stdin.write('\x03'); // Ctrl+C
      const [code] = await once(terminal, 'close');
      assert.equal(code, 0);
    },
  );
});

async function revoke(world: World, id: string): Promise<void> {
  const { code, stderr } = await run(['keys', 'revoke', id, '--database', world.database]);
  assert.equal(code, 0, stderr);
}

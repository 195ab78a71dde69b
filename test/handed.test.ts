// A listening socket that a supervisor hands over: it is served, and whoever waits in its queue loses nothing.

import assert from 'node:assert/strict';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { describe, it, type TestContext } from 'node:test';

import { ROOT, run, start, waitFor } from './support/program.ts';
import { send } from './support/wire.ts';
import { createWorld, memory } from './support/world.ts';

interface Keeper {
  readonly child: ChildProcessWithoutNullStreams;
  readonly port: number;
  /** Starts serve on the socket; returns its process id when it listens. */
  readonly serve: (...args: string[]) => Promise<number>;
}

async function startKeeper(t: TestContext): Promise<Keeper> {
  const child = start([], { script: 'test/support/keeper.ts', env: { NODE_V8_COVERAGE: '' } });
  t.after(() => child.kill('SIGKILL'));
  const port = Number(/port (\d+)/.exec(await waitFor(child, 'stdout', /port \d+\n/))?.[1]);
  const serve = async (...args: string[]) => {
    const said = waitFor(child, 'stdout', /"listening"/);
    child.stdin.write(`${JSON.stringify([`${ROOT}src/cli/main.ts`, 'serve', ...args])}\n`);
    const pid = Number(/started (\d+)/.exec(await said)?.[1]);
    t.after(() => kill(pid, 'SIGKILL'));
    return pid;
  };
  return { child, port, serve };
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already.
  }
}

describe('serve with a socket that was handed over', () => {
  for (const workers of ['1', '2']) {
    it(`listens on it, and leaves it open for the next, with ${workers} of --workers`, async (t) => {
      const world = await createWorld(t);
      const key = world.addAccount('ana', [memory({ id: 'one' })]);
      const { child, port, serve } = await startKeeper(t);
      const args = ['--database', world.database, '--port', '1', '--workers', workers];
      const ask = () => send(port, { key, path: '/v1/memories/one' });
      const first = await serve(...args);
      assert.equal((await ask()).status, 200);
      const stopped = waitFor(child, 'stdout', /"stopped"/);
      kill(first, 'SIGTERM');
      await stopped;
      const early = Promise.all([ask(), ask(), ask()]); // nobody listens: they wait
      await serve(...args);
      assert.deepEqual(
        (await early).map(({ status }) => status),
        [200, 200, 200],
      );
    });
  }

  it('takes none that was for another process, and refuses several', async (t) => {
    const world = await createWorld(t);
    const env = { LISTEN_FDS: '1', LISTEN_PID: '1' };
    const child = start(['serve', '--port', '0', '--database', world.database], { env });
    t.after(() => child.kill('SIGKILL'));
    const said = await waitFor(child, 'stdout', /listening/);
    assert.match(said, /"url":"http:\/\/127\.0\.0\.1:\d+"/);
    const under = ['sh', '-c', 'LISTEN_FDS=2 LISTEN_PID=$$ exec "$@"', 'sh'];
    const { code, stderr } = await run(['serve', '--database', world.database], { under });
    assert.equal(code, 1);
    assert.equal(stderr, 'memory-gateway: 2 sockets were handed over; hand over one.\n');
  });
});

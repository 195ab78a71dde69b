// Socket activation: serve uses a listening socket from a supervisor, and waiting clients lose nothing.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { kill, startKeeper } from '../support/processes/socket-activation.ts';
import { send } from '../support/wire/wire.ts';
import { runProcess, startProcess, waitFor } from '../support/world/program.ts';
import { createWorld, memory } from '../support/world/world.ts';

describe('serve with a socket from a supervisor', () => {
  it('listens on it, and leaves it open for the next process', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', [memory({ id: 'one' })]);
    const { child, port, serve } = await startKeeper(t);
    const args = ['--database', world.database, '--port', '1'];
    const ask = () => send(port, { key, path: '/v1/memories/one' });
    const first = await serve(...args);
    assert.equal((await ask()).status, 200);
    const stopped = waitFor(child, 'stdout', /"stopped"/);
    kill(first, 'SIGTERM');
    await stopped;
    const early = Promise.all([ask(), ask(), ask()]); // nothing listens, so they wait
    await serve(...args);
    assert.deepEqual(
      (await early).map(({ status }) => status),
      [200, 200, 200],
    );
  });

  it('ignores sockets for another process, and refuses several', async (t) => {
    const world = await createWorld(t);
    const env = { LISTEN_FDS: '1', LISTEN_PID: '1' };
    const child = startProcess(['serve', '--port', '0', '--database', world.database], { env });
    t.after(() => child.kill('SIGKILL'));
    const said = await waitFor(child, 'stdout', /listening/);
    assert.match(said, /"url":"http:\/\/127\.0\.0\.1:\d+"/);
    const under = ['sh', '-c', 'LISTEN_FDS=2 LISTEN_PID=$$ exec "$@"', 'sh'];
    const { code, stderr } = await runProcess(['serve', '--database', world.database], { under });
    assert.equal(code, 1);
    assert.equal(stderr, 'memory-gateway: The supervisor passed 2 sockets; let it pass one.\n');
    const none = ['sh', '-c', 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@" 3</dev/null', 'sh'];
    const wrong = await runProcess(['serve', '--database', world.database], { under: none });
    assert.equal(wrong.code, 1);
    assert.match(
      wrong.stderr,
      /^memory-gateway: Cannot listen on file descriptor 3 \(\w+\); the supervisor must pass/,
    );
  });
});

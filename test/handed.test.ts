// A listening socket that a supervisor hands over: it is served, and whoever waits in its queue loses nothing.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { run, start, waitFor } from './support/program.ts';
import { kill, startKeeper } from './support/supervised.ts';
import { send } from './support/wire.ts';
import { createWorld, memory } from './support/world.ts';

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
    const none = ['sh', '-c', 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@" 3</dev/null', 'sh'];
    const wrong = await run(['serve', '--database', world.database], { under: none });
    assert.equal(wrong.code, 1);
    assert.match(
      wrong.stderr,
      /^memory-gateway: Cannot listen on file descriptor 3 \(\w+\); let the/,
    );
  });
});

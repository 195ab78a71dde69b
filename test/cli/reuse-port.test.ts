// serve --reuse-port: several processes share one port, and each knows what the others have written.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { createTestBrowser } from '../support/app/app-world.ts';
import { appAddress } from '../support/engines/database-addresses.ts';
import { hear, portOf } from '../support/processes/serve-process.ts';
import { send } from '../support/wire/wire.ts';
import { issued } from '../support/world/artifacts.ts';
import { run, startProcess, stop } from '../support/world/program.ts';
import { createWorld, memories } from '../support/world/world.ts';

/** Starts a process that serves a database, with the requests in its log. */
async function startOne(t: TestContext, database: string, port: number) {
  const where = ['--port', String(port), '--database', appAddress(database)];
  const child = startProcess(['serve', '--reuse-port', '--access-log', ...where]);
  t.after(() => stop(child, 'SIGKILL'));
  const log = hear(child.stdout);
  const listens = await portOf(child);
  const statuses = () => Array.from(log().matchAll(/"status":(\d+)/g), ([, status]) => status);
  return { child, port: listens, statuses };
}

/** Repeats a request until every process has answered some with the status. */
async function askAll(
  processes: readonly { readonly statuses: () => (string | undefined)[] }[],
  status: number,
  ask: () => Promise<{ readonly status: number }>,
): Promise<void> {
  const isEverywhere = () => processes.every(({ statuses }) => statuses().includes(`${status}`));
  for (let times = 0; times < 10 || !isEverywhere(); times++) {
    assert.equal((await ask()).status, status);
    await sleep(1);
  }
}

describe(
  'serve --reuse-port',
  { skip: process.platform !== 'linux' && 'needs SO_REUSEPORT of Linux' },
  () => {
    it('lets two processes answer on one port, refuse a revoked key at once, and know each session', async (t) => {
      const { database, ...world } = await createWorld(t);
      const key = world.addAccount('ana', memories(1));
      const revoked = world.addKey('ana');
      const first = await startOne(t, database, 0);
      const { port } = first;
      const two = [first, await startOne(t, database, port)];

      await askAll(two, 200, () => send(port, { key: revoked.key }));
      const { code, stderr } = await run(['keys', 'revoke', revoked.id, '--database', database]);
      assert.equal(code, 0, stderr);
      await askAll(two, 401, () => send(port, { key: revoked.key }));

      const where = ['--port', String(port), '--database', appAddress(database)];
      const { stdout } = await run(['sign-in', 'ana', ...where]);
      const browser = createTestBrowser({ port });
      const secret = issued(new URL(stdout.trim()).hash.slice(1));
      assert.equal((await browser.post('/sessions', { way: 'link', secret })).status, 204);
      for (let i = 0; i < 10; i++) assert.equal((await browser.get('/memories')).status, 200);

      assert.equal(await stop(first.child), 0);
      for (let i = 0; i < 10; i++) assert.equal((await send(port, { key })).status, 200);
    });

    it('is needed by all processes of a port', async (t) => {
      const { database } = await createWorld(t);
      const { port } = await startOne(t, database, 0);
      const { code, stderr } = await run(['serve', '--database', database, '--port', `${port}`]);
      assert.equal(code, 1);
      assert.match(stderr, /is in use; choose another with --port\.\n$/);
    });
  },
);

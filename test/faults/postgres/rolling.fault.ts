// Rolling restarts of gateways on PostgreSQL under load, and gateways that survive failures of their server.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { besiege, keepWriting } from '../../support/damage/callers-under-fault.ts';
import { tell } from '../../support/damage/trial.ts';
import { noPostgres, backEnds, signal, startOwn } from '../../support/engines/own-server.ts';
import { sizesOf } from '../../support/processes/process-usage.ts';
import { serveAlone } from '../../support/processes/serve-process.ts';
import { send } from '../../support/wire/wire.ts';
import { freePort } from '../../support/world/free-port.ts';
import { runProcess, startProcess, stop, waitFor } from '../../support/world/program.ts';
import { sized } from '../../support/world/thorough.ts';

/** Serves on a given port, as a process. */
async function serveOn(t: TestContext, database: string, port: number) {
  const child = startProcess(['serve', '--database', database, '--port', String(port)]);
  t.after(() => stop(child, 'SIGKILL'));
  await waitFor(child, 'stdout', /"listening"/);
  return child;
}

describe('Gateways on PostgreSQL', { skip: noPostgres }, () => {
  it('are restarted one after the other under load, while memories are written: no response is wrong or cut off', async (t) => {
    const own = await startOwn(t);
    const ports = [await freePort(), await freePort()];
    const served = await Promise.all(ports.map((port) => serveOn(t, own.database, port)));
    const siege = await besiege(own, ports);
    const writing = keepWriting(own, ports);
    t.after(siege.stop);
    t.after(writing.stop);
    const rounds = sized(20, 2);
    for (let round = 0; round < rounds; round++) {
      const which = round % 2;
      await siege.more(30);
      const old = served[which];
      assert.ok(old);
      assert.equal(await stop(old), 0);
      served[which] = await serveOn(t, own.database, ports[which] as number);
    }
    await siege.more(30);
    await Promise.all([siege.stop(), writing.stop()]);
    const { wrong, late, failed, cut, right, unreached } = siege.outcomes;
    const { writes, read } = writing;
    tell(t, { restarts: rounds, right, failed, unreached, writes, read });
    assert.deepEqual([siege.wrongs, writing.wrongs], [[], []]);
    // Requests to a stopped process are refused. Everything else succeeds.
    assert.deepEqual({ wrong, late, failed, cut }, { wrong: 0, late: 0, failed: 0, cut: 0 });
    assert.ok(writes > 0 && read > 0);
  });

  it('survive a failure of their server: alive, not ready, then ready again, without more connections or files than before', async (t) => {
    const own = await startOwn(t);
    const { child, port, lines } = await serveAlone(t, own.database);
    const siege = await besiege(own, [port], 12);
    t.after(siege.stop);
    await siege.more(100);
    const before = sizesOf(child.pid);
    const statusOf = async (path: string) => (await send(port, { path })).status;
    const rounds = sized(10, 2);
    for (let round = 0; round < rounds; round++) {
      await own.primary.stop(round % 2 === 0 ? 'fast' : 'immediate');
      assert.deepEqual([await statusOf('/healthz'), await statusOf('/readyz')], [200, 503]);
      await sleep(300);
      await own.primary.start();
      await siege.more(50);
      assert.deepEqual([await statusOf('/healthz'), await statusOf('/readyz')], [200, 200]);

      signal(own.primary, 'SIGSTOP');
      assert.equal(await statusOf('/healthz'), 200);
      await sleep(sized(5000, 500));
      signal(own.primary, 'SIGCONT');
      await siege.more(50);
    }
    const after = sizesOf(child.pid);
    const { wrong, late, unreached, failed, right } = siege.outcomes;
    await siege.stop();
    const failures = lines().filter(({ level }) => level === 'error');
    tell(t, {
      rounds,
      right,
      failed,
      files: `${before.fds} → ${after.fds}`,
      logged: failures.length,
    });
    assert.deepEqual([siege.wrongs, wrong, late, unreached], [[], 0, 0, 0]);
    assert.ok(after.fds <= before.fds + 10, 'no files stay open'); // a pool may have filled since
    assert.ok((await backEnds(own.primary)).length <= 10);
    assert.ok(failures.length <= 6 * rounds);
    assert.equal(await stop(child), 0);
  });

  it('refuse to start if their server does not respond, so that a supervisor starts them again', async (t) => {
    const own = await startOwn(t);
    await own.primary.stop();
    const { code, stderr, stdout } = await runProcess([
      'serve',
      '--database',
      own.database,
      '--port',
      '0',
    ]);
    assert.equal(code, 1);
    assert.match(
      stderr + stdout,
      /refuses connections; start the server, or correct its address\./,
    );
    await own.primary.start();
    signal(own.primary, 'SIGSTOP');
    const silent = await runProcess(['serve', '--database', own.database, '--port', '0']);
    signal(own.primary, 'SIGCONT');
    assert.equal(silent.code, 1);
    assert.match(silent.stderr, /does not respond; check that it runs/);
  });
});

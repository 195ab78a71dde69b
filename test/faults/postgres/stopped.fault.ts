// PostgreSQL that is stopped, killed, paused and started: each response is right or 500 in time, and the gateway recovers.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { besiege, keepWriting } from '../../support/damage/callers-under-fault.ts';
import { tell } from '../../support/damage/trial.ts';
import {
  asAdmin,
  backEnds,
  noPostgres,
  signal,
  startOwn,
  type Own,
} from '../../support/engines/own-server.ts';
import { connectOn } from '../../support/engines/postgres-gateway.ts';
import { kill } from '../../support/processes/socket-activation.ts';
import { send } from '../../support/wire/wire.ts';
import { sized } from '../../support/world/thorough.ts';

/** Causes a fault once. The server runs again when the promise resolves. */
const HARMS: Readonly<Record<string, (own: Own, round: number) => Promise<void>>> = {
  'is stopped and started': async ({ primary }, round) => {
    await primary.stop('fast');
    await sleep((round * 137) % 700);
    await primary.start();
  },
  'is killed, and recovers': async ({ primary }, round) => {
    await primary.stop('immediate');
    await sleep((round * 137) % 700);
    await primary.start();
  },
  'closes all connections': ({ primary }) =>
    asAdmin(primary, async (admin) => {
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'memories' AND pid <> pg_backend_pid()`,
      );
    }),
  'cancels all statements': ({ primary }) =>
    asAdmin(primary, async (admin) => {
      await admin.query(
        `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = 'memories' AND pid <> pg_backend_pid()`,
      );
    }),
  'has a back end killed, and recovers': async ({ primary }) => {
    const [pid] = await backEnds(primary);
    if (pid === undefined) return;
    kill(pid, 'SIGKILL');
    const isUp = () =>
      backEnds(primary).then(
        (pids) => !pids.includes(pid),
        () => false, // it is recovering
      );
    while (!(await isUp())) await sleep(50);
  },
  'is paused for a moment': async ({ primary }) => {
    signal(primary, 'SIGSTOP');
    await sleep(sized(3000, 700));
    signal(primary, 'SIGCONT');
  },
  'is paused for longer than any timeout': async ({ primary }) => {
    signal(primary, 'SIGSTOP');
    await sleep(sized(12_000, 3500));
    signal(primary, 'SIGCONT');
  },
};

describe('PostgreSQL that', { skip: noPostgres }, () => {
  for (const [name, harm] of Object.entries(HARMS)) {
    it(`${name} makes every response right, or 500 with a detail`, async (t) => {
      const own = await startOwn(t);
      const { port, log } = await connectOn(t, own.database, { statementMs: sized(5000, 1000) });
      const siege = await besiege(own, [port]);
      const writing = keepWriting(own, [port]);
      t.after(siege.stop);
      t.after(writing.stop);
      const rounds = sized(10, 2);
      for (let round = 0; round < rounds; round++) {
        await siege.more(20);
        await harm(own, round);
        await siege.more(20);
      }
      await Promise.all([siege.stop(), writing.stop()]);
      const { wrong, late, unreached, ...others } = siege.outcomes;
      const { writes, read } = writing;
      tell(t, { rounds, ...others, writes, read, logged: log.length });
      assert.deepEqual([siege.wrongs, writing.wrongs], [[], []]);
      assert.deepEqual({ wrong, late, unreached }, { wrong: 0, late: 0, unreached: 0 });
      assert.deepEqual(
        log.filter((each) => each.startsWith('NOT')),
        [],
      );
      assert.equal((await send(port, { path: '/readyz' })).status, 200);
      assert.ok((await backEnds(own.primary)).length <= 10);
    });
  }
});

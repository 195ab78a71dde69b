// PostgreSQL stopped, killed, paused and started under a gateway: each answer right, or 500 in time, and all is well again without a restart.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { sized, tell } from '../../support/faults.ts';
import { connectOn } from '../../support/gateway.ts';
import { asAdmin, backEnds, noPostgres, signal, startOwn, type Own } from '../../support/own.ts';
import { besiege, keepWriting } from '../../support/siege.ts';
import { kill } from '../../support/supervised.ts';
import { send } from '../../support/wire.ts';

/** A harm, done once; the server runs again when it is over. */
const HARMS: Readonly<Record<string, (own: Own, round: number) => Promise<void>>> = {
  'is stopped and started': async ({ primary }, round) => {
    primary.stop('fast');
    await sleep((round * 137) % 700);
    primary.start();
  },
  'is stopped at once, and recovers': async ({ primary }, round) => {
    primary.stop('immediate');
    await sleep((round * 137) % 700);
    primary.start();
  },
  'ends the connections of all': ({ primary }) =>
    asAdmin(primary, async (admin) => {
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'memories' AND pid <> pg_backend_pid()`,
      );
    }),
  'cancels what all ask': ({ primary }) =>
    asAdmin(primary, async (admin) => {
      await admin.query(
        `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = 'memories' AND pid <> pg_backend_pid()`,
      );
    }),
  'has a back end killed, and recovers': async ({ primary }) => {
    const [pid] = await backEnds(primary);
    if (pid) kill(pid, 'SIGKILL');
  },
  'is paused for a moment': async ({ primary }) => {
    signal(primary, 'SIGSTOP');
    await sleep(sized(3000, 700));
    signal(primary, 'SIGCONT');
  },
  'is paused for longer than anybody waits': async ({ primary }) => {
    signal(primary, 'SIGSTOP');
    await sleep(sized(12_000, 3500));
    signal(primary, 'SIGCONT');
  },
};

describe('PostgreSQL that', { skip: noPostgres }, () => {
  for (const [name, harm] of Object.entries(HARMS)) {
    it(`${name} leaves every answer right, or 500 with a sentence`, async (t) => {
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

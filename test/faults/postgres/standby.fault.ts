// A standby that is stopped, paused, cut off and promoted: no response is wrong or outdated, and it is used again afterwards.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { besiege, keepWriting } from '../../support/damage/callers-under-fault.ts';
import { tell } from '../../support/damage/trial.ts';
import {
  asAdmin,
  noPostgres,
  signal,
  startOwn,
  type Own,
} from '../../support/engines/own-server.ts';
import type { Server } from '../../support/engines/postgres-cluster.ts';
import { connectOn } from '../../support/engines/postgres-gateway.ts';
import { sized } from '../../support/world/thorough.ts';

type Harm = (own: Own, standby: Server) => Promise<void>;

const HARMS: Readonly<Record<string, Harm>> = {
  'stopped and started': async (_, standby) => {
    await standby.stop('fast');
    await sleep(300);
    await standby.start();
  },
  'killed and started': async (_, standby) => {
    await standby.stop('immediate');
    await sleep(300);
    await standby.start();
  },
  paused: async (_, standby) => {
    signal(standby, 'SIGSTOP');
    await sleep(sized(8000, 1500));
    signal(standby, 'SIGCONT');
  },
  'kept behind': (_, standby) =>
    asAdmin(standby, async (admin) => {
      await admin.query('SELECT pg_wal_replay_pause()');
      await sleep(sized(5000, 1500));
      await admin.query('SELECT pg_wal_replay_resume()');
    }),
  'without its primary, which is stopped and started': async ({ primary }) => {
    await primary.stop('fast');
    await sleep(300);
    await primary.start();
  },
  promoted: async (_, standby) => {
    await standby.promote();
    await sleep(sized(3000, 1500));
  },
};

describe('A standby that serves reads', { skip: noPostgres }, () => {
  it('can be stopped, paused, delayed, cut off and promoted: responses are right, and never older than the last write', async (t) => {
    const own = await startOwn(t);
    const standby = await own.startStandby();
    const { port, log, gateway } = await connectOn(t, own.database, {
      replicas: [standby.address('memories')],
      maxLagMs: 60_000, // the delayed standby gets requests, so a stale response would be noticed
      statementMs: 2000, // no statement of a healthy server takes this long, even on a busy machine
    });
    /** Returns how many up-to-date reads the standby has served. */
    const answered = () => {
      const { servers } = gateway.stats();
      const {
        reads = 0,
        failed = 0,
        behind = 0,
      } = servers.find(({ name }) => name !== 'primary') ?? {};
      return reads - failed - behind;
    };
    /**
     * Resolves when the standby serves reads again: more reads than were in flight have come from
     * it.
     */
    const isReadFrom = async () => {
      const enough = answered() + 10;
      for (let waited = 0; answered() < enough; waited += 20) {
        assert.ok(waited < 30_000, 'the standby serves reads');
        await sleep(20);
      }
    };
    for (const [name, harm] of Object.entries(HARMS))
      await t.test(name, async (one) => {
        const siege = await besiege(own, [port]);
        const writing = keepWriting(own, [port]);
        one.after(siege.stop);
        one.after(writing.stop);
        const before = answered();
        const rounds = name === 'promoted' ? 1 : sized(10, 1);
        for (let round = 0; round < rounds; round++) {
          await isReadFrom();
          await siege.more(30);
          await harm(own, standby);
          await siege.more(30);
          if (name !== 'promoted') await isReadFrom();
        }
        await Promise.all([siege.stop(), writing.stop()]);
        const { wrong, late, unreached, ...others } = siege.outcomes;
        const { writes, read } = writing;
        tell(one, { rounds, ...others, writes, read, 'reads by the standby': answered() - before });
        assert.deepEqual([siege.wrongs, writing.wrongs], [[], []]);
        assert.deepEqual({ wrong, late, unreached }, { wrong: 0, late: 0, unreached: 0 });
        // While the primary is healthy, a fault of the standby fails no request.
        if (!name.startsWith('without its primary')) assert.equal(others.failed, 0);
      });
    assert.deepEqual(
      log.filter((each) => each.startsWith('NOT')),
      [],
    );
  });
});

// A standby stopped, paused, cut off and promoted under a gateway that reads from it: no answer is wrong or older than what was written, and it is used again.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Server } from '../../support/cluster.ts';
import { sized, tell } from '../../support/faults.ts';
import { connectOn } from '../../support/gateway.ts';
import { asAdmin, noPostgres, signal, startOwn, type Own } from '../../support/own.ts';
import { besiege, keepWriting } from '../../support/siege.ts';

type Harm = (own: Own, standby: Server) => Promise<void>;

const HARMS: Readonly<Record<string, Harm>> = {
  'stopped and started': async (_, standby) => {
    standby.stop('fast');
    await sleep(300);
    standby.start();
  },
  'stopped at once and started': async (_, standby) => {
    standby.stop('immediate');
    await sleep(300);
    standby.start();
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
  'left alone by its primary, which is stopped and started': async ({ primary }) => {
    primary.stop('fast');
    await sleep(300);
    primary.start();
  },
  promoted: (_, standby) => {
    standby.promote();
    return sleep(sized(3000, 1500));
  },
};

describe('A standby that memories are read from', { skip: noPostgres }, () => {
  it('may be stopped, paused, behind, alone and promoted: answers are right, and never older than what was written', async (t) => {
    const own = await startOwn(t);
    const standby = await own.startStandby();
    const { port, log, gateway } = await connectOn(t, own.database, {
      replicas: [standby.address('memories')],
      maxLagMs: 60_000, // what is behind is asked, so that it could answer wrongly
      statementMs: 2000, // no statement that is well takes so long, however busy the machine is
    });
    /** How many reads the standby has answered, of the state that was wanted. */
    const answered = () => {
      const { servers } = gateway.stats();
      const {
        reads = 0,
        failed = 0,
        behind = 0,
      } = servers.find(({ name }) => name !== 'primary') ?? {};
      return reads - failed - behind;
    };
    /** Resolves when the standby is read from: more has come from it than may be under way. */
    const isReadFrom = async () => {
      const enough = answered() + 10;
      for (let waited = 0; answered() < enough; waited += 20) {
        assert.ok(waited < 30_000, 'the standby answers nothing');
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
        tell(one, { rounds, ...others, writes, read, 'by the standby': answered() - before });
        assert.deepEqual([siege.wrongs, writing.wrongs], [[], []]);
        assert.deepEqual({ wrong, late, unreached }, { wrong: 0, late: 0, unreached: 0 });
        // Where its primary is well, nothing that a standby does fails a request.
        if (!name.startsWith('left alone')) assert.equal(others.failed, 0);
      });
    assert.deepEqual(
      log.filter((each) => each.startsWith('NOT')),
      [],
    );
  });
});

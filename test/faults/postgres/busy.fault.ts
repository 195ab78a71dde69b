// A busy PostgreSQL server: locks, slow queries, no free connections. Every request gets a response within its timeout.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { connect } from '../../../src/store/postgres/servers/connection.ts';
import { ask, besiege } from '../../support/damage/callers-under-fault.ts';
import { tell } from '../../support/damage/trial.ts';
import {
  asAdmin,
  backEnds,
  noPostgres,
  startOwn,
  type Own,
} from '../../support/engines/own-server.ts';
import { connectOn } from '../../support/engines/postgres-gateway.ts';
import { sized } from '../../support/world/thorough.ts';

/** Locks the memories against all other connections until the returned function is called. */
async function lockMemories(t: TestContext, { primary }: Own): Promise<() => Promise<void>> {
  const { promise: free, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: tellLocked } = Promise.withResolvers<void>();
  const holding = asAdmin(
    primary,
    async (admin) => {
      // The lock is held for longer than a session of the gateway may be idle in a transaction.
      await admin.query(
        'BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0; LOCK TABLE memory_gateway.memories IN ACCESS EXCLUSIVE MODE',
      );
      tellLocked();
      await free;
      await admin.query('ROLLBACK');
    },
    'memories',
  );
  await Promise.race([locked, holding]);
  const end = () => {
    release();
    return holding;
  };
  t.after(end);
  return end;
}

/** The number of connections that the server allows in the test. */
const MOST = 12;

/** Takes all connections of a server, including those of gateways, and keeps them for a second. */
async function crowdOut({ primary }: Own, count: number): Promise<void> {
  const others = await connect(primary.address('postgres'), { connections: count });
  const until = AbortSignal.timeout(3000);
  const hold = async (): Promise<void> => {
    while (!until.aborted)
      try {
        return await others.withClient(() => sleep(1000));
      } catch {
        // A gateway connected first.
      }
  };
  const held = Promise.all(Array.from({ length: count }, hold));
  await asAdmin(primary, async (admin) => {
    for (let i = 0; i < 10; i++) {
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'memories'`,
      );
      await sleep(50);
    }
  }).catch(() => {}); // this connection found no free slot
  await held;
  await others.close();
}

/** Counts the responses by kind. A 500 must have a detail. */
function outcomesOf(answers: readonly string[]): Record<string, number> {
  const kinds = answers.map(
    (each) => /^200 |^500 (?=\{"detail":"[^"]+"\}$)/.exec(each)?.[0].trim() ?? each,
  );
  return Object.fromEntries(
    Array.from(new Set(kinds), (kind) => [kind, kinds.filter((each) => each === kind).length]),
  );
}

describe('A PostgreSQL database that', { skip: noPostgres }, () => {
  for (const [name, postgres, sentence] of [
    ['is locked', { statementMs: 5000 }, 'is locked by another program'],
    ['is slower than the statement timeout', { statementMs: 300 }, 'took too long'],
  ] as const)
    it(`${name}: the gateway logs it once, and recovers afterwards`, async (t) => {
      const own = await startOwn(t);
      const { port, log } = await connectOn(t, own.database, postgres);
      const asked = { port, path: '/v1/memories/m007', key: own.key };
      const golden = await ask(asked);
      assert.match(golden, /^200 /);
      const release = await lockMemories(t, own);
      const rounds = sized(20, 2);
      for (let round = 0; round < rounds; round++) {
        const answers = await Promise.all(Array.from({ length: 8 }, () => ask(asked)));
        assert.deepEqual(outcomesOf(answers), { 500: 8 });
      }
      // Keys are still verified during the fault.
      assert.match(await ask({ ...asked, key: `mem_${'0'.repeat(49)}` }), /^401 /);
      await release();
      assert.equal(await ask(asked), golden);
      tell(t, { 'given up': 8 * rounds, logged: log.length });
      assert.ok(log.length > 0 && log.length <= rounds);
      for (const each of log) assert.match(each, new RegExp(sentence));
    });

  it('has all connections of the pool in use: 100 requests wait for each, the next one is refused, and all recover afterwards', async (t) => {
    const own = await startOwn(t);
    const { port, log } = await connectOn(t, own.database, { connections: 2 });
    const asked = { port, path: '/v1/memories/m007', key: own.key };
    const golden = await ask(asked);
    for (let round = 0; round < sized(10, 1); round++) {
      const release = await lockMemories(t, own);
      const waiting = Array.from({ length: 500 }, () => ask(asked));
      const answers = outcomesOf(await Promise.all(waiting));
      assert.deepEqual(answers, { 500: 500 });
      assert.ok((await backEnds(own.primary)).length <= 3); // including the connection that holds the lock
      await release();
      assert.equal(await ask(asked), golden);
    }
    tell(t, { 'given up': 500, logged: log.length });
    assert.ok(log.some((each) => each.includes('too many statements wait')));
    assert.deepEqual(
      log.filter((each) => each.startsWith('NOT')),
      [],
    );
  });

  it('has given all its connections to other programs: the gateway logs it, and recovers when one is free', async (t) => {
    const own = await startOwn(t);
    await asAdmin(own.primary, (admin) =>
      admin.query(`ALTER SYSTEM SET max_connections = ${MOST}`),
    );
    await own.primary.stop();
    await own.primary.start();
    const { port, log } = await connectOn(t, own.database);
    const siege = await besiege(own, [port]);
    t.after(siege.stop);
    for (let round = 0; round < sized(10, 2); round++) {
      await crowdOut(own, MOST);
      await siege.more(50);
    }
    await siege.stop();
    const { wrong, late, unreached, ...rest } = siege.outcomes;
    tell(t, { ...rest, logged: log.length });
    assert.deepEqual([siege.wrongs, wrong, late, unreached], [[], 0, 0, 0]);
    assert.ok(log.some((each) => each.includes('has no connections left')));
    assert.deepEqual(
      log.filter((each) => each.startsWith('NOT')),
      [],
    );
  });
});

// A migration of a PostgreSQL database that is killed at any instant: a second one finishes it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { engineOf } from '../../../src/store/engines.ts';
import { tell } from '../../support/damage/trial.ts';
import { asAdmin, noPostgres, startOwn } from '../../support/engines/own-server.ts';
import { runProcess, startProcess, stop } from '../../support/world/program.ts';
import { sized } from '../../support/world/thorough.ts';

const KILLS = sized(40, 4);
const TABLES = `SELECT count(*)::int AS count FROM pg_tables WHERE schemaname = 'memory_gateway'`;

describe('A migration of a PostgreSQL database', { skip: noPostgres }, () => {
  it('leaves nothing or all of it when it is killed, and is finished by a second one', async (t) => {
    const { primary } = await startOwn(t);
    const newDatabase = async (name: string): Promise<string> => {
      await asAdmin(primary, (admin) => admin.query(`CREATE DATABASE ${name}`));
      return primary.address(name);
    };
    const tablesOf = (name: string): Promise<number> =>
      asAdmin(
        primary,
        async (admin) => (await admin.query<{ count: number }>(TABLES)).rows[0]?.count ?? 0,
        name,
      );
    const began = performance.now();
    const whole = await runProcess(['migrate', '--database', await newDatabase('whole')]);
    assert.equal(whole.code, 0, whole.stderr);
    const span = performance.now() - began;
    const all = await tablesOf('whole');
    let made = 0;
    for (let i = 0; i < KILLS; i++) {
      const name = `killed${i}`;
      const database = await newDatabase(name);
      const child = startProcess(['migrate', '--database', database]);
      // Most of its time it only starts.
      await sleep(span * (0.5 + Math.random() / 2));
      await stop(child, 'SIGKILL');
      const tables = await tablesOf(name);
      assert.ok(tables === 0 || tables === all, `${tables} of ${all} tables`);
      if (tables === all) made++;
      const again = await runProcess(['migrate', '--database', database]);
      assert.equal(again.code, 0, again.stderr);
      assert.deepEqual((await engineOf(database).verify()).findings, []);
    }
    tell(t, { kills: KILLS, 'schemas that were there': made });
  });
});

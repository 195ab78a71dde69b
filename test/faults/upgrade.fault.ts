// A migration that is killed at any instant, and the memory that its safety copy takes.

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Memory } from '../../src/contract/schemas/memory.ts';
import { engineOf } from '../../src/store/engines.ts';
import { verifyFile } from '../../src/store/sqlite/check/verify.ts';
import {
  assertWhole,
  beside,
  contentsOf,
  type Contents,
} from '../support/damage/migration-contents.ts';
import { createLater, createOld } from '../support/damage/old-schemas.ts';
import { tell } from '../support/damage/trial.ts';
import { killWork, type Instant } from '../support/processes/kill.ts';
import { megabytes } from '../support/processes/process-usage.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { runProcess, startProcess, stop, waitFor } from '../support/world/program.ts';
import { sized } from '../support/world/thorough.ts';
import { memories } from '../support/world/world.ts';

const KILLS = sized(100, 10);
const LANES = 2;
const LARGE = sized(400, 150);

/** Memories with this many characters, in addition to those of an old database. */
function long(count: number, characters: number): Memory[] {
  return memories(count, characters).map((each) => ({ ...each, id: `long-${each.id}` }));
}

/** Asserts that a second migration finishes what the first began. */
async function assertFinished(database: string, before: Contents): Promise<void> {
  const { schema } = await engineOf(database).upgrade({});
  const after = contentsOf(database);
  assert.equal(after.schema, schema);
  assert.equal(after.rows['memories']?.length, before.rows['memories']?.length);
  assert.deepEqual((await verifyFile(database)).findings, []);
}

describe('A migration', () => {
  it(`leaves the database and its safety copy complete after each of ${KILLS} kills at random instants`, async (t) => {
    const old = createLater(8, long(200, 20_000));
    const before = contentsOf(old);
    const copy = (): string => {
      const database = join(newFolder(), 'memories.db');
      copyFileSync(old, database);
      return database;
    };
    const span = await killWork(['migrate', '', copy()], Infinity);
    const came = { 'before the safety copy': 0, 'before the commit': 0, afterwards: 0 };
    // The first two runs hit each case, on any machine.
    const instants: Instant[] = Array.from({ length: KILLS }, () => Math.random() * span);
    instants.splice(0, 2, 'amid', 'after');
    const lane = async () => {
      for (let when = instants.pop(); when !== undefined; when = instants.pop()) {
        const database = copy();
        const took = await killWork(['migrate', '', database], when);
        const isKept = beside(database).some((path) => path.endsWith('Z'));
        if (took < Infinity) came.afterwards++;
        else came[isKept ? 'before the commit' : 'before the safety copy']++;
        await assertWhole(database, before);
        await assertFinished(database, before);
        rmSync(dirname(database), { recursive: true });
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    tell(t, { kills: KILLS, ...came });
    assert.ok(came['before the safety copy'] > 0 && came['before the commit'] > 0);
  });

  it('of a new database leaves no database or a complete one when it is killed', async (t) => {
    const began = performance.now();
    const whole = join(newFolder(), 'whole.db');
    assert.equal((await runProcess(['migrate', '--database', whole])).code, 0);
    const span = performance.now() - began;
    let made = 0;
    for (let i = 0; i < KILLS; i++) {
      const database = join(newFolder(), 'memories.db');
      const child = startProcess(['migrate', '--database', database]);
      // Most of the time goes to starting the program.
      await sleep(span * (0.5 + Math.random() / 2));
      await stop(child, 'SIGKILL');
      if (existsSync(database)) {
        made++;
        assert.deepEqual((await verifyFile(database)).findings, []);
      }
      assert.equal((await runProcess(['migrate', '--database', database])).code, 0);
      assert.deepEqual((await verifyFile(database)).findings, []);
      rmSync(dirname(database), { recursive: true });
    }
    tell(t, { kills: KILLS, 'databases found': made });
  });

  it('makes a safety copy of many megabytes with constant memory', async (t) => {
    const { database } = createOld(long(LARGE, 500_000));
    const child = startProcess(['migrate', '', database], {
      script: 'test/support/processes/long-command-program.ts',
    });
    const said = await waitFor(child, 'stdout', /^done with pages \d+$/m);
    await stop(child, 'SIGKILL');
    const [before = 0, after = 0] = Array.from(
      said.matchAll(/pages (\d+)/g),
      ([, kilobytes]) => 1024 * Number(kilobytes),
    );
    const { size } = statSync(database);
    tell(t, { database: megabytes(size), 'memory more': megabytes(after - before) });
    assert.ok(size > LARGE * 500_000);
    assert.ok(after - before < 50e6, 'at most the page caches of its connections');
  });
});

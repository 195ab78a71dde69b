// A migration that is killed while it keeps what was there, or while it migrates; and what keeping takes of memory.

import assert from 'node:assert/strict';
import { copyFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';

import type { Memory } from '../../src/contract/memory.ts';
import { sized, tell } from '../support/faults.ts';
import { megabytes } from '../support/gauge.ts';
import { killWork, type Instant } from '../support/killing.ts';
import { newFolder } from '../support/left.ts';
import { createOld, createSecond } from '../support/old.ts';
import { start, stop, waitFor } from '../support/program.ts';
import { assertWhole, beside, contentsOf } from '../support/upgraded.ts';
import { memories } from '../support/world.ts';

const KILLS = sized(100, 10);
const LANES = 2;
const LARGE = sized(400, 150);

/** Memories of so many characters, beside those that an old database has. */
function long(count: number, characters: number): Memory[] {
  return memories(count, characters).map((each) => ({ ...each, id: `long-${each.id}` }));
}

describe('A migration', () => {
  it(`is whole after each of ${KILLS} kills at random instants, and so is what it kept`, async (t) => {
    const old = createSecond(long(200, 20_000));
    const before = contentsOf(old);
    const copy = (): string => {
      const database = join(newFolder(), 'memories.db');
      copyFileSync(old, database);
      return database;
    };
    const span = await killWork(['migrate', '', copy()], Infinity);
    const came = { 'before it had kept': 0, 'before it was done': 0, afterwards: 0 };
    // One of each, however fast the machine is.
    const instants: Instant[] = Array.from({ length: KILLS }, () => Math.random() * span);
    instants.splice(0, 2, 'amid', 'after');
    const lane = async () => {
      for (let when = instants.pop(); when !== undefined; when = instants.pop()) {
        const database = copy();
        const took = await killWork(['migrate', '', database], when);
        const isKept = beside(database).some((path) => path.endsWith('Z'));
        if (took < Infinity) came.afterwards++;
        else came[isKept ? 'before it was done' : 'before it had kept']++;
        await assertWhole(database, before);
        rmSync(dirname(database), { recursive: true });
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    tell(t, { kills: KILLS, ...came });
    assert.ok(came['before it had kept'] > 0 && came['before it was done'] > 0);
  });

  it('keeps a database of many megabytes in memory that does not grow with it', async (t) => {
    const { database } = createOld(long(LARGE, 500_000));
    const child = start(['migrate', '', database], { script: 'test/support/long-work.ts' });
    const said = await waitFor(child, 'stdout', /^done with pages \d+$/m);
    await stop(child, 'SIGKILL');
    const [before = 0, after = 0] = Array.from(
      said.matchAll(/pages (\d+)/g),
      ([, kilobytes]) => 1024 * Number(kilobytes),
    );
    const { size } = statSync(database);
    tell(t, { database: megabytes(size), 'memory more': megabytes(after - before) });
    assert.ok(size > LARGE * 500_000);
    assert.ok(after - before < 50e6, 'the pages that its connections hold');
  });
});

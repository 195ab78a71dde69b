// A restore that is killed at any instant leaves the old database or the new one.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { verifyFile } from '../../src/store/sqlite/check/verify.ts';
import { backUp } from '../../src/store/sqlite/files/backup.ts';
import { restore } from '../../src/store/sqlite/files/restore.ts';
import { tell } from '../support/damage/trial.ts';
import { killWork } from '../support/processes/kill.ts';
import { send } from '../support/wire/wire.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { sized } from '../support/world/thorough.ts';
import { createWorld, memories } from '../support/world/world.ts';

const RESTORES = sized(24, 6);

/** Creates a backup of another database, which takes several batches of 1,000 pages to copy. */
async function createBackup(t: TestContext): Promise<string> {
  const world = await createWorld(t);
  world.addAccount('bo', memories(220, 20_000));
  const file = join(newFolder(), 'backup.db');
  await backUp({ database: world.database, file });
  return file;
}

describe('A disaster', () => {
  it(`a restore that is killed, ${RESTORES} times, leaves the old database complete, and the service responding`, async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(200, 20_000));
    const old = join(newFolder(), 'old.db');
    await backUp({ database: world.database, file: old });
    const backup = await createBackup(t);
    const path = '/v1/memories';
    const before = await send(world.port, { path, key });

    const span = await killWork(['discard', backup, world.database], Infinity);
    assert.equal(
      (await send(world.port, { path, key })).status,
      401,
      'the restore succeeds without a kill',
    );
    await restore({ file: old, database: world.database, discard: true });
    let killed = 0;
    for (let i = 0; i < RESTORES; i++) {
      const what = i % 2 === 0 ? 'discard' : 'restore';
      const when = i < 2 ? 'amid' : (span * i) / RESTORES; // the first two runs hit each case, on any machine
      const isDone = (await killWork([what, backup, world.database], when)) < Infinity;
      const { status, text } = await send(world.port, { path, key });
      const { findings, memories: count } = await verifyFile(world.database);
      assert.deepEqual(findings, [], `kill ${i}`);
      const isOld = status === 200;
      assert.equal(count, isOld ? 200 : 220, `kill ${i}`);
      assert.ok(!isOld || (text === before.text && !isDone), `kill ${i}`);
      if (isOld) killed++;
      else await restore({ file: old, database: world.database, discard: true });
    }
    tell(t, { kills: RESTORES, 'before the commit': killed, 'within ms': Math.round(span) });
    assert.ok(killed >= 2, 'the first two kills hit the restore');
    for (const name of readdirSync(dirname(world.database)).filter((each) => each.endsWith('Z')))
      assert.deepEqual((await verifyFile(join(dirname(world.database), name))).findings, []);
  });
});

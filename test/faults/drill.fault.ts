// The drill, killed: a backup and a restore that end at whatever instant leave nothing that is half.

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { backUp } from '../../src/store/sqlite/backup.ts';
import { restore } from '../../src/store/sqlite/restore.ts';
import { verifyFile } from '../../src/store/sqlite/verify.ts';
import { sized, tell } from '../support/faults.ts';
import { killWork } from '../support/killing.ts';
import { newFolder } from '../support/left.ts';
import { send } from '../support/wire.ts';
import { createWorld, memories } from '../support/world.ts';

const RESTORES = sized(24, 6);
const BACKUPS = sized(12, 4);

/** A backup of another database, about as large: copied in several goes of 1,000 pages. */
async function createBackup(t: TestContext): Promise<string> {
  const world = await createWorld(t);
  world.addAccount('bo', memories(220, 20_000));
  const file = join(newFolder(), 'backup.db');
  await backUp({ database: world.database, file });
  return file;
}

describe('The drill', () => {
  it(`a restore that is killed, ${RESTORES} times, leaves the old state whole, and the service answering`, async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(200, 20_000));
    const old = join(newFolder(), 'old.db');
    await backUp({ database: world.database, file: old });
    const backup = await createBackup(t);
    const path = '/v1/memories';
    const before = await send(world.port, { path, key });

    const span = await killWork(['discard', backup, world.database], Infinity);
    assert.equal((await send(world.port, { path, key })).status, 401, 'restored, when not killed');
    await restore({ file: old, database: world.database, discard: true });
    let killed = 0;
    for (let i = 0; i < RESTORES; i++) {
      const what = i % 2 === 0 ? 'discard' : 'restore';
      const when = i < 2 ? 'amid' : (span * i) / RESTORES; // the first of each way, however fast the machine is
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
    assert.ok(killed >= 2, 'the two amid the work');
    for (const name of readdirSync(dirname(world.database)).filter((each) => each.endsWith('Z')))
      assert.deepEqual((await verifyFile(join(dirname(world.database), name))).findings, []);
  });

  it(`a backup that is killed, ${BACKUPS} times, is not there, or whole`, async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', memories(200, 20_000));
    const file = join(newFolder(), 'backup.db');
    const span = await killWork(['backup', file, world.database], Infinity);
    const first = await verifyFile(file);
    let killed = 0;
    for (let i = 0; i < BACKUPS; i++) {
      const name = i % 2 === 0 ? file : join(newFolder(), 'backup.db'); // over the one before, and anew
      const when = i < 2 ? 'amid' : (span * i) / BACKUPS;
      const isDone = (await killWork(['backup', name, world.database], when)) < Infinity;
      if (!isDone) killed++;
      if (name === file || isDone) assert.ok(existsSync(name), `kill ${i}`);
      if (!existsSync(name)) continue;
      const { at: _at, ...found } = await verifyFile(name);
      const { at: _first, ...wanted } = first;
      assert.deepEqual(found, wanted);
    }
    tell(t, { kills: BACKUPS, 'before the end': killed, 'within ms': Math.round(span) });
    assert.ok(killed >= 2, 'the two amid the work');
  });
});

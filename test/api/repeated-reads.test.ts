// Repeated reads: a memory that was intact a moment ago is not hashed again, and damage is found all the same.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { REPEAT_MS } from '../../src/store/check/recent.ts';
import { engine, engines } from '../support/engines/engine.ts';
import { send } from '../support/wire/wire.ts';
import { createWorld, memories } from '../support/world/world.ts';

const PATHS = ['/v1/memories/m001', '/v1/memories?limit=5', '/v1/memories'];

const isFile = engine === engines.sqlite;
const CHANGED = `replace(${isFile ? 'CAST(body AS TEXT)' : "convert_from(body, 'UTF8')"}, '"name":"', '"name":"No ')`;
/** Changes the bodies of all memories, but not their hashes. */
const DAMAGE = `UPDATE memories SET body = ${isFile ? `CAST(${CHANGED} AS BLOB)` : `convert_to(${CHANGED}, 'UTF8')`}`;
const WITHOUT_TRIGGERS = isFile
  ? 'DROP TRIGGER memories_updated'
  : 'ALTER TABLE memories DISABLE TRIGGER USER';
/** A standby learns of a change a little later, and here no revision says so. */
const skip = engine === engines.replica && 'reads a standby';

async function createRead(t: TestContext) {
  const world = await createWorld(t, { cacheBytes: 0 });
  const key = world.addAccount('ana', memories(20));
  const ask = async () => {
    const statuses: number[] = [];
    for (const path of PATHS) statuses.push((await send(world.port, { path, key })).status);
    return statuses;
  };
  assert.deepEqual(await ask(), [200, 200, 200]);
  assert.deepEqual(await ask(), [200, 200, 200]);
  return { ask, edit: (sql: string) => engine.edit(world.database, sql) };
}

describe('A memory that is read again', () => {
  it('is checked again after a change by another tool', async (t) => {
    const { ask, edit } = await createRead(t);
    edit(DAMAGE);
    assert.deepEqual(await ask(), [500, 500, 500]);
  });

  it(
    'is checked again after a minute, even if nothing seems to have changed',
    { skip },
    async (t) => {
      const { ask, edit } = await createRead(t);
      edit(WITHOUT_TRIGGERS);
      edit(DAMAGE);
      assert.equal((await ask())[0], 200, 'within the minute');
      const now = performance.now.bind(performance);
      t.mock.method(performance, 'now', () => now() + REPEAT_MS);
      assert.deepEqual(await ask(), [500, 500, 500]);
    },
  );
});

// memories delete with options that choose memories.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { fullDetails } from '../support/world/details.ts';
import { run } from '../support/world/program.ts';
import { createWorld, memory } from '../support/world/world.ts';

const IDS = ['a', 'b', 'c', 'd', 'e'];

/** Five memories, one a day; `c` has no details. */
async function createAna(t: TestContext) {
  const world = await createWorld(t);
  const { database, writer, gateway } = world;
  world.addAccount('ana', []);
  for (const [i, id] of IDS.entries()) {
    const started_at = `2026-11-1${i}T09:00:00.000Z`;
    const ended_at = started_at;
    const one = memory({
      id,
      name: id,
      started_at,
      ended_at,
      transcript: id === 'e' ? 'Milk.' : 'Oat.',
    });
    const tags = id === 'a' ? [] : [{ name: 'Wörk', kind: 'tag' as const }];
    const product = id === 'b' ? 'omi' : 'limitless';
    const source = { product, format: product, id: null, url: null };
    const details = id === 'c' ? undefined : fullDetails({ tags, source });
    writer.memories.putReady([prepareMemory('ana', one, details)]);
  }
  return {
    call: async (...args: string[]) => {
      const words = ['memories', 'delete', '--account', 'Account ana', ...args];
      const { code, stdout, stderr } = await run([...words, '--database', database]);
      return { code, out: stdout + stderr };
    },
    ids: async () => (await gateway.as('ana').memories.list({ order: 'asc' })).map(({ id }) => id),
  };
}

describe('memories delete', () => {
  for (const [args, left] of [
    [['--q', 'milk'], 'abcd'],
    [['--started-before', '2026-11-12'], 'cde'],
    [['--source', 'Limitless'], 'bc'],
    [['--tag', 'work'], 'ac'],
    [['--tag', 'work', '--started-after', '2026-11-13', '--q', 'oat'], 'abce'],
  ] as const)
    it(`deletes what matches ${args.join(' ')}, and nothing in a dry run`, async (t) => {
      const { call, ids } = await createAna(t);
      const dry = await call(...args, '--dry-run', '--json');
      const gone = IDS.filter((id) => !left.includes(id));
      assert.deepEqual(JSON.parse(dry.out), {
        account_id: 'ana',
        dry_run: true,
        would_delete: gone,
      });
      assert.deepEqual(await ids(), IDS);
      assert.equal((await call(...args, '--yes')).code, 0);
      assert.deepEqual(await ids(), left.split(''));
    });

  it('deletes nothing if nothing matches, and takes no ids beside', async (t) => {
    const { call, ids } = await createAna(t);
    const none = { code: 0, out: 'There are no such memories; nothing was deleted.\n' };
    assert.deepEqual(await call('--source', 'nowhere', '--yes'), none);
    const { code, out } = await call('a', '--q', 'milk');
    assert.deepEqual([code, /Give ids, or options .* but not both\./.test(out) || out], [2, true]);
    assert.equal((await call('--yes')).code, 2);
    assert.equal((await ids()).length, 5);
  });
});

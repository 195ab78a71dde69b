// What the API promises of its results and failures, through every door.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';

import { Failure } from '../src/contract/failure.ts';
import { doors } from './support/doors.ts';
import { send } from './support/wire.ts';
import { createWorld, memories, memory } from './support/world.ts';

const nasty = memory({
  id: 'nasty~1.b_-',
  name: 'Quotes " \' and </script> 👨‍👩‍👧 🇪🇸',
  started_at: '2026-11-16T09:00:00.007Z',
  ended_at: '2026-11-16T09:00:01.000Z',
  duration_seconds: 1,
  summary: { quick_summary: 'مرحبا नमस्ते 今日は', key_takeaways: [] },
  transcript: 'a\u2028b\u0000c\ud800d\te\\f\r\n\u{10ffff}',
});

for (const door of doors) {
  describe(`Through ${door.name}`, () => {
    it('a memory comes back as it was written, with the account as user_id', async (t) => {
      const world = await createWorld(t, door);
      const key = world.addAccount('ana', [nasty]);
      const api = door.open(world, key);
      const expected = { ...nasty, user_id: 'ana' };
      assert.deepEqual(await api.memories.get({ memory_id: nasty.id }), expected);
      assert.deepEqual(await api.memories.list({}), [expected]);
    });

    it('the list is all memories, newest first, ties by id from the last', async (t) => {
      const world = await createWorld(t, door);
      const at = (id: string, started_at: string) => memory({ id, started_at });
      const key = world.addAccount('ana', [
        at('b', '2026-01-02T00:00:00.000Z'),
        at('B', '2026-01-02T00:00:00.000Z'),
        at('a', '2026-01-02T00:00:00.000Z'),
        at('old', '1969-07-20T20:17:40.000Z'),
        at('later', '2026-01-02T00:00:00.001Z'),
        at('last', '9999-12-31T23:59:59.999Z'),
        at('first', '0001-01-01T00:00:00.000Z'),
      ]);
      const api = door.open(world, key);
      const ids = async (order?: 'asc' | 'desc') =>
        (await api.memories.list(order ? { order } : {})).map(({ id }) => id);
      const newestFirst = ['last', 'later', 'b', 'a', 'B', 'old', 'first'];
      assert.deepEqual(await ids(), newestFirst);
      assert.deepEqual(await ids('desc'), newestFirst);
      assert.deepEqual(await ids('asc'), newestFirst.toReversed());
    });

    it('an account without memories has an empty list', async (t) => {
      const world = await createWorld(t, door);
      world.addAccount('bo', memories(3));
      const api = door.open(world, world.addAccount('ana'));
      assert.deepEqual(await api.memories.list({}), []);
      assert.deepEqual(await api.memories.list({ limit: 5 }), []);
    });

    it('limit cuts the list, and a larger limit is no trouble', async (t) => {
      const world = await createWorld(t, door);
      const api = door.open(world, world.addAccount('ana', memories(5)));
      for (const limit of [1, 4, 5, 6, 1000]) {
        const list = await api.memories.list({ limit });
        assert.deepEqual(
          list.map(({ id }) => id),
          ['m004', 'm003', 'm002', 'm001', 'm000'].slice(0, limit),
        );
      }
    });

    it('a page says what follows, and each walks all pages, in either order', async (t) => {
      const world = await createWorld(t, door);
      const api = door.open(world, world.addAccount('ana', memories(105)));
      const oldestFirst = memories(105).map(({ id }) => id);
      const first = await api.memories.page({ limit: 60, order: 'asc' });
      assert.deepEqual(
        first.items.map(({ id }) => id),
        oldestFirst.slice(0, 60),
      );
      const last = await api.memories.page({ cursor: first.next });
      assert.deepEqual(
        last.items.map(({ id }) => id),
        oldestFirst.slice(60),
      );
      assert.equal(last.next, undefined);
      assert.equal((await api.memories.page()).next, undefined, 'all of them is one page');
      for (const input of [undefined, { limit: 50 }, { order: 'asc', limit: 105 }] as const) {
        const walked: string[] = [];
        for await (const { id } of api.memories.each(input)) walked.push(id);
        assert.deepEqual(
          walked,
          input && 'order' in input ? oldestFirst : oldestFirst.toReversed(),
        );
      }
      const rest: string[] = [];
      for await (const { id } of api.memories.each({ cursor: first.next })) rest.push(id);
      assert.deepEqual(rest, oldestFirst.slice(60), 'from a cursor on');
    });

    it('an unknown id and another account’s id are the same failure', async (t) => {
      const world = await createWorld(t, door);
      const key = world.addAccount('ana', [memory({ id: 'mine' })]);
      world.addAccount('bo', [memory({ id: 'theirs' })]);
      const api = door.open(world, key);
      const fail = async (memory_id: string) => {
        const error = await api.memories.get({ memory_id }).then(
          () => assert.fail('found'),
          (thrown: unknown) => thrown,
        );
        assert.ok(error instanceof Failure);
        return [error.status, error.detail];
      };
      assert.deepEqual(await fail('theirs'), await fail('nobodys'));
      assert.equal((await fail('theirs'))[0], 404);
      assert.equal((await fail('MINE'))[0], 404, 'ids are case-sensitive');
    });

    it('input outside the contract is 422 and names the parameter', async (t) => {
      const world = await createWorld(t, door);
      const api = door.open(world, world.addAccount('ana'));
      for (const [call, name] of [
        [() => api.memories.list({ limit: 0 }), 'limit'],
        [() => api.memories.list({ limit: 1001 }), 'limit'],
        [() => api.memories.list({ limit: 1.5 }), 'limit'],
        [() => api.memories.list({ order: 'up' as 'asc' }), 'order'],
        [() => api.memories.list({ cursor: 'nonsense' }), 'cursor'],
        [() => api.memories.get({ memory_id: "' OR 1=1--" }), 'memory_id'],
        [() => api.memories.get({ memory_id: 'a'.repeat(129) }), 'memory_id'],
      ] as const) {
        await assert.rejects(call, (error: Failure) => {
          assert.equal(error.status, 422);
          assert.match(error.detail, new RegExp(`"${name}"`));
          return error instanceof Failure;
        });
      }
    });

    it('a store that fails is a 500 that tells nothing of it, and the log has it whole', async (t) => {
      const world = await createWorld(t, {
        ...door,
        wrap: (store) => door.wrap({ ...store, memory: breakDown, check: breakDown }),
      });
      const api = door.open(world, world.addAccount('ana'));
      await assert.rejects(api.memories.get({ memory_id: 'a' }), (error: Failure) => {
        assert.equal(error.status, 500);
        assert.doesNotMatch(error.detail, /disk/);
        return error instanceof Failure;
      });
      assert.match(inspect(world.log[0]?.fields['err']), /Error: disk on fire\n +at .*breakDown/);
      assert.equal((await send(world.port, { path: '/readyz' })).status, 503);
    });

    it('a list longer than one batch is whole, and so are its pages', async (t) => {
      const world = await createWorld(t, door);
      const api = door.open(world, world.addAccount('ana', memories(50, 20_000)));
      const ids = memories(50)
        .map(({ id }) => id)
        .toReversed();
      assert.deepEqual(
        (await api.memories.list({})).map(({ id }) => id),
        ids,
      );
      assert.deepEqual(
        (await api.memories.list({ limit: 40 })).map(({ id }) => id),
        ids.slice(0, 40),
      );
    });
  });
}

function breakDown(): never {
  throw new Error('disk on fire');
}

// The caller: the API in the same process, for an account and without a key.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { Failure } from '../src/contract/failure.ts';
import { doors } from './support/doors.ts';
import { createWorld, memories, memory } from './support/world.ts';

async function failure(call: Promise<unknown>): Promise<Failure> {
  const error = await call.then(
    () => assert.fail('no failure'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Failure, String(error));
  return error;
}

describe('Through the caller', () => {
  it('an account that is unknown or disabled is 401, from the next call on', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', memories(2));
    const api = world.gateway.as('ana');
    assert.equal((await api.memories.list()).length, 2);
    world.writer.accounts.setDisabled('ana', true);
    assert.equal((await failure(api.memories.list())).status, 401);
    world.writer.accounts.setDisabled('ana', false);
    assert.equal((await api.memories.list()).length, 2);
    for (const id of ['', 'ANA', 'ana ', '%', "' OR 1=1--"])
      assert.equal((await failure(world.gateway.as(id).memories.list())).status, 401);
  });

  it('a signal ends a call before it begins and on its way', async (t) => {
    const stop = new AbortController();
    const world = await createWorld(t, {
      wrap: (store) => ({
        ...store,
        items: (range, maxBytes) => {
          if (range.after !== undefined) stop.abort(new Error('enough'));
          return store.items(range, maxBytes);
        },
      }),
    });
    world.addAccount('ana', memories(60, 40_000));
    const call = () => world.gateway.as('ana').memories.list({}, { signal: stop.signal });
    for (const error of [await failure(call()), await failure(call())]) {
      assert.deepEqual([error.status, error.reason], [0, 'abort']);
      assert.match(String(error.cause), /enough/);
    }
    assert.deepEqual(world.log, []);
  });

  it('a signal ends a call whose store does not answer', async (t) => {
    const never = () => new Promise<never>(() => {});
    const world = await createWorld(t, { wrap: (store) => ({ ...store, memory: never }) });
    world.addAccount('ana');
    const signal = AbortSignal.timeout(30);
    const call = world.gateway.as('ana').memories.get({ memory_id: 'a' }, { signal });
    assert.equal((await failure(call)).reason, 'abort');
  });

  it('an account that is no text is 401, too', async (t) => {
    const world = await createWorld(t);
    for (const id of [undefined, null, {}, true, new Date()])
      assert.equal((await failure(world.gateway.as(id as string).memories.list())).status, 401);
    assert.deepEqual(world.log, []);
  });

  it('a bug is a 500, and in the log with its endpoint', async (t) => {
    const world = await createWorld(t, {
      wrap: (store) => ({
        ...store,
        account: () => {
          throw new Error('disk on fire');
        },
      }),
    });
    const error = await failure(world.gateway.as('ana').memories.get({ memory_id: 'a' }));
    assert.deepEqual([error.status, error.reason], [500, 'answer']);
    assert.equal(error.cause, undefined);
    assert.equal(world.log[0]?.fields['route'], 'memories.get');
    assert.match(String(world.log[0]?.fields['err']), /disk on fire/);
  });

  it('nothing of an answer is shared: what a program changes is its own', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', [memory({ id: 'a' })]);
    const api = world.gateway.as('ana');
    const first = await api.memories.get({ memory_id: 'a' });
    (first as { name: string }).name = 'spoilt';
    assert.equal((await api.memories.get({ memory_id: 'a' })).name, 'Memory a');
  });
});

describe('Whatever the door', () => {
  it('a call fails with the same status, sentence and reason', async (t) => {
    const told: Record<string, unknown>[] = [];
    for (const door of doors) {
      const world = await createWorld(t, door);
      const api = door.open(world, world.addAccount('ana', [memory({ id: 'a' })]));
      const { get, list } = api.memories;
      const cursor = 'bm90IG91cnM';
      const calls: Record<string, () => Promise<unknown>> = {
        unknown: () => get({ memory_id: 'b' }),
        malformed: () => get({ memory_id: 'a b' }),
        'NUL in an id': () => get({ memory_id: 'a\0' }),
        'a parameter too many': () => get({ memory_id: 'a', limit: 1 } as { memory_id: string }),
        'limit 0': () => list({ limit: 0 }),
        'limit NaN': () => list({ limit: Number.NaN }),
        'limit 1e21': () => list({ limit: 1e21 }),
        'limit -1': () => list({ limit: -1 }),
        order: () => list({ order: 'up' as 'asc' }),
        'no such parameter': () => list({ limt: 1 } as object),
        'path parameter in the list': () => list({ memory_id: 'a' } as object),
        'empty cursor': () => list({ cursor: '' }),
        'bad cursor': () => list({ cursor }),
        'cursor and order': () => list({ cursor, order: 'asc' }),
        'lone surrogate': () => list({ cursor: '\ud800' }),
        'an array': () => list({ order: ['asc', 'desc'] as unknown as 'asc' }),
      };
      const failures = await Promise.all(
        Object.entries(calls).map(async ([name, call]) => {
          const { status, detail, reason } = await failure(call());
          return [name, { status, detail, reason }];
        }),
      );
      told.push({ door: door.name, ...Object.fromEntries(failures) });
      assert.deepEqual(await list({ limit: '1' as unknown as number }), await list({ limit: 1 }));
    }
    for (const { door, ...failures } of told) {
      const { door: _, ...first } = told[0] as { door: unknown };
      assert.deepEqual(failures, first, String(door));
    }
  });
});

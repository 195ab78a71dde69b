// The local caller: the API in the same process, for an account and without a key.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';

import { Failure } from '../../src/contract/failure.ts';
import { entryPoints } from '../support/world/entry-points.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

async function failure(call: Promise<unknown>): Promise<Failure> {
  const error = await call.then(
    () => assert.fail('no failure'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Failure, String(error));
  return error;
}

describe('Through the local caller', () => {
  it('an account that is unknown or disabled is 401, from the next call', async (t) => {
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

  it('a signal ends a call before and after it has started', async (t) => {
    const stop = new AbortController();
    const world = await createWorld(t, {
      wrap: (store) => ({
        ...store,
        chunk: (range, maxBytes) => {
          stop.abort(new Error('enough'));
          return store.chunk(range, maxBytes);
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

  it('a signal ends a call while its store hangs', async (t) => {
    const never = () => new Promise<never>(() => {});
    const world = await createWorld(t, { wrap: (store) => ({ ...store, memory: never }) });
    world.addAccount('ana');
    const signal = AbortSignal.timeout(30);
    const call = world.gateway.as('ana').memories.get({ memory_id: 'a' }, { signal });
    assert.equal((await failure(call)).reason, 'abort');
  });

  it('an account id that is not a string is 401', async (t) => {
    const world = await createWorld(t);
    for (const id of [undefined, null, {}, true, new Date()])
      assert.equal((await failure(world.gateway.as(id as string).memories.list())).status, 401);
    assert.deepEqual(world.log, []);
  });

  it('a bug is a 500, and is logged with its endpoint', async (t) => {
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

  it('results are not shared: a program can change them', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', [memory({ id: 'a' })]);
    const api = world.gateway.as('ana');
    const first = await api.memories.get({ memory_id: 'a' });
    (first as { name: string }).name = 'spoilt';
    assert.equal((await api.memories.get({ memory_id: 'a' })).name, 'Memory a');
  });
});

describe('Through every entry point', () => {
  it('a call fails with the same status, message and code', async (t) => {
    const told: Record<string, unknown>[] = [];
    for (const entryPoint of entryPoints) {
      const world = await createWorld(t, entryPoint);
      const two = [memory({ id: 'a' }), memory({ id: 'z' })];
      const api = entryPoint.open(world, world.addAccount('ana', two));
      const { get, list, page, each } = api.memories;
      const { changes } = api;
      const cursor = 'bm90IG91cnM';
      const { next } = await page({ limit: 1 });
      const { next: since } = await changes.page();
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
        'cursor and order': () => list({ cursor, order: 'asc' } as object),
        'lone surrogate': () => list({ cursor: '\ud800' }),
        'an array': () => list({ order: ['asc', 'desc'] as unknown as 'asc' }),
        'an array in an array': () => list({ limit: [[1]] as never }),
        'no fields': () => list({ fields: [] }),
        'no such field': () => list({ fields: ['titel'] as never }),
        'no such field on a page': () => page({ fields: ['id', 'sumary'] as never }),
        'no such field in a walk': () => each({ fields: ['Name'] as never }).next(),
        'no such field of one': () => get({ memory_id: 'a', fields: ['' as 'name'] }),
        'a field twice': () => get({ memory_id: 'a', fields: ['id', 'id'] }),
        'a field with a space': () => list({ fields: 'id, name' as never }),
        'fields as an object': () => list({ fields: { id: true } as never }),
        'fields of one that is not there': () => get({ memory_id: 'b', fields: ['id'] }),
        'no switch': () => list({ is_processing: 'yes' as never }),
        'a number for a switch': () => list({ is_processing: 1 as never }),
        'a Date': () => list({ started_after: new Date(0) as never }),
        'a day that does not exist': () => list({ started_before: '2026-02-30' }),
        'an offset for a zone': () => list({ timezone: '+01:00' }),
        'a blank query': () => list({ q: ' ' }),
        'NUL in a query': () => list({ q: 'milk\0' }),
        'a long query': () => list({ q: 'é'.repeat(1025) }),
        'a query that is not text': () => list({ q: {} as never }),
        'cursor and fields': () => list({ cursor: next, fields: ['id'] } as object),
        'cursor and q': () => page({ cursor: next, q: 'milk' } as object),
        'cursor and is_processing': () =>
          each({ cursor: next, is_processing: true } as object).next(),
        'cursor of the changes': () => list({ cursor: since }),
        'cursor of the list': () => changes.list({ since: next }),
        'cursor in the changes': () => changes.list({ cursor: since }),
        'empty since': () => changes.page({ since: '' }),
        'bad since': () => changes.follow({ since: cursor }).next(),
        'limit of changes': () => changes.follow({ limit: 1001 }).next(),
        'no pause': () => changes.follow({}, { everyMs: 0 }).next(),
      };
      const failures = await Promise.all(
        Object.entries(calls).map(async ([name, call]) => {
          const { status, detail, reason } = await failure(call());
          assert.ok(status === 422 || status === 404, `${name}: ${status} ${detail}`);
          return [name, { status, detail, reason }];
        }),
      );
      told.push({ entryPoint: entryPoint.name, ...Object.fromEntries(failures) });
      for (const [loose, strict] of [
        [{ limit: '1' }, { limit: 1 }],
        [{ limit: [1] }, { limit: 1 }],
        [{ limit: 2n }, { limit: 2 }],
        [{ is_processing: 'false' }, { is_processing: false }],
        [{ fields: 'id,name' }, { fields: ['id', 'name'] }],
        [{ q: ['hello'] }, { q: 'hello' }],
      ] as [object, object][])
        assert.deepEqual(await list(loose), await list(strict), inspect(loose));
    }
    for (const { entryPoint, ...failures } of told) {
      const { entryPoint: _, ...first } = told[0] as { entryPoint: unknown };
      assert.deepEqual(failures, first, String(entryPoint));
    }
  });
});

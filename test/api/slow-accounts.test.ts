// Requests that hold the event loop for long: those of one account do not keep another account waiting for all of them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { SyncStore } from '../../src/store/store.ts';
import { onlyFiles } from '../support/engines/engine.ts';
import { send } from '../support/wire/wire.ts';
import { createWorld, memories } from '../support/world/world.ts';

const MANY = 12;

/** Holds the event loop while it reads a memory of an account. */
const slowFor =
  (account: string, ms = 60) =>
  (store: SyncStore) => ({
    ...store,
    memory(query: Parameters<SyncStore['memory']>[0]) {
      if (query.account_id === account) {
        const end = performance.now() + ms;
        while (performance.now() < end);
      }
      return store.memory(query);
    },
  });

describe('An account whose requests hold the event loop', () => {
  it('gets one at a time, between those of others, and all of them are right', async (t) => {
    // Half of them take longer than PostgreSQL on a busy machine.
    const wrap = slowFor('ana', onlyFiles ? 60 : 200);
    const world = await createWorld(t, { wrap, cacheBytes: 0 });
    const slow = world.addAccount('ana', memories(3));
    const other = world.addAccount('bo', memories(3));
    const order: string[] = [];
    const ask = async (name: string, key: string) => {
      const answer = await send(world.port, { path: '/v1/memories/m001', key });
      order.push(name);
      return answer;
    };
    await ask('first', slow); // the account counts as slow from here on
    const all = Array.from({ length: MANY }, () => ask('slow', slow));
    const answers = await Promise.all([...all, ask('other', other)]);
    for (const { status, text } of answers) {
      assert.equal(status, 200);
      assert.equal(JSON.parse(text).id, 'm001');
    }
    assert.ok(order.indexOf('other') <= MANY / 2, order.join());
  });

  it('gets one at a time from the second on, also if each of them takes little', async (t) => {
    const world = await createWorld(t, { wrap: slowFor('ana', 10), cacheBytes: 0 });
    const slow = world.addAccount('ana', memories(3));
    const other = world.addAccount('bo', memories(3));
    const order: string[] = [];
    const ask = async (name: string, key: string) => {
      const headers = { 'x-api-key': key };
      const request = new Request('http://host/v1/memories/m001', { headers });
      assert.equal((await world.gateway.fetch(request)).status, 200);
      order.push(name);
    };
    await Promise.all([
      ...Array.from({ length: MANY }, () => ask('slow', slow)),
      ask('other', other),
    ]);
    // PostgreSQL replies several times for one response, and a request of the slow account may come before each.
    assert.ok(order.indexOf('other') <= (onlyFiles ? MANY / 2 : 2), order.join());
  });

  it('gets the next one while one waits for its database', { timeout: 30_000 }, async (t) => {
    let reads = 0;
    const { promise: allRead, resolve: tellAllRead } = Promise.withResolvers<void>();
    const world = await createWorld(t, {
      cacheBytes: 0,
      wrap: (store) => ({
        ...store,
        memory(query) {
          if (reads++ === 0) return slowFor('ana')(store).memory(query);
          if (reads > MANY) tellAllRead();
          return allRead.then(() => store.memory(query));
        },
      }),
    });
    const key = world.addAccount('ana', memories(3));
    await send(world.port, { path: '/v1/memories/m001', key });
    const answers = await Promise.all(
      Array.from({ length: MANY }, () => send(world.port, { path: '/v1/memories/m001', key })),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  });

  it('leaves out requests whose callers have left', async (t) => {
    let reads = 0;
    const world = await createWorld(t, {
      cacheBytes: 0,
      wrap: (store) => ({
        ...slowFor('ana')(store),
        memory(query) {
          reads++;
          return slowFor('ana')(store).memory(query);
        },
      }),
    });
    const key = world.addAccount('ana', memories(3));
    await send(world.port, { path: '/v1/memories/m001', key });
    const left = new AbortController();
    const gone = Array.from({ length: MANY }, () => {
      const headers = { 'x-api-key': key };
      const request = new Request('http://host/v1/memories/m001', { headers, signal: left.signal });
      return world.gateway.fetch(request).catch(() => undefined);
    });
    left.abort();
    await Promise.all(gone);
    const before = reads;
    assert.equal((await send(world.port, { path: '/v1/memories/m002', key })).status, 200);
    assert.ok(before <= 3, `${before} reads`);
  });
});

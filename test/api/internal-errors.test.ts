// Internal errors: a bug in the store ends one request with 500 and a log entry, and affects no other request.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { inspect } from 'node:util';

import type { Store, SyncStore } from '../../src/store/store.ts';
import { openLine } from '../support/wire/open-connection.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { createWorld, memories, memory, type World } from '../support/world/world.ts';

type Read = 'apiKey' | 'memory' | 'items' | 'changes';

/** A request for each read. Faults of a list also occur after its first batch. */
const TARGETS: Record<Read, string> = {
  apiKey: '/v1/memories/m001',
  memory: '/v1/memories/m001',
  items: '/v1/memories',
  changes: '/v1/changes',
};

class Odd extends Error {
  override get message(): string {
    throw new Error('no message');
  }
}

/** The ways in which a read may fail. */
const WAYS: Record<string, () => unknown> = {
  'throws an error': () => {
    throw new Error('a bug');
  },
  'throws what is no error': () => {
    throw 'a bug'; // oxlint-disable-line no-throw-literal
  },
  'throws nothing': () => {
    throw undefined; // oxlint-disable-line no-throw-literal
  },
  'throws an error that cannot be read': () => {
    throw new Odd();
  },
  rejects: () => Promise.reject(new Error('a bug')),
  'rejects later': () =>
    new Promise((_, reject) => void setTimeout(() => reject(new Error('a bug')), 5)),
};

async function createBuggy(t: TestContext) {
  const bug: { in?: Read | undefined; way: () => unknown } = { way: () => undefined };
  const wrap = (store: SyncStore): Store =>
    new Proxy(store, {
      get: (target, name: keyof SyncStore) => (name === bug.in ? bug.way : target[name]),
    });
  const world = await createWorld(t, { wrap, cacheBytes: 0 });
  return { world, bug, key: world.addAccount('ana', memories(20)) };
}

const failed = ({ log }: World) => log.filter(({ message }) => message === 'request failed');

describe('A read with a bug', () => {
  for (const [way, fails] of Object.entries(WAYS)) {
    it(`that ${way} is a 500 and a log entry, and the next request succeeds`, async (t) => {
      const { world, bug, key } = await createBuggy(t);
      for (const [read, path] of Object.entries(TARGETS)) {
        const right = await send(world.port, { path, key });
        assert.equal(right.status, 200);
        // Another commit, so that the key is looked up again.
        world.writer.memories.put('ana', memory({ id: 'm000' }));
        Object.assign(bug, { in: read, way: fails });
        const wrong = await send(world.port, { path, key });
        assertFailure(wrong, 500, read);
        assert.doesNotMatch(wrong.text, /bug|Error|Odd/);
        bug.in = undefined;
        const line = failed(world).at(-1);
        assert.equal(line?.fields['request_id'], wrong.headers['x-request-id']);
        assert.equal(line?.fields['method'], 'GET');
        const again = await send(world.port, { path, key });
        assert.equal(again.status, 200, read);
      }
      const errors = failed(world).map(({ fields }) => fields['err']);
      assert.equal(errors.length, Object.keys(TARGETS).length, 'a line each');
      if (way === 'throws an error')
        for (const err of errors) assert.match(inspect(err), /Error: a bug\n +at /);
    });
  }

  it('does not affect others on the same connection or in the same turn', async (t) => {
    const { world, bug, key } = await createBuggy(t);
    const line = await openLine(world.port);
    t.after(() => line.end());
    bug.way = WAYS['throws an error'] as () => unknown;
    for (let i = 0; i < 20; i++) {
      bug.in = i % 2 === 0 ? 'memory' : undefined;
      const { status } = await line.ask(key, '/v1/memories/m001');
      assert.equal(status, i % 2 === 0 ? 500 : 200);
    }
    bug.in = 'memory';
    const together = await Promise.all(
      ['/m001', '', '/m002', '?limit=3', '/m003'].map((path) =>
        send(world.port, { path: `/v1/memories${path}`, key }),
      ),
    );
    assert.deepEqual(
      together.map(({ status }) => status),
      [500, 200, 500, 200, 500],
    );
  });

  it('ends a request even if the log throws', async (t) => {
    const { world, bug, key } = await createBuggy(t);
    Object.assign(bug, { in: 'memory', way: WAYS['throws an error'] });
    Reflect.set(world.log, 'push', () => {
      throw new Error('no room');
    });
    assertFailure(await send(world.port, { path: '/v1/memories/m001', key }), 500);
    bug.in = undefined;
    assert.equal((await send(world.port, { path: '/v1/memories/m001', key })).status, 200);
  });
});

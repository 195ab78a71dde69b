// The clock of the system jumps: keys stay what they are, and nothing waits by it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';

import { openLine } from './support/line.ts';
import { send } from './support/wire.ts';
import { createWorld, memories, memory } from './support/world.ts';

const DAY = 24 * 3_600_000;

/** Moves the clock of this process; what waits by other clocks goes on. */
function createClock(t: TestContext) {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  return { jump: (ms: number) => t.mock.timers.setTime(Date.now() + ms) };
}

describe('When the clock jumps', () => {
  it('a key goes on until its time has come once, and no longer, wherever the clock goes then', async (t) => {
    const world = await createWorld(t);
    const forever = world.addAccount('ana', memories(3));
    const soon = world.addKey('ana', Date.now() + DAY / 2).key;
    const later = world.addKey('ana', Date.now() + 3 * DAY).key;
    const before = world.addKey('ana', Date.now() - DAY / 2).key;
    const statuses = async () => {
      const all = [forever, soon, later, before].map((key) => send(world.port, { key }));
      return (await Promise.all(all)).map(({ status }) => status);
    };
    const clock = createClock(t);
    assert.deepEqual(await statuses(), [200, 200, 200, 401]);
    for (const [ms, expected] of [
      [-DAY, [200, 200, 200, 401]], // `before` has not ended by this clock, and had by the one before
      [DAY, [200, 200, 200, 401]],
      [DAY, [200, 401, 200, 401]],
      [-2 * DAY, [200, 401, 200, 401]],
      [-365 * DAY, [200, 401, 200, 401]],
      [368 * DAY, [200, 401, 200, 401]],
      [DAY, [200, 401, 401, 401]],
      [-10 * DAY, [200, 401, 401, 401]],
    ] as const) {
      clock.jump(ms);
      // Another commit, so that no row is one that was kept.
      world.writer.memories.put('ana', memory({ id: 'new', name: String(ms) }));
      assert.deepEqual(await statuses(), expected, `after ${ms / DAY} days`);
      assert.deepEqual(await statuses(), expected, 'and again');
    }
  });

  it('no connection is closed for it, and no reader cut', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(400, 50_000));
    const line = await openLine(world.port);
    t.after(() => line.end());
    const clock = createClock(t);
    const options = { port: world.port, host: '127.0.0.1', path: '/v1/memories', agent: false };
    const [slow] = (await once(get({ ...options, headers: { 'x-api-key': key } }), 'response')) as [
      IncomingMessage,
    ];
    for (const ms of [DAY, -2 * DAY, 30 * DAY, -60 * DAY]) {
      clock.jump(ms);
      // The server looks at its connections every second.
      await new Promise((resolve) => setTimeout(resolve, 1100));
      assert.equal((await line.ask(key, '/v1/memories/m001')).status, 200);
    }
    assert.equal(JSON.parse((await buffer(slow)).toString()).length, 400);
  });
});

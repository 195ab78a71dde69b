// Jumps of the system clock: keys stay valid or invalid, and no timeout depends on the clock.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';

import { openLine } from '../support/wire/open-connection.ts';
import { send } from '../support/wire/wire.ts';
import { moveClocks } from '../support/world/clocks.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('When the system clock jumps', () => {
  it('a key ends when a jump past its expiry has lasted, and never becomes valid again', async (t) => {
    const world = await createWorld(t);
    const forever = world.addAccount('ana', memories(3));
    const soon = world.addKey('ana', Date.now() + DAY / 2).key;
    const later = world.addKey('ana', Date.now() + 3 * DAY).key;
    const before = world.addKey('ana', Date.now() - DAY / 2).key;
    const statuses = async () => {
      const all = [forever, soon, later, before].map((key) => send(world.port, { key }));
      return (await Promise.all(all)).map(({ status }) => status);
    };
    const clock = moveClocks(t);
    assert.deepEqual(await statuses(), [200, 200, 200, 401]);
    for (const [ms, expected, lasting] of [
      [-DAY, [200, 200, 200, 401]], // by this clock `before` has not ended yet, but it had by the clock before the jump
      [DAY, [200, 200, 200, 401]],
      [DAY, [200, 200, 200, 401], [200, 401, 200, 401]],
      [-2 * DAY, [200, 401, 200, 401]],
      [-365 * DAY, [200, 401, 200, 401]],
      [370 * DAY, [200, 401, 200, 401], [200, 401, 401, 401]],
      [-10 * DAY, [200, 401, 401, 401]],
    ] as const) {
      clock.jump(ms);
      // A commit, so that no cached row is used.
      world.writer.memories.put('ana', memory({ id: 'new', name: String(ms) }));
      assert.deepEqual(await statuses(), expected, `after ${ms / DAY} days`);
      assert.deepEqual(await statuses(), expected, 'and again');
      if (lasting === undefined) continue;
      clock.pass(11 * MINUTE);
      assert.deepEqual(await statuses(), lasting, `after ${ms / DAY} days that have lasted`);
    }
  });

  it('no connection is closed and no reader is cut off', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(400, 50_000));
    const line = await openLine(world.port);
    t.after(() => line.end());
    const clock = moveClocks(t);
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

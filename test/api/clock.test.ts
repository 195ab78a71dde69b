// The clock that ends keys: it never goes back, and follows a jump forward only once it has lasted.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createClock } from '../../src/gateway/clock.ts';
import { send } from '../support/wire/wire.ts';
import { moveClocks } from '../support/world/clocks.ts';
import { createWorld, memories } from '../support/world/world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A clock whose system clocks the test moves. */
function createMoved() {
  const start = Date.UTC(2026, 0, 1);
  let [wall, monotonic, up] = [start, 0, 100];
  const log: string[] = [];
  const warn = (fields: object, message: string) =>
    void log.push(`${Object.values(fields).join()} ${message}`);
  const now = createClock(
    { error: warn, warn },
    {
      Date: { now: () => wall },
      performance: { now: () => monotonic },
    },
    () => Math.floor(up),
  );
  return {
    log,
    /** The milliseconds since the start. */
    now: () => now() - start,
    pass: (ms: number) => {
      wall += ms;
      monotonic += ms;
      up += ms / 1000;
    },
    suspend: (ms: number) => {
      wall += ms;
      up += ms / 1000;
    },
    jump: (ms: number) => void (wall += ms),
  };
}

describe('The clock', () => {
  it('follows the system clock, also where it is corrected by less than a minute', () => {
    const { now, pass, jump, log } = createMoved();
    assert.equal(now(), 0);
    pass(HOUR);
    assert.equal(now(), HOUR);
    jump(50_000);
    assert.equal(now(), HOUR + 50_000);
    jump(50_000);
    assert.equal(now(), HOUR + 100_000);
    assert.deepEqual(log, []);
  });

  it('returns whole milliseconds, also by the clock that has fractions', () => {
    const { now, pass, jump } = createMoved();
    for (const ms of [HOUR, -2 * HOUR]) {
      jump(ms);
      pass(10.25);
      assert.ok(Number.isInteger(now()), String(now()));
    }
  });

  it('goes on with the system clock after the machine was suspended', () => {
    const { now, pass, suspend, jump, log } = createMoved();
    for (const ms of [30_500, 2 * HOUR, 8 * HOUR]) {
      pass(MINUTE);
      suspend(ms);
    }
    assert.equal(now(), 3 * MINUTE + 10 * HOUR + 30_500);
    suspend(HOUR);
    assert.equal(now(), 3 * MINUTE + 11 * HOUR + 30_500);
    assert.deepEqual(log, []);
    jump(DAY);
    assert.equal(now(), 3 * MINUTE + 11 * HOUR + 30_500, 'a jump is still none');
    assert.equal(log.length, 1);
  });

  it('goes on as before if the system clock jumps forward and returns', () => {
    const { now, pass, jump, log } = createMoved();
    jump(365 * DAY);
    assert.equal(now(), 0);
    pass(9 * MINUTE);
    assert.equal(now(), 9 * MINUTE);
    jump(-365 * DAY);
    assert.equal(now(), 9 * MINUTE);
    pass(20 * MINUTE);
    assert.equal(now(), 29 * MINUTE);
    assert.equal(log.length, 2);
    assert.match(log[0] as string, /^31536000 .*has jumped forward/);
    assert.match(log[1] as string, /^0 .*is back/);
  });

  it('follows a jump forward that has lasted for ten minutes', () => {
    const { now, pass, jump, log } = createMoved();
    jump(DAY);
    assert.equal(now(), 0);
    pass(10 * MINUTE - 1);
    assert.equal(now(), 10 * MINUTE - 1);
    pass(1);
    assert.equal(now(), DAY + 10 * MINUTE);
    assert.equal(log.length, 2);
    assert.match(log[1] as string, /has stayed/);
    pass(HOUR);
    assert.equal(now(), DAY + 10 * MINUTE + HOUR);
    assert.equal(log.length, 2);
  });

  it('waits again if the system clock jumps again meanwhile', () => {
    const { now, pass, jump } = createMoved();
    jump(DAY);
    now();
    pass(9 * MINUTE);
    jump(DAY);
    assert.equal(now(), 9 * MINUTE);
    pass(9 * MINUTE);
    assert.equal(now(), 18 * MINUTE);
    pass(MINUTE);
    assert.equal(now(), 2 * DAY + 19 * MINUTE);
  });

  it('never goes back, and runs on if the system clock is set back for good', () => {
    const { now, pass, jump, log } = createMoved();
    pass(HOUR);
    assert.equal(now(), HOUR);
    for (const ms of [-30_000, -DAY, -DAY]) {
      jump(ms);
      assert.equal(now(), HOUR);
    }
    pass(HOUR);
    assert.ok(now() >= 2 * HOUR - 30_000);
    pass(30 * DAY);
    assert.ok(now() >= 30 * DAY + 2 * HOUR - 30_000);
    assert.match(log[0] as string, /has been set back/);
  });
});

describe('A key that expires', () => {
  it('works on through a clock that is wrong for a moment, and ends when its time has passed', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', memories(1));
    const { key } = world.addKey('ana', Date.now() + 90 * DAY);
    const { jump, pass } = moveClocks(t);
    const expect = async (status: number) =>
      assert.equal((await send(world.port, { key })).status, status);
    await expect(200);
    jump(365 * DAY);
    await expect(200);
    jump(-365 * DAY);
    await expect(200);
    pass(89 * DAY);
    await expect(200);
    pass(2 * DAY);
    await expect(401);
    jump(-90 * DAY);
    await expect(401);
    const warnings = world.log.filter(({ fields }) => 'clock_ahead_seconds' in fields);
    assert.deepEqual(
      warnings.map(
        ({ fields: { clock_ahead_seconds: by } }) => Math.round(Number(by) / 86_400) + 0,
      ), // no -0
      [365, 0, -90],
    );
  });

  it('ends ten minutes after a jump forward that lasts', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', memories(1));
    const { key } = world.addKey('ana', Date.now() + DAY);
    const { jump, pass } = moveClocks(t);
    jump(2 * DAY);
    assert.equal((await send(world.port, { key })).status, 200);
    pass(10 * MINUTE + 1);
    assert.equal((await send(world.port, { key })).status, 401);
  });
});

// The clock of the app: a system clock that is wrong for a moment ends no session and deletes no row.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createAppWorld, listOf } from '../support/app/app-world.ts';
import { moveClocks } from '../support/world/clocks.ts';

const DAY_MS = 86_400_000;

describe('A system clock that is 91 days ahead for a moment', () => {
  it('ends no session, also if somebody signs in meanwhile', async (t) => {
    const { signIn } = await createAppWorld(t);
    const clock = moveClocks(t);
    const before = await signIn();
    clock.jump(91 * DAY_MS);
    const during = await signIn();
    assert.equal((await before.get('/me')).status, 200);
    clock.jump(-91 * DAY_MS);
    for (const browser of [before, during]) {
      const { status, text } = await browser.get('/me');
      assert.equal(status, 200);
      assert.notEqual(JSON.parse(text).fresh_until, null);
    }
  });

  it('dates a key that is created meanwhile by the time that has passed', async (t) => {
    const { signIn } = await createAppWorld(t);
    const clock = moveClocks(t);
    const browser = await signIn();
    const start = Date.now();
    clock.jump(91 * DAY_MS);
    const created = await browser.post('/keys', { label: 'mine', expires_at: null });
    assert.equal(created.status, 200, created.text);
    const [key] = listOf(await browser.get('/keys'));
    assert.ok(
      Date.parse(String(key?.['created_at'])) < start + DAY_MS,
      String(key?.['created_at']),
    );
  });

  it('is believed once it has lasted for ten minutes', async (t) => {
    const { signIn } = await createAppWorld(t);
    const clock = moveClocks(t);
    const browser = await signIn();
    clock.jump(91 * DAY_MS);
    assert.equal((await browser.get('/me')).status, 200);
    clock.pass(600_001);
    assert.equal((await browser.get('/me')).status, 401);
  });
});

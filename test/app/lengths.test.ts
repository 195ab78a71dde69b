// The days with memories of unknown length, for the account of the session: their sums are not all there was.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createAppWorld, listOf, NO_STORE } from '../support/app/app-world.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { memory } from '../support/world/world.ts';

describe('The days with memories of unknown length', () => {
  it('are those of a time zone in the account of the session, each once', async (t) => {
    const world = await createAppWorld(t);
    const at = (id: string, started_at: string, duration_seconds = 0) =>
      memory({ id, started_at, ended_at: started_at, duration_seconds });
    world.writer.memories.putAll('ana', [
      at('a', '2026-11-18T22:30:00.000Z'),
      at('b', '2026-11-18T22:31:00.000Z'),
      at('c', '2026-11-20T12:00:00.000Z', 60),
      at('d', '2026-11-21T12:00:00.000Z'),
    ]);
    world.writer.memories.putAll('bo', [at('e', '2026-11-22T12:00:00.000Z')]);
    const browser = await world.signIn();
    const of = async (timezone?: string) =>
      new Set(listOf(await browser.post('/days/unknown', { timezone })).map(String));
    const [utc, tokyo] = [await of(), await of('Asia/Tokyo')];
    assert.ok(utc.has('2026-11-18') && utc.has('2026-11-21'));
    assert.ok(!utc.has('2026-11-20') && !utc.has('2026-11-22'));
    assert.ok(tokyo.has('2026-11-19') && !tokyo.has('2026-11-18'), 'in Tokyo it is the next day');
    assertFailure(await browser.post('/days/unknown', { timezone: 'Mars' }), 422, '', NO_STORE);
  });
});

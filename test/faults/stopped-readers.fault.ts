// Stopped readers: one key opens a thousand lists in each encoding and reads none of them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { attackWith, incompressible, MIB, requestHead } from '../support/damage/stopped-readers.ts';
import { tell } from '../support/damage/trial.ts';
import { noGauges } from '../support/processes/process-usage.ts';
import { isShort, sized } from '../support/world/thorough.ts';
import { createWorld, memories } from '../support/world/world.ts';

const CONNECTIONS = 1000;

/** A short trial has the first two: bytes as they are stored, and compressed bytes. */
const ENCODINGS = ['identity', 'gzip', 'br', 'zstd', 'gzip, identity;q=0'];

/** Before all other memories. */
const START = '2020-01-01T00:00:00.000Z';

/** What all of them may take above the idle server. */
const MOST_BYTES = 300 * MIB;

describe(`${CONNECTIONS} readers of lists that stop, with one key`, { skip: noGauges }, () => {
  for (const encoding of isShort ? ENCODINGS.slice(0, 2) : ENCODINGS)
    it(`take at most ${MOST_BYTES / MIB} MiB: ${encoding}`, async (t) => {
      const world = await createWorld(t);
      const key = world.addAccount('ana', incompressible(sized(3000, 1000), 20_000));
      const otherKey = world.addAccount('bo', memories(10));
      const head = requestHead('GET /v1/memories', {
        'x-api-key': key,
        'accept-encoding': encoding,
      });
      const { database } = world;
      const { peak, usual, during, statuses } = await attackWith(t, {
        database,
        otherKey,
        connections: CONNECTIONS,
        bytesOf: () => head,
      });
      tell(t, {
        'MiB above idle': Math.round(peak / MIB),
        'p99 of another key before, in ms': usual.toFixed(1),
        during: during.toFixed(1),
        ...statuses,
      });
      assert.ok(peak <= MOST_BYTES, `${Math.round(peak / MIB)} MiB`);
      assert.ok((statuses['200'] ?? 0) <= 64);
      assert.ok((statuses['429'] ?? 0) >= CONNECTIONS - 64);
    });

  it('take no more if each list begins with a memory of 20 MB', async (t) => {
    const world = await createWorld(t);
    const [huge] = incompressible(1, 20 * MIB);
    const all = incompressible(500, 20_000);
    const key = world.addAccount('ana', [
      ...all,
      { ...huge!, id: 'huge', started_at: START, ended_at: START },
    ]);
    const otherKey = world.addAccount('bo', memories(10));
    const head = requestHead('GET /v1/memories?order=asc', { 'x-api-key': key });
    const attack = { otherKey, connections: 64, bytesOf: () => head };
    const { peak, statuses } = await attackWith(t, { database: world.database, ...attack });
    tell(t, { 'MiB above idle': Math.round(peak / MIB), ...statuses });
    assert.ok(peak <= MOST_BYTES, `${Math.round(peak / MIB)} MiB`);
    assert.equal(statuses['200'], 64);
  });
});

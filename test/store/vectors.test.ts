// Vectors in the database: they go with the text that they were made of, and verify finds those that do not belong.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import {
  compareVectors,
  distances,
  toQueryVector,
  toStored,
} from '../../src/embeddings/numbers.ts';
import { engineOf } from '../../src/store/engines.ts';
import { stretchesOf } from '../../src/text/passages/stretches.ts';
import { unitsOf } from '../../src/text/passages/units.ts';
import { agreement, fuse } from '../../src/text/ranking/fuse.ts';
import type { RankedPassage } from '../../src/text/ranking/rank.ts';
import { engine } from '../support/engines/engine.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

const KIND = { account_id: 'ana', model: 'test', cut: 1 };
const STORED = toStored([[1, -2, 3, -4, 5, -6, 7, -8]]);

/** An account with three memories that have vectors. */
async function createEmbedded(t: TestContext) {
  const world = await createWorld(t);
  world.addAccount('ana', memories(3));
  const { vectors } = world.writer;
  const pending = vectors.pending({ ...KIND, after: '', limit: 10 });
  for (const { id: memory_id, body_sha256 } of pending)
    assert.ok(vectors.put({ ...KIND, memory_id, body_sha256, ...STORED }));
  const left = () => {
    const [row] = engine.edit(world.database, 'SELECT count(*) AS n FROM vector_values');
    return [vectors.coverage(KIND).embedded, Number(row?.['n'])];
  };
  return { world, vectors, pending, left };
}

describe('The vectors of a memory', () => {
  it('go when it is deleted, and when its text changes', async (t) => {
    const { world, left } = await createEmbedded(t);
    assert.deepEqual(left(), [3, 3]);
    world.writer.memories.delete('ana', 'm000');
    assert.deepEqual(left(), [2, 2]);
    world.writer.memories.put('ana', memory({ id: 'm001', transcript: 'Ana: Another text.' }));
    assert.deepEqual(left(), [1, 1]);
  });

  it('are not stored for a text that it has no longer', async (t) => {
    const { world, vectors, pending, left } = await createEmbedded(t);
    world.writer.memories.put('ana', memory({ id: 'm001', transcript: 'Ana: Another text.' }));
    const { body_sha256 = '' } = pending.find(({ id }) => id === 'm001') ?? {};
    assert.equal(vectors.put({ ...KIND, memory_id: 'm001', body_sha256, ...STORED }), false);
    assert.deepEqual(left(), [2, 2]);
  });

  it('are healthy to verify, unless they are of another text or lack a part', async (t) => {
    const { world } = await createEmbedded(t);
    const verify = async () => (await engineOf(world.database).verify()).findings;
    assert.deepEqual(await verify(), []);
    engine.edit(world.database, `DELETE FROM vector_values WHERE memory_id = 'm000'`);
    engine.edit(
      world.database,
      `UPDATE vector_signs SET started_at = started_at + 1 WHERE memory_id = 'm001'`,
    );
    const findings = await verify();
    assert.equal(findings.length, 2, findings.join('\n'));
    assert.match(findings.join('\n'), /m001 of account ana has vectors of another text or time/);
    assert.match(findings.join('\n'), /m000 of account ana lacks numbers of its vectors/);
  });
});

describe('Numbers as bytes', () => {
  it('keep their direction: a vector is nearest to itself, and farthest from its opposite', () => {
    const vector = Array.from({ length: 20 }, (_, i) => Math.sin(i + 1));
    const opposite = vector.map((number) => -number);
    const query = toQueryVector(vector);
    const { signs, numbers } = toStored([vector, opposite]);
    const [same, other] = compareVectors(query, { signs, numbers }) ?? [];
    assert.ok(Math.abs((same?.similarity ?? 0) - 1) < 0.001);
    assert.ok(Math.abs((other?.similarity ?? 0) + 1) < 0.001);
    assert.deepEqual(distances(query, signs), [0, 20]);
    assert.deepEqual([same?.distance, other?.distance], [0, 20]);
  });

  it('of another length are not compared', () => {
    const vector = (length: number) => Array.from({ length }, (_, i) => i + 1);
    assert.equal(compareVectors(toQueryVector(vector(9)), toStored([vector(8)])), undefined);
    // 17 vectors of 256 numbers have as many bytes as 65 of 64.
    const many = toStored(Array.from({ length: 17 }, () => vector(256)));
    assert.equal(compareVectors(toQueryVector(vector(64)), many), undefined);
    assert.equal(compareVectors(toQueryVector(vector(256)), many)?.length, 17);
  });
});

describe('Stretches', () => {
  it('have whole lines in order, each once, and the other texts alone', () => {
    const lines = Array.from({ length: 60 }, (_, i) => `Ana: Line ${i} of a talk, and so on.`);
    const texts = {
      name: 'A talk',
      summary: { quick_summary: 'Short.', key_takeaways: ['One.', ' '] },
      transcript: lines.join('\n'),
    };
    const stretches = [...stretchesOf([...unitsOf(texts)])].map(({ text }) => text);
    assert.deepEqual(stretches.slice(0, 3), ['A talk', 'Short.', 'One.']);
    assert.equal(stretches.slice(3).join('\n'), texts.transcript);
    assert.ok(stretches.every(({ length }) => length <= 1100));
    assert.ok(stretches.length < 8);
  });
});

describe('Fusion', () => {
  const candidate = (id: string) => ({
    id,
    started_at: 0,
    boost: 1,
    analysis: {
      units: [],
      hits: [],
      wordsBefore: [],
      whenUnits: new Set<number>(),
      excludedUnits: new Set<number>(),
    },
  });
  const [a, b, c] = [candidate('a'), candidate('b'), candidate('c')];
  const passages: RankedPassage[] = [
    { candidate: a, from: 0, to: 3, score: 9 },
    { candidate: b, from: 0, to: 3, score: 5 },
  ];
  const order = (fused: readonly RankedPassage[]) => fused.map((each) => each.candidate.id);

  it('puts first what both have found, and adds what only meaning has', () => {
    const near = [
      { candidate: b, from: 1, to: 5 },
      { candidate: c, from: 0, to: 2 },
    ];
    assert.deepEqual(order(fuse(passages, near, 1)), ['b', 'a', 'c']);
    assert.deepEqual(order(fuse(passages, near, 0)), ['a', 'b', 'c']);
  });

  it('counts meaning as far as it agrees with words', () => {
    assert.equal(agreement([]), 1);
    assert.equal(agreement([0.5, 0.4, 0.6, 0.5]), 0);
    assert.equal(agreement(Array.from({ length: 10 }, () => 0.99)), 1);
    const some = agreement(Array.from({ length: 10 }, () => 0.85));
    assert.ok(some > 0 && some < 1);
  });
});

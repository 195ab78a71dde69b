// Thousands of random histories, in which every answer is what a plain model of the specification says.
//
// A failure prints its seed and path, and the smallest history that fails. To play that one again:
//   MODEL_SEED=<seed> MODEL_PATH=<path> node --test test/model.test.ts
// More than usual:
//   MODEL_RUNS=50000 node --test test/model.test.ts

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import Database from 'better-sqlite3';
import * as fc from 'fast-check';

import { onlyFiles } from './support/engine.ts';
import { play } from './support/playing.ts';
import { sequences } from './support/steps.ts';
import { createWorld } from './support/world.ts';

const { MODEL_RUNS = '2000', MODEL_SEED, MODEL_PATH } = process.env;

describe('Whatever was done', () => {
  it('every answer is what the model says', async (t) => {
    const seed = Number(MODEL_SEED ?? Date.now() % 2 ** 31);
    t.diagnostic(`seed ${seed}`);
    const world = await createWorld(t, { isInMemory: true });
    const clock = setClock(t);
    const sum = { histories: 0, steps: 0 };
    const answers: Record<string, number> = {};

    const property = fc.asyncProperty(sequences, async (sequence) => {
      clock.pace = sequence.pace;
      const came = await play(world, `s${++sum.histories}`, sequence);
      sum.steps += sequence.steps.length;
      for (const [kind, count] of Object.entries(came))
        answers[kind] = (answers[kind] ?? 0) + count;
    });
    const again = MODEL_PATH === undefined ? {} : { path: MODEL_PATH, endOnFailure: true };
    await fc.assert(property, { numRuns: Number(MODEL_RUNS), seed, ...again });

    t.diagnostic(`${sum.histories} histories of ${sum.steps} steps; answers ${inspect(answers)}`);
    const kinds = ['200', '304', '401', '404', 'found by words', 'nothing by words', 'streamed'];
    const missing = kinds.filter((kind) => answers[kind] === undefined);
    if (sum.histories >= 2000) assert.deepEqual(missing, [], 'came never');
    if (!onlyFiles)
      assert.deepEqual(wordsLeftBehind(world.database), [], 'words of no memory in the index');
    assert.deepEqual(
      world.log.filter(({ message }) => message === 'request failed'),
      [],
    );
  });
});

/** The rows of the index that no memory has: no answer shows them. */
function wordsLeftBehind(database: string): unknown[] {
  const db = new Database(database);
  db.exec('CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, search, instance)');
  const left = db.prepare(
    'SELECT term, doc FROM vocabulary WHERE doc NOT IN (SELECT pk FROM memories)',
  );
  try {
    return left.all();
  } finally {
    db.close();
  }
}

/** Sets the clock by which a search gives others a turn: at each look it goes on by `pace` milliseconds. */
function setClock(t: TestContext): { pace: number } {
  const clock = { now: 0, pace: 0 };
  const now = performance.now.bind(performance);
  // Not by a mock of the runner, which keeps a stack for every call.
  performance.now = () => (clock.now += clock.pace);
  t.after(() => {
    performance.now = now;
  });
  return clock;
}

function inspect(counts: Readonly<Record<string, number>>): string {
  const pairs = Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return pairs.map(([kind, count]) => `${kind}: ${count}`).join(', ');
}

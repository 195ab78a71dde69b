// Random histories of writes and requests: every response is as a plain model of the specification predicts.
//
// A failure prints its seed and path, and the smallest history that fails. To replay that history:
//   MODEL_SEED=<seed> MODEL_PATH=<path> node --test test/api/model.test.ts
// For more histories than usual:
//   MODEL_RUNS=50000 node --test test/api/model.test.ts

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import Database from 'better-sqlite3';
import * as fc from 'fast-check';

import { onlyFiles } from '../support/engines/engine.ts';
import { play } from '../support/model/play.ts';
import { IDS, sequences, type Sequence } from '../support/model/steps.ts';
import { cases } from '../support/world/thorough.ts';
import { createWorld } from '../support/world/world.ts';

const NO_FILTERS = {
  order: undefined,
  from: undefined,
  to: undefined,
  zone: undefined,
  is_processing: undefined,
  q: undefined,
  fields: undefined,
};
const { MODEL_RUNS = cases(2000), MODEL_SEED, MODEL_PATH } = process.env;

describe('After any history', () => {
  it('every response is what the model says', async (t) => {
    const seed = Number(MODEL_SEED ?? Date.now() % 2 ** 31);
    t.diagnostic(`seed ${seed}`);
    const world = await createWorld(t);
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
    const examples: [Sequence][] = [[longList()]];
    await fc.assert(property, { numRuns: Number(MODEL_RUNS), seed, examples, ...again });

    t.diagnostic(`${sum.histories} histories of ${sum.steps} steps; responses ${inspect(answers)}`);
    const kinds = ['200', '304', '401', '404', 'found by words', 'nothing by words', 'streamed'];
    // A replay is a single history, so some kinds may be missing.
    if (MODEL_PATH === undefined)
      for (const kind of kinds) assert.ok(answers[kind], `no history had a response ${kind}`);
    if (!onlyFiles)
      assert.deepEqual(
        wordsLeftBehind(world.database),
        [],
        'the index has no words without a memory',
      );
    assert.deepEqual(
      world.log.filter(({ message }) => message === 'request failed'),
      [],
    );
  });
});

/**
 * A history whose list is long enough to be streamed. Random histories have one seldom, so a
 * thousand of them may have none.
 */
function longList(): Sequence {
  const noWords = { spelling: '', words: [] };
  const writes = IDS.map((id) => ({
    write: 'put' as const,
    account: 0,
    id,
    time: '2026-03-26T00:00:00.000Z',
    lasts: 1,
    is_processing: false,
    texts: { name: noWords, quick_summary: noWords, key_takeaways: [], transcript: noWords },
  }));
  return {
    pace: 0,
    isLong: true,
    first: [],
    steps: [
      { step: 'transaction', writes, end: 'commit' },
      { step: 'list', key: 0, filters: NO_FILTERS, limit: 1000, isSocket: false },
    ],
  };
}

/** Reads the index rows without a memory, which no response would show. */
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

/**
 * Replaces the clock that makes a search yield. Each reading advances it by `pace` milliseconds.
 */
function setClock(t: TestContext): { pace: number } {
  const clock = { now: 0, pace: 0 };
  const now = performance.now.bind(performance);
  // A mock of the test runner would store a stack trace for every call.
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

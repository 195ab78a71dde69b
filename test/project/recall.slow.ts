// Recall by meaning: vectors that tell nothing lose nothing, and vectors that know synonyms find what words do not.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { measure } from '../../scripts/recall/measure.ts';
import { readRecallSet } from '../../scripts/recall/recall-set.ts';
import { withRecallServer } from '../../scripts/recall/server.ts';
import { startEndpoint, type Behaviour } from '../support/embeddings/endpoint.ts';
import { ROOT } from '../support/world/program.ts';

const set = readRecallSet(readFileSync(join(ROOT, 'fixtures/recall/five-languages.json'), 'utf8'));

const LONG_WORD = /\p{L}{5,}/gu;

/** The questions with a synonym, which no memory has, in place of all long words but every fourth. */
const disguised = set.questions.map((question) => {
  let count = 0;
  const q = question.q.replace(LONG_WORD, (word) => (count++ % 4 === 0 ? word : `zq${word}`));
  return { ...question, q };
});

const synonyms = Object.fromEntries(
  set.questions.flatMap(({ q }) =>
    Array.from(q.toLowerCase().matchAll(LONG_WORD), ([word]) => [`zq${word}`, word]),
  ),
);

async function recall(
  t: TestContext,
  questions: typeof set.questions,
  vectors?: Behaviour['vectors'],
) {
  const endpoint = await startEndpoint({ synonyms, ...(vectors && { vectors }) });
  t.after(() => endpoint.close());
  const embeddings = vectors && { url: endpoint.url, model: vectors };
  const figures = await withRecallServer(set.memories, { embeddings }, (api) =>
    measure(api, { ...set, questions }),
  );
  t.diagnostic(JSON.stringify(figures));
  const [first = 0, five = 0] = figures.memory;
  const [, , gold = 0] = figures.gold;
  return { first, five, gold };
}

describe('A search by meaning', () => {
  it('loses nothing if the vectors tell nothing', async (t) => {
    const words = await recall(t, set.questions);
    const random = await recall(t, set.questions, 'random');
    assert.ok(random.first >= words.first - 1, `first: ${random.first} after ${words.first} %`);
    assert.ok(random.five >= words.five, `among five: ${random.five} after ${words.five} %`);
    assert.ok(random.gold >= words.gold, `lines: ${random.gold} after ${words.gold} %`);
  });

  it('finds more if the vectors know synonyms', async (t) => {
    const words = await recall(t, disguised);
    const letters = await recall(t, disguised, 'letters');
    assert.ok(letters.gold > words.gold, `lines: ${letters.gold} after ${words.gold} %`);
    assert.ok(letters.five > words.five, `among five: ${letters.five} after ${words.five} %`);
  });
});

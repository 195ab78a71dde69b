// The recall benchmark: how much of the evidence for a hundred questions in five languages a search returns, by words and by meaning.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';

import { measure } from '../../scripts/recall/measure.ts';
import { readRecallSet } from '../../scripts/recall/recall-set.ts';
import { withRecallServer } from '../../scripts/recall/server.ts';
import type { EmbeddingsOptions } from '../../src/embeddings/target.ts';
import { once } from '../../src/lib/once.ts';
import { startEndpoint } from '../support/embeddings/endpoint.ts';
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

async function recall(questions: typeof set.questions, embeddings?: EmbeddingsOptions) {
  const figures = await withRecallServer(set.memories, { embeddings }, (api) =>
    measure(api, { ...set, questions }),
  );
  const [first = 0, five = 0] = figures.memory;
  const [, , gold = 0] = figures.gold;
  return { first, five, gold };
}

async function recallByMeaning(
  t: TestContext,
  questions: typeof set.questions,
  vectors: 'random' | 'letters',
) {
  const endpoint = await startEndpoint({ synonyms, vectors });
  t.after(() => endpoint.close());
  return recall(questions, { url: endpoint.url, model: vectors });
}

const byWords = once(() => recall(set.questions));

describe('The search for questions of people', () => {
  it('finds the right memory and the lines with the answer, at least as often as it did', async (t) => {
    assert.deepEqual([set.memories.length, set.questions.length], [50, 100]);
    const { first, five, gold } = await byWords();
    t.diagnostic(`${first}, ${five}, ${gold}`);
    assert.ok(first >= 96, `right memory first: ${first} %`);
    assert.ok(five >= 99, `right memory among the first five: ${five} %`);
    assert.ok(gold >= 98, `lines within 8,000 characters: ${gold} %`);
  });
});

describe('A search by meaning', () => {
  it('loses nothing if the vectors tell nothing', async (t) => {
    const words = await byWords();
    const random = await recallByMeaning(t, set.questions, 'random');
    assert.ok(random.first >= words.first - 1, `first: ${random.first} after ${words.first} %`);
    assert.ok(random.five >= words.five, `among five: ${random.five} after ${words.five} %`);
    assert.ok(random.gold >= words.gold, `lines: ${random.gold} after ${words.gold} %`);
  });

  it('finds more if the vectors know synonyms', async (t) => {
    const words = await recall(disguised);
    const letters = await recallByMeaning(t, disguised, 'letters');
    assert.ok(letters.gold > words.gold, `lines: ${letters.gold} after ${words.gold} %`);
    assert.ok(letters.five > words.five, `among five: ${letters.five} after ${words.five} %`);
  });
});

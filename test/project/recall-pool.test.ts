// The pool of the recall benchmark: the same memories for the same seed, with the whole set among them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { measureFirstStage } from '../../scripts/recall/first-stage.ts';
import { pool } from '../../scripts/recall/pool.ts';
import { readRecallSet } from '../../scripts/recall/recall-set.ts';
import { withRecallServer } from '../../scripts/recall/server.ts';
import { wordsOf } from '../../src/text/tokenizer.ts';
import { ROOT } from '../support/world/program.ts';

const set = readRecallSet(readFileSync(join(ROOT, 'fixtures/recall/five-languages.json'), 'utf8'));

describe('A pooled set', () => {
  it('has all memories and questions of the set, and generated memories up to the number', () => {
    const { memories, questions } = pool(set, 400, 1);
    assert.equal(memories.length, 400);
    assert.ok(set.memories.every((memory) => memories.includes(memory)));
    assert.equal(questions, set.questions);
    assert.equal(new Set(memories.map(({ id }) => id)).size, 400);
  });

  it('is the same for the same seed, and another one for another seed', () => {
    assert.deepEqual(pool(set, 300, 1), pool(set, 300, 1));
    assert.notDeepEqual(pool(set, 300, 1), pool(set, 300, 2));
  });

  it('repeats no six words in a row of an answer: whatever has them is right as well', () => {
    const { memories } = pool(set, 2000, 1);
    const runsOf = (text: string) => {
      const words = wordsOf(text);
      return words.slice(5).map((_, i) => words.slice(i, i + 6).join(' '));
    };
    const answers = new Set(
      set.questions.flatMap(({ gold }) =>
        gold.flatMap(([id, first, last]) => {
          const lines = set.memories.find((each) => each.id === id)?.transcript.split('\n') ?? [];
          return lines.slice(first - 1, last).flatMap(runsOf);
        }),
      ),
    );
    assert.ok(answers.size > 100);
    const repeated = memories
      .filter(({ id }) => id.startsWith('generated-'))
      .flatMap(({ transcript }) => transcript.split('\n').flatMap(runsOf))
      .filter((run) => answers.has(run));
    assert.equal(repeated.length, 0);
  });

  it('has generated memories before and after those of the set, as equal candidates are newest first', () => {
    const starts = set.memories.map(({ started_at }) => Date.parse(started_at));
    const generated = pool(set, 1000, 1).memories.filter(({ id }) => id.startsWith('generated-'));
    const shareOf = (isSuch: (start: number) => boolean) =>
      generated.filter(({ started_at }) => isSuch(Date.parse(started_at))).length /
      generated.length;
    assert.ok(shareOf((start) => start > Math.max(...starts)) > 0.25);
    assert.ok(shareOf((start) => start < Math.min(...starts)) > 0.25);
  });
});

describe('The first stage of a search', () => {
  it('counts how often the right memory is among the candidates: always, if there are few', async () => {
    const few = { ...set, questions: set.questions.slice(0, 5) };
    const found = await withRecallServer(few.memories, {}, (_, database) =>
      measureFirstStage(database, few),
    );
    assert.deepEqual(found, { any: [100, 100, 100], all: [100, 100, 100] });
  });

  it('counts no memory that is not there', async () => {
    const [question] = set.questions;
    assert.ok(question);
    const absent = {
      ...set,
      questions: [{ ...question, gold: [['absent', 1, 1] as [string, number, number]] }],
    };
    const found = await withRecallServer(absent.memories, {}, (_, database) =>
      measureFirstStage(database, absent),
    );
    assert.deepEqual(found, { any: [0, 0, 0], all: [0, 0, 0] });
  });
});

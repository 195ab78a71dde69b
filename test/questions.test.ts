// Questions to workers: each answer belongs to its own question, and none ends who asks or is asked.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createQuestions, findAnswer, type Question } from '../src/cli/questions.ts';
import { silent } from '../src/gateway/log.ts';

/** Questions to a process that says nothing by itself, and what it was asked. */
function createAsked() {
  const asked: Question[] = [];
  const questions = createQuestions((question) => asked.push(question) > 0);
  return { asked, ...questions };
}

describe('A question', () => {
  it('has the answer of its number, whichever comes first', async () => {
    const { asked, ask, take } = createAsked();
    const both = Promise.all([ask('metrics'), ask('ready'), ask('ready')]);
    assert.deepEqual(
      asked.map((each) => each.ask),
      ['metrics', 'ready', 'ready'],
    );
    for (const [i, answer] of [[2, false] as const, [1, true] as const, [0, []] as const])
      take({ number: asked[i]!.number, answer: answer as boolean });
    assert.deepEqual(await both, [[], true, false]);
  });

  it('that is answered too late has no answer, nor has the next one by it', async () => {
    const { asked, ask, take } = createAsked();
    assert.equal(await ask('ready'), undefined);
    const next = ask('ready');
    take({ number: asked[0]!.number, answer: true });
    take({ number: asked[1]!.number, answer: false });
    assert.equal(await next, false);
  });

  it('to a process that ends, or is gone, has no answer', async () => {
    const { ask, end } = createAsked();
    const waiting = ask('metrics');
    end();
    assert.equal(await waiting, undefined);
    assert.equal(await createQuestions(() => false).ask('ready'), undefined);
  });

  it('that cannot be answered is logged, and does not end who was asked', async () => {
    const logged: object[] = [];
    const err = new Error('no figures');
    const known = { metrics: () => Promise.reject(err), ready: () => true };
    const log = { ...silent, error: (fields: object) => logged.push(fields) };
    assert.deepEqual(await findAnswer({ ask: 'metrics', number: 7 }, known, log), { number: 7 });
    assert.deepEqual(logged, [{ err, question: 'metrics' }]);
    const answer = await findAnswer({ ask: 'ready', number: 8 }, known, log);
    assert.deepEqual(answer, { number: 8, answer: true });
  });
});

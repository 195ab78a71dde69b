// The recall benchmark: how much of the evidence for a hundred questions in five languages a search returns.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { measure } from '../../scripts/recall/measure.ts';
import { readRecallSet } from '../../scripts/recall/recall-set.ts';
import { withRecallServer } from '../../scripts/recall/server.ts';
import { ROOT } from '../support/world/program.ts';

describe('The search for questions of people', () => {
  it('finds the right memory and the lines with the answer, at least as often as it did', async (t) => {
    const file = join(ROOT, 'fixtures/recall/five-languages.json');
    const set = readRecallSet(readFileSync(file, 'utf8'));
    assert.deepEqual([set.memories.length, set.questions.length], [50, 100]);
    const figures = await withRecallServer(set.memories, {}, (api) => measure(api, set));
    t.diagnostic(JSON.stringify(figures));
    const [first = 0, five = 0] = figures.memory;
    const [, , gold = 0] = figures.gold;
    assert.ok(first >= 96, `right memory first: ${first} %`);
    assert.ok(five >= 99, `right memory among the first five: ${five} %`);
    assert.ok(gold >= 98, `lines within 8,000 characters: ${gold} %`);
  });
});

// A test of usefulness: 60 questions about the demo's memories, and whether the tools' responses contain their answers.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createAgent, sendBy } from '../support/agents/agents.ts';
import { addDemo } from '../support/agents/demo.ts';
import { questions } from '../support/agents/questions.ts';
import { createWorld } from '../support/world/world.ts';

/** The budget of a tool, in tokens, if the call has no other. */
const BUDGETS: Readonly<Record<string, number>> = {
  search: 2000,
  fetch: 5000,
  list_memories: 8000,
  list_changes: 8000,
  check_quote: 2000,
};

describe('An agent with the tools', () => {
  it('finds in the demo what people ask for, within the budget', async (t) => {
    const world = await createWorld(t);
    const keys = addDemo(world);
    assert.equal(questions.length, 60);
    for (const { account, question, calls, facts, absent = [] } of questions)
      await t.test(question, async () => {
        const agent = createAgent(
          '2026-07-28',
          sendBy(world.gateway.fetch, 'http://h/mcp', keys[account]),
        );
        let said = '';
        for (const [tool, args] of calls) {
          const { text, bytes } = await agent.call(tool, args);
          const budget = Number(args['max_tokens'] ?? BUDGETS[tool]) * 4;
          assert.ok(bytes <= budget, `${bytes} of ${budget} bytes: ${tool}`);
          said += `${text}\n`;
        }
        for (const fact of facts)
          assert.ok(
            typeof fact === 'string' ? said.includes(fact) : fact.test(said),
            `${String(fact)} is not in ${said}`,
          );
        for (const text of absent)
          assert.ok(
            !(typeof text === 'string' ? said.includes(text) : text.test(said)),
            `${String(text)} is in ${said}`,
          );
      });
  });
});

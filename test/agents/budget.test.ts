// Budgets of tools without max_tokens: a page that would be too large is shorter, and its cursor skips nothing.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createAgent, sendBy } from '../support/agents/agents.ts';
import { createWorld, memory } from '../support/world/world.ts';

/** What a response without `max_tokens` takes at most, in bytes. */
const MOST = 8000 * 4;

/** Memories whose names and ids are as long as they can be shown. */
const long = Array.from({ length: 100 }, (_, i) =>
  memory({ id: `${'i'.repeat(90)}-${i}`, name: '\u{10FFFF}門'.repeat(100), transcript: 'Mira: x' }),
);

describe('A page that is too large', () => {
  for (const [tool, items, args] of [
    ['list_memories', 'memories', {}],
    ['list_changes', 'changes', {}],
    ['list_changes', 'changes', { since: '24h' }],
  ] as const)
    it(`of ${tool} ${JSON.stringify(args)} is shorter, and the next one goes on behind it`, async (t) => {
      const world = await createWorld(t);
      const key = world.addAccount('a', long);
      const agent = createAgent('2026-07-28', sendBy(fetch, `${world.url}/mcp`, key));
      const ids: string[] = [];
      for (let next: object | undefined = args; next !== undefined;) {
        const { said, bytes } = await agent.call(tool, { ...next, limit: 100 });
        assert.ok(bytes <= MOST, `${bytes} bytes`);
        const page = said[items] as { id?: string; memory_id?: string }[];
        assert.ok(page.length < 100, String(page.length));
        ids.push(...page.map(({ id, memory_id }) => id ?? memory_id ?? ''));
        next = said['more'] ? followUp(said) : undefined;
      }
      assert.deepEqual(new Set(ids), new Set(long.map(({ id }) => id)));
      assert.equal(ids.length, long.length);
    });
});

describe('A quote in a line that is too long to show', () => {
  it('is found, with the id of the line and without its text', async (t) => {
    const world = await createWorld(t);
    const transcript = `Mira: Hello.\nMira: ${'and so on '.repeat(1000)}the end.`;
    const key = world.addAccount('a', [memory({ id: 'long', transcript })]);
    const agent = createAgent('2026-07-28', sendBy(fetch, `${world.url}/mcp`, key));
    const { said } = await agent.call('check_quote', { id: 'long', quote: 'On. The end' });
    const place = { id: 'long#L2', lines: [2, 2] };
    assert.deepEqual([said['match'], said['places']], ['folded', [place]]);
    const { said: short } = await agent.call('check_quote', { id: 'long', quote: 'Hello.' });
    assert.equal(short['places'][0].text, 'L1: Mira: Hello.');
  });
});

function followUp({ cursor, next }: Record<string, unknown>): object {
  return cursor === undefined ? { since: next } : { cursor };
}

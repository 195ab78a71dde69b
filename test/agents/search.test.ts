// The tool search: whom its passages quote, how it goes on, and how much of a budget is words that were said.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import type { Memory } from '../../src/contract/schemas/memory.ts';
import { createAgent, sendBy, type Agent } from '../support/agents/agents.ts';
import { createWorld, memory } from '../support/world/world.ts';

async function agentOf(t: TestContext, memories: readonly Memory[]): Promise<Agent> {
  const world = await createWorld(t);
  const key = world.addAccount('a', [...memories]);
  return createAgent('2026-07-28', sendBy(world.gateway.fetch, 'http://h/mcp', key));
}

const talks = [
  memory({ id: 'trip', transcript: 'Ann: I flew to Tokyo.\nBéa: I stayed, and painted the boat.' }),
  memory({ id: 'wood', transcript: 'Béa: The boat leaks.\nAnn: Painted boats leak less.' }),
  memory({ id: 'calm', transcript: 'Cem: Tokyo is calm, and boats are dear.' }),
];

const idsOf = ({ said }: Awaited<ReturnType<Agent['call']>>) =>
  said['results'].map(({ memory_id }: { memory_id: string }) => memory_id).toSorted();

describe('A search for what one speaker said', () => {
  it('has only passages with a line of this speaker, in any case and without accents', async (t) => {
    const agent = await agentOf(t, talks);
    assert.deepEqual(idsOf(await agent.call('search', { query: 'boat' })), [
      'calm',
      'trip',
      'wood',
    ]);
    for (const speaker of ['Béa', ' bea '])
      assert.deepEqual(idsOf(await agent.call('search', { query: 'boat', speaker })), [
        'trip',
        'wood',
      ]);
    for (const speaker of ['Be', 'I', 'Béa: The boat'])
      assert.deepEqual(idsOf(await agent.call('search', { query: 'boat', speaker })), []);
    const all = await agent.call('search', { query: 'boat', speaker: ' ' });
    assert.equal(all.said['results'].length, 3, 'an empty name is none');
  });

  it('tells which words this speaker never said, whoever else did', async (t) => {
    const agent = await agentOf(t, talks);
    const unsaid = async (query: string, speaker: string) =>
      (await agent.call('search', { query, speaker })).said['never_said'];
    assert.deepEqual(await unsaid('When did Béa fly to Tokyo?', 'Béa'), ['fly', 'tokyo']);
    assert.deepEqual(await unsaid('When did Ann fly to Tokyo?', 'Ann'), []);
    assert.deepEqual(await unsaid('painting a boat', 'Cem'), ['painting']);
    const { text } = await agent.call('search', { query: 'Tokyo' });
    assert.doesNotMatch(text, /never_said/);
  });

  it('takes other forms of a word in the language of the question for the word', async (t) => {
    const transcript = 'Uta: Mein Arzt ruft an.\nBen: Die Treppen sind steil.';
    const agent = await agentOf(t, [memory({ id: 'flat', transcript })]);
    const query = 'was hat der Arzt über die Treppe gesagt';
    const { said } = await agent.call('search', { query, speaker: 'Ben' });
    assert.deepEqual(said['never_said'], ['arzt']);
  });

  it('tells so of a word that others say in more passages than are read, and of a long one', async (t) => {
    const others = Array.from({ length: 600 }, (_, i) =>
      memory({ id: `m${i}`, transcript: `Ann: The boat number ${i} leaks.` }),
    );
    const agent = await agentOf(t, [...others, ...talks]);
    const long = 'x'.repeat(1010);
    const { said } = await agent.call('search', {
      query: `boat ${long}`,
      speaker: 'Dee "D" Lee',
      max_tokens: 8000,
    });
    assert.deepEqual(said['never_said'], ['boat', long]);
  });
});

describe('The results of a search', () => {
  it('go on behind those that were seen, by a number, with any limit', async (t) => {
    const many = Array.from({ length: 130 }, (_, i) =>
      memory({ id: `m${i}`, transcript: `Ann: The boat number ${i} leaks.` }),
    );
    const agent = await agentOf(t, many);
    const first = await agent.call('search', { query: 'boat', max_tokens: 20_000 });
    assert.deepEqual([idsOf(first).length, first.said['cursor']], [100, '100']);
    const seen: string[] = [];
    for (let cursor: string | undefined = '0'; cursor !== undefined;) {
      const { said } = await agent.call('search', { query: 'boat', limit: 48, cursor });
      seen.push(...said['results'].map(({ id }: { id: string }) => id));
      ({ cursor } = said);
    }
    assert.equal(seen.length, 130);
    assert.equal(new Set(seen).size, 130);
  });

  it('are at least 80 % words of transcripts', async (t) => {
    const line = 'Ann: We carried the boat over the hill, and then we painted it green again.';
    const memories = Array.from({ length: 40 }, (_, i) =>
      memory({ id: `m${i}`, transcript: Array.from({ length: 8 }, () => line).join('\n') }),
    );
    const agent = await agentOf(t, memories);
    const { said, bytes } = await agent.call('search', { query: 'boat' });
    const evidence = said['results'].length * (8 * (line.length + 1));
    assert.ok(bytes <= 8000, String(bytes));
    assert.ok(evidence / bytes > 0.8, `${evidence} of ${bytes} bytes`);
  });

  it('have one that is cut if the first one does not fit', async (t) => {
    const transcript = `Ann: ${'the boat, '.repeat(140)}`;
    const agent = await agentOf(t, [memory({ id: 'long', transcript }), ...talks]);
    const { said, bytes } = await agent.call('search', { query: 'boat', max_tokens: 500 });
    const [{ is_cut, text }] = said['results'];
    if (is_cut === true) assert.match(text, /^L1: Ann: (the boat, )+/);
    assert.ok(bytes <= 2000, String(bytes));
  });
});

describe('A list of memories with a query', () => {
  it('says how often and in which lines its words are', async (t) => {
    const agent = await agentOf(t, [
      ...talks,
      memory({
        id: 'many',
        transcript: Array.from({ length: 12 }, () => 'Ann: Tokyo!').join('\n'),
      }),
      memory({ id: 'named', name: 'Tokyo', transcript: 'Ann: Well.' }),
    ]);
    const found = async (query: string) => {
      const { said } = await agent.call('list_memories', { query });
      return Object.fromEntries(
        said['memories'].map(({ id, found: where }: Record<string, string>) => [id, where]),
      );
    };
    assert.deepEqual(await found('tokyo'), {
      trip: 'in 1 line (L1)',
      calm: 'in 1 line (L1)',
      many: 'in 12 lines (L1, L2, L3, L4, L5, L6, L7, L8, L9, L10, …)',
      named: 'in no line, but in the name, the summary or across lines',
    });
    assert.deepEqual(await found('tokyo painted'), {
      trip: 'in 2 lines (L1, L2), never all words in one line',
    });
    assert.deepEqual(await found('"the boat" leak*'), { wood: 'in 1 line (L1)' });
  });

  it('says so behind a cursor, too', async (t) => {
    const agent = await agentOf(t, talks);
    const { said } = await agent.call('list_memories', { query: 'boat* "~ %"', limit: 1 });
    const next = await agent.call('list_memories', { cursor: said['cursor'], limit: 1 });
    assert.match(next.said['memories'][0].found, /^in 1 line/);
  });
});

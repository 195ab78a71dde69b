// Scopes for agents: no tool, resource or prompt tells what a scope hides, by any entry point and in both eras.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { agentEntryPoints, type Agent } from '../support/agents/agents.ts';
import { cases } from '../support/world/thorough.ts';
import { createTwins, HIDDEN, SECRET, twinKinds, withoutAccount } from '../support/world/twins.ts';
import { createWorld } from '../support/world/world.ts';

/** The entry points that take a key, whose scope they have to keep. */
const keyed = agentEntryPoints.filter(({ name }) => name !== 'stdio on a database');

const IDS = ['m0', 'm3', 'm11', 'in0', 'in2', 'out0', 'out3', 'nowhere'];
const WORDS = [SECRET, 'xylograhp', 'xylo*', 'zeppelin of quartzite', 'roses', 'plan', 'mira'];

/** The calls of tools. */
const CALLS: [tool: string, args: object][] = [
  ...WORDS.flatMap((query): [string, object][] => [
    ['search', { query }],
    ['search', { query, max_tokens: 500, started_after: '2026-03-11' }],
    ['list_memories', { query }],
    ['fetch', { id: 'm3', query }],
    ['fetch', { id: 'in1', query }],
    ['fetch', { id: 'out1', query }],
  ]),
  ...IDS.flatMap((id): [string, object][] => [
    ['fetch', { id }],
    ['fetch', { id: `${id}#L1` }],
    ['fetch', { id: `${id}#L2-L9`, max_tokens: 500 }],
    ['fetch', { id: `${id}#L1@3-` }],
    ['fetch', { id: `memory://${id}` }],
    ['check_quote', { id, quote: `The ${SECRET} is blue` }],
    ['check_quote', { id, quote: 'Nothing here' }],
    ['check_quote', { id, quote: 'Roses' }],
  ]),
  ['list_memories', {}],
  ['list_memories', { tag: 'work', person: 'Mira' }],
  ['list_memories', { tag: SECRET }],
  ['list_memories', { limit: 2, order: 'asc' }],
  ['list_memories', { started_after: '2026-02-01', started_before: '2026-04-30' }],
];

/**
 * How many of them are tried by an entry point. What the tools hide is the same behind each, so one tries all of them in
 * CI. A part shows that the others know the scope, and is enough every day.
 */
const stepOf = (name: string) => (name === keyed[0]?.name ? cases(1, 7) : 7);

/** One of so many is also tried with a key without a scope, which shows that the test can fail. Of the few, all are. */
const rareOf = (step: number) => (step === 1 ? 5 : 1);

/** Requests that are no calls of tools. */
const REQUESTS: [method: string, params: object][] = [
  ['resources/list', {}],
  ...IDS.map((id): [string, object] => ['resources/read', { uri: `memory://${id}` }]),
  ['resources/templates/list', {}],
  ['tools/list', {}],
  ['prompts/list', {}],
  ['prompts/get', { name: 'what_did_we_decide', arguments: { topic: SECRET } }],
];

/** Everything that an agent is told, request by request, or of one call of a tool in so many. */
async function all(
  { call, request }: Agent,
  step: number,
): Promise<[asked: string, told: string][]> {
  const told: [string, string][] = [];
  for (const [tool, args] of CALLS.filter((_, i) => i % step === 0)) {
    const { text, isError } = await call(tool, args);
    told.push([`${tool} ${JSON.stringify(args)}`, `${isError} ${text}`]);
  }
  for (const [method, params] of REQUESTS) {
    const { result, error } = await request(method, params);
    told.push([`${method} ${JSON.stringify(params)}`, JSON.stringify({ result, error })]);
  }
  // The titles of changes, without their opaque marks and times.
  const list = await call('list_changes', { limit: 100 });
  const changes = list.said['changes'].map(({ memory_id, title }: Record<string, unknown>) => [
    memory_id,
    title,
  ]);
  return [...told, ['list_changes', JSON.stringify(changes)]].map(([asked = '', text = '']) => [
    asked,
    withoutAccount(text)
      .replaceAll(/"(nextCursor)":"[\w~-]{20,}"/g, '"$1":"…"')
      .replaceAll(/^(cursor|next): .*/gm, '$1: …')
      .replaceAll(/\bnow: [\d.:TZ-]+/g, 'now: …'),
  ]);
}

/** A response without the words that it repeats from the query. */
function ownWords(asked: string, text: string): string {
  if (asked.startsWith('prompts/get')) return '';
  return text.replaceAll(/^absent_words: .*/gm, '');
}

for (const { name, open } of keyed)
  describe(`An agent with a scope, by ${name}`, () => {
    for (const kind of twinKinds)
      it(`with ${kind.name} is told the same, whatever is hidden`, async (t) => {
        const world = await createWorld(t);
        const { scoped, whole } = createTwins(world, kind);
        const agents = scoped.map(async (key) => open(t, world, key, '2026-07-28'));
        const step = stepOf(name);
        const [ana = [], eve = []] = await Promise.all(
          agents.map(async (agent) => all(await agent, step)),
        );
        for (const [i, [asked, text]] of ana.entries()) {
          assert.equal(text, eve[i]?.[1], asked);
          assert.doesNotMatch(ownWords(asked, text), HIDDEN, asked);
        }
        const few = step * rareOf(step);
        const everything = await all(await open(t, world, whole[0], '2026-07-28'), few);
        const shown = everything.filter(([asked, text]) => HIDDEN.test(ownWords(asked, text)));
        assert.ok(
          shown.length > 20 / few,
          `${shown.length} responses without a scope have hidden words`,
        );
      });
  });

describe('An agent that may read summaries only', () => {
  it('gets the summary and a sentence in place of a transcript', async (t) => {
    const world = await createWorld(t);
    const [summaries] = twinKinds;
    assert.ok(summaries);
    const { scoped } = createTwins(world, summaries);
    const [http] = keyed;
    const agent = await http?.open(t, world, scoped[0], 'initialize');
    assert.ok(agent);
    const hint =
      'You may read names and summaries only, so there is no transcript here. Say so, and do not guess what was said.';
    const { said } = await agent.call('fetch', { id: 'm3#L2' });
    assert.equal(said['text'], '');
    assert.equal(said['metadata'].hint, hint);
    assert.equal(said['metadata'].total_lines, null);
    assert.deepEqual(said['metadata'].summary, {
      quick_summary: 'Roses and item 3.',
      key_takeaways: ['Water plot 3'],
    });
    const listed = await agent.call('list_memories', { limit: 1 });
    assert.equal(listed.said['memories'][0].lines, null);
    const quoted = await agent.call('check_quote', { id: 'm3', quote: 'Roses and item 3.' });
    assert.deepEqual([quoted.said['found'], quoted.said['source']], [true, 'summary']);
    const unknown = await agent.call('check_quote', { id: 'm3', quote: 'The tulips' });
    assert.deepEqual([unknown.isError, unknown.text], [true, hint]);
    const { result } = await agent.request('resources/read', { uri: 'memory://m3' });
    const [{ text }] = result?.['contents'] ?? [{ text: '' }];
    assert.match(text, /Roses and item 3\./);
    assert.ok(text.trim().endsWith(hint));
  });
});

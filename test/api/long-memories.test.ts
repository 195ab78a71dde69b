// Long memories, which a gateway caches with their words: these find what the texts find, and nothing that is gone.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { SearchResult } from '../../src/contract/schemas/passages.ts';
import { createLongMemories } from '../../src/gateway/endpoints/search/long-memories.ts';
import { analyse, analyseFolded } from '../../src/text/passages/analysis.ts';
import { foldedBytes, foldTexts, tokensOf } from '../../src/text/passages/folded.ts';
import { createMatcher } from '../../src/text/passages/matcher.ts';
import type { SearchedTexts } from '../../src/text/passages/units.ts';
import { readRankedQuery } from '../../src/text/ranked-query.ts';
import { send } from '../support/wire/wire.ts';
import { createSearch, found, spoken } from '../support/world/search.ts';

/** Runs steps to their end. */
function run<T>(steps: Generator<unknown, T, unknown>): T {
  for (let next = steps.next(); ; next = steps.next()) if (next.done === true) return next.value;
}

const TEXTS: SearchedTexts = {
  name: 'Über den Kühlschrank',
  summary: { quick_summary: 'The fridge hums.', key_takeaways: ['Call Ana.', 'Stand up'] },
  transcript: [
    'Ana: The fridge hums again, the FRIDGE of last Monday.',
    '',
    'Ben: STRASSE, straße, İstanbul, ﬁne; didn’t, 각 각',
    '先生: 今日は霧笛を録音します。',
    `Ana: ${'stand up, fridge '.repeat(200)}`,
    `Ben: ${'x'.repeat(4000)}`,
    'Ana: stand',
    'up 🎉 in two lines',
  ].join('\n'),
};

describe('Folded texts', () => {
  for (const q of [
    'what did Ana say about the fridge',
    '"stand up" fridge',
    'fri* hum*',
    '"fridge hum*" s*',
    'strasse ISTANBUL fine didnt',
    '霧笛 각 각 🎉',
    'when does the fridge hum',
    'fridge -monday',
    'speaker:Ana stand up',
    'nothing of this',
    '"call ana stand up"',
  ])
    it(`find what the texts find for ${q}`, () => {
      const matcher = createMatcher(readRankedQuery(q));
      const { wordsBefore, ...rest } = analyseFolded(run(foldTexts(TEXTS)), matcher);
      const expected = run(analyse(TEXTS, matcher));
      assert.deepEqual({ ...rest, wordsBefore: Array.from(wordsBefore) }, expected);
    });

  const SHORT = { quick_summary: 'a B a b', key_takeaways: ['so', 'so'] };

  it('have each word once, sorted, however often and in whichever case it occurs', () => {
    const { words } = run(foldTexts({ name: 'So', summary: SHORT, transcript: 'abc' }));
    assert.deepEqual(words, ['a', 'abc', 'b', 'so']);
  });

  it('give the tokens of some words and prefixes in the order of the text', () => {
    const folded = run(foldTexts({ name: '', summary: SHORT, transcript: 'abc c' }));
    const wanted = { words: ['b', 'x'], prefixes: ['ab', 'b'] };
    assert.deepEqual(Array.from(tokensOf(folded, wanted)), [
      { word: 'b', at: 1, start: 2, end: 3 },
      { word: 'b', at: 3, start: 6, end: 7 },
      { word: 'abc', at: 6, start: 0, end: 3 },
    ]);
  });

  it('join no phrase across two texts, even if these are alike', () => {
    const matcher = createMatcher(readRankedQuery('"so so"'));
    const texts = { name: '', summary: SHORT, transcript: '' };
    assert.deepEqual(run(analyse(texts, matcher)).hits, []);
    assert.deepEqual(analyseFolded(run(foldTexts(texts)), matcher).hits, []);
  });
});

describe('The cache of long memories', () => {
  it('holds at most 32 MB, and drops what was least recently used', () => {
    const cache = createLongMemories();
    const memory = spoken('long', 'Ana: one two three\n'.repeat(5000));
    const folded = run(foldTexts({ ...memory, transcript: memory.transcript ?? '' }));
    const each = foldedBytes(folded);
    // 20,000 tokens with their place, start and end, two bytes each, and the text.
    assert.ok(each >= 120_000 + 95_000);
    const fit = Math.floor(32_000_000 / (each + 10));
    for (let i = 0; i <= fit; i++)
      cache.set(`id ${String(i).padStart(7, '0')}`, { body_sha256: '', memory, folded });
    assert.equal(cache.has('id 0000000'), false);
    assert.equal(cache.has('id 0000001'), true);
    assert.ok(cache.calculatedSize <= 32_000_000);
  });
});

describe('A search of long memories', () => {
  const talk = (word: string) =>
    `Ana: we spoke of ${word} at length\nBen: and of the rest\n`.repeat(500);

  it('finds a new text and not the one before it, once the memory has changed', async (t) => {
    const { world, ids } = await createSearch(t, [spoken('long', talk('lighthouses'))]);
    assert.equal((await ids('lighthouses'))[0], 'long');
    assert.equal((await ids('spoke lighthouses'))[0], 'long');
    world.writer.memories.put('ana', spoken('long', talk('foghorns')));
    assert.deepEqual(await ids('lighthouses'), []);
    assert.equal((await ids('foghorns'))[0], 'long');
    world.writer.memories.put('ana', spoken('long', 'Ana: a short talk'));
    assert.deepEqual(await ids('foghorns'), []);
    assert.deepEqual(await ids('short'), ['long']);
  });

  it('finds no memory that was deleted, and none of another account with the same text', async (t) => {
    const list = [spoken('long', talk('lighthouses')), spoken('other', talk('foghorns'))];
    const { world, find, ids } = await createSearch(t, list);
    world.addAccount('ben', [spoken('elsewhere', talk('lighthouses'))]);
    const before = await find('spoke of lighthouses');
    assert.equal(found(before)[0], 'long');
    assert.ok(!found(before).includes('elsewhere'));
    world.writer.memories.delete('ana', 'long');
    assert.ok((await ids('spoke of lighthouses')).every((id) => id === 'other'));
  });

  it('has nothing of a transcript for a key that may not read it, whoever has searched before', async (t) => {
    const started_at = '2026-05-01T10:00:00.000Z';
    const list = [spoken('long', talk('lighthouses'), { started_at })];
    const { world, ids } = await createSearch(t, list);
    assert.equal((await ids('spoke of lighthouses'))[0], 'long');
    for (const scope of [
      { reads: 'summaries', started_after: null, started_before: null },
      { reads: 'all', started_after: Date.parse('2026-06-01'), started_before: null },
    ] as const) {
      const { key } = world.addKey('ana', null, scope);
      const path = '/v1/search?q=spoke+of+lighthouses';
      const { status, text } = await send(world.port, { path, key });
      assert.equal(status, 200, text);
      assert.deepEqual((JSON.parse(text) as SearchResult).passages, []);
    }
    assert.equal((await ids('spoke of lighthouses'))[0], 'long');
  });
});

// The words of long memories, which a gateway caches: they find what the texts find, and nothing that is gone.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createWordsCache, readWords } from '../../src/gateway/endpoints/search/cached-words.ts';
import { analyse } from '../../src/text/analysis.ts';
import { foldedBytes, foldWords } from '../../src/text/folded.ts';
import { createMatcher } from '../../src/text/matcher.ts';
import { readRankedQuery } from '../../src/text/ranked-query.ts';
import type { SearchedTexts } from '../../src/text/units.ts';
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

describe('Folded words', () => {
  for (const q of [
    'what did Ana say about the fridge',
    '"stand up" fridge',
    'fri* hum*',
    'strasse ISTANBUL fine didnt',
    '霧笛 各 각 🎉',
    'when does the fridge hum',
    'fridge -monday',
    'speaker:Ana stand up',
    'nothing of this',
  ])
    it(`find what the texts find for ${q}`, () => {
      const matcher = createMatcher(readRankedQuery(q));
      const folded = run(foldWords(TEXTS));
      assert.deepEqual(run(analyse(TEXTS, matcher, folded)), run(analyse(TEXTS, matcher)));
    });

  it('have each word once, however often and in whichever case it occurs', () => {
    const { words, numbers } = run(
      foldWords({ ...TEXTS, name: '', summary: { quick_summary: 'a B a b', key_takeaways: [] } }),
    );
    assert.equal(new Set(words).size, words.length);
    assert.deepEqual(
      Array.from(numbers.slice(0, 4), (number) => words[number]),
      ['a', 'b', 'a', 'b'],
    );
  });
});

describe('The cache of folded words', () => {
  const long = { ...TEXTS, transcript: 'Ana: one two three\n'.repeat(5000) };

  it('folds a long memory once, and a short one never', () => {
    const cache = createWordsCache();
    const read = { body_sha256: 'a', size: 100_000 };
    const first = run(readWords(cache, read, long));
    assert.notEqual(first, undefined);
    assert.equal(run(readWords(cache, read, long)), first);
    assert.notEqual(run(readWords(cache, { ...read, body_sha256: 'b' }, long)), first);
    assert.equal(run(readWords(cache, { body_sha256: 'c', size: 1000 }, TEXTS)), undefined);
    assert.equal(cache.size, 2);
  });

  it('holds at most 32 MB, and drops what was least recently used', () => {
    const cache = createWordsCache();
    const each = foldedBytes(run(foldWords(long)));
    // 20,000 tokens with their word, start and end, two bytes each.
    assert.ok(each >= 120_000);
    const fit = Math.floor(32_000_000 / (each + 10));
    for (let i = 0; i <= fit; i++)
      run(
        readWords(
          cache,
          { body_sha256: `hash ${String(i).padStart(4, '0')}`, size: 100_000 },
          long,
        ),
      );
    assert.equal(cache.has('hash 0000'), false);
    assert.equal(cache.has('hash 0001'), true);
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
});

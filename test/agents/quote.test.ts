// Quotes, and the words of queries, in transcripts of unusual form.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';

import { describeOccurrences } from '../../src/agents/passages/occurrences.ts';
import { readShown, showText } from '../../src/agents/show.ts';
import { findQuote } from '../../src/agents/tools/quote.ts';
import { wordsOf } from '../../src/text/tokenizer.ts';
import { cases } from '../support/world/thorough.ts';

const memory = (transcript: string) => ({
  name: '',
  summary: { quick_summary: '', key_takeaways: [] },
  transcript,
});

describe('Text that is shown to a model', () => {
  it('keeps joiners and variation selectors where emoji and scripts need them, and no row of them', () => {
    for (const kept of ['❤️‍🔥 1️⃣ #️⃣ 👩🏽‍💻 🏳️‍🌈', 'می\u200cخواهم', 'क्\u200dष'])
      assert.equal(showText(kept), kept);
    const message = Array.from({ length: 176 }, (_, i) => (i % 3 ? '\ufe0e' : '\ufe0f')).join('');
    for (const [hidden, shown] of [
      ['a\ufe0fb', 'a<U+FE0F>b'],
      ['a\u200db\u200c', 'a<U+200D>b<U+200C>'],
      ['☎\ufe0e\ufe0f', '☎\ufe0e<U+FE0F>'],
      ['می\u200c\u200c', 'می\u200c<U+200C>'],
      ['\u2800\u{1d159}', '<U+2800><U+1D159>'],
    ] as const)
      assert.equal(showText(hidden), shown);
    assert.doesNotMatch(showText(`🙂${message}`).slice(3), /[\ufe0e\ufe0f]/);
    assert.equal(readShown(showText(`🙂${message}`)), `🙂${message}`);
  });
});

describe('The words of a query', () => {
  it('are looked for with pauses in a transcript of one long line, however many they are', async () => {
    const said = Array.from({ length: 50_000 }, (_, i) => `w${i} `).join('');
    const asked = Array.from({ length: 100 }, (_, i) => `w${490 * i}`).join(' ');
    for (const [q, found] of [
      [asked, 'in 1 line (L1)'],
      ['"w1 w2" w49* w49998-w499*', 'in 1 line (L1)'],
      ['"w1 w3" absent w0', 'in 1 line (L1), never all words in one line'],
      ['"w2 w1"', 'in no line, but in the name, the summary or across lines'],
    ] as const) {
      let pauses = 0;
      const pause = async () => void pauses++;
      assert.equal(await describeOccurrences(`${said}\nThe end.`, q, pause), found);
      assert.ok(pauses > said.length / 16_384, `${pauses} pauses`);
    }
  });
});

describe('A quote', () => {
  it('is looked for with pauses in a transcript of one long line, whose words stay whole', async () => {
    const words = Array.from({ length: 100_000 }, (_, i) => `w${i}`);
    let pauses = 0;
    const pause = async () => void pauses++;
    const transcript = memory(`${words.join(' ')}\nThe end.`);
    const quote = words.slice(100, -100).join(' ').toUpperCase();
    assert.deepEqual(await findQuote(transcript, quote, pause), {
      match: 'folded',
      places: [[1, 1]],
      source: 'transcript',
    });
    assert.ok(pauses >= 10, String(pauses));
    const last = await findQuote(transcript, 'W99999 the END', pause);
    assert.deepEqual(last.places, [[1, 2]]);
  });

  it('lets others run in the middle of a long line, in scripts without spaces as well', async () => {
    for (const text of ['記憶の門は開いている'.repeat(50_000), 'abcdefghij'.repeat(50_000)]) {
      let pauses = 0;
      const pause = async () => void pauses++;
      const { match } = await findQuote(memory(text), '記憶の門は閉じている', pause);
      assert.equal(match, 'none');
      assert.ok(pauses > text.length / 16_384, `${pauses} pauses`);
    }
  });

  it('is compared in linear time, whatever repeats itself', async () => {
    const text = 'a'.repeat(2_000_000);
    for (const quote of [`${'a'.repeat(2000)}b${'a'.repeat(1999)}`, `${'a '.repeat(1999)}b`])
      assert.equal((await findQuote(memory(text), quote)).match, 'none');
    assert.deepEqual((await findQuote(memory('a a b a a a c'), 'A a a C')).places, [[1, 1]]);
    assert.deepEqual((await findQuote(memory('aabaaac'), 'aaac')).match, 'exact');
    assert.equal((await findQuote(memory('ababab'), 'abab')).places.length, 1);
    assert.equal((await findQuote(memory('x\n\ny'), 'L1: ')).match, 'none', 'of no words');
  });

  it('is found by its words as by a search for them in one text', async () => {
    const word = fc.constantFrom('a', 'b', 'ä', 'A', '門', 'Mira:', '.', '\n', '\n\n');
    const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '));
    await fc.assert(
      fc.asyncProperty(text, text, async (transcript, quote) => {
        const { match } = await findQuote(memory(transcript), quote);
        const [said, words] = [quote.trim(), wordsOf(quote).join(' ')];
        if (said === '') assert.equal(match, 'none');
        else if (transcript.includes(said)) assert.equal(match, 'exact');
        else if (words !== '' && ` ${wordsOf(transcript).join(' ')} `.includes(` ${words} `))
          assert.equal(match, 'folded');
        else assert.notEqual(match, 'exact');
      }),
      { numRuns: cases(2000) },
    );
  });

  it('has the right lines at each of its places', async () => {
    const { places } = await findQuote(memory('a b\na\n\nb a\nb'), 'a\n\nb');
    assert.deepEqual(places, [[2, 4]]);
    const { places: all } = await findQuote(memory('a b\na\n\nb a\nb'), 'b');
    assert.deepEqual(all, [
      [1, 1],
      [4, 4],
      [5, 5],
    ]);
  });
});

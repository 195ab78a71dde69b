// How the text of a quote is broken into the rows of its picture.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { wrap } from '../../src/app/browser/screens/reader/keep/rows.ts';

/** Each character is as wide as any other. */
const measure = (part: string) => Array.from(part).length;

describe('The rows of a picture', () => {
  it('break between words, and lose no word', () => {
    assert.deepEqual(wrap('Then buy a second fridge.', 10, measure), [
      'Then buy a',
      'second',
      'fridge.',
    ]);
    assert.deepEqual(wrap('One\n\ntwo', 10, measure), ['One', 'two'], 'lines stay lines');
    assert.deepEqual(wrap('', 10, measure), []);
  });

  it('break within what is wider than a row, and between the signs of a language without spaces', () => {
    assert.deepEqual(wrap('abcdefgh ij', 5, measure), ['abcde', 'fgh', 'ij']);
    const rows = wrap('牛乳を買ってください', 4, measure);
    assert.equal(rows.join(''), '牛乳を買ってください');
    assert.ok(rows.every((row) => measure(row) <= 4));
  });

  it('never break an emoji of several code points', () => {
    const family = '👩‍👩‍👧';
    assert.deepEqual(wrap(family.repeat(3), 6, measure), [family, family, family]);
  });
});

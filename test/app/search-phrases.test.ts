// Phrases of a query that become limits of a search: dates, and names after "with".

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { namePhrases, timePhrase } from '../../src/app/browser/state/search/phrases.ts';

/** A Thursday. */
const TODAY = '2026-11-26';

describe('A phrase of a query', () => {
  for (const [q, phrase, from, to, rest] of [
    ['fridge last tuesday', 'last tuesday', '2026-11-24', '2026-11-24', 'fridge'],
    ['yesterday', 'yesterday', '2026-11-25', '2026-11-25', ''],
    ['kettle in June', 'in June', '2026-06-01', '2026-06-30', 'kettle'],
    ['in december', 'in december', '2025-12-01', '2025-12-31', ''],
    ['porto in june 2023 wine', 'in june 2023', '2023-06-01', '2023-06-30', 'porto wine'],
    ['on the 12th of November', 'on the 12th of November', '2026-11-12', '2026-11-12', ''],
    ['im März 2026', 'im März 2026', '2026-03-01', '2026-03-31', ''],
    ['last week budget', 'last week', '2026-11-16', '2026-11-22', 'budget'],
  ] as const)
    it(`names days: ${q}`, () => {
      assert.deepEqual(timePhrase(q, TODAY), { phrase, rest, from, to });
    });

  for (const q of [
    '',
    'june',
    'may I',
    'fridge',
    '"last tuesday" fridge',
    '"report last',
    'in 2031',
  ])
    it(`names no days: ${q}`, () => {
      assert.equal(timePhrase(q, TODAY), undefined);
    });

  it('may name somebody after "with", in the longest form first', () => {
    assert.deepEqual(
      namePhrases('budget with Frau Brandes').map(({ name, rest }) => [name, rest]),
      [
        ['Frau Brandes', 'budget'],
        ['Frau', 'budget Brandes'],
      ],
    );
    assert.deepEqual(namePhrases('"with Henrik"'), []);
    assert.deepEqual(namePhrases('with'), []);
  });
});

// Thirty queries as people type them, over the sample memories: each finds the passage that they expect.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { readFixtures } from '../../src/cli/commands/database/seed.ts';
import { createWorld } from '../support/world/world.ts';

/** A query of an account, and memories that must be among those of its first ten passages. */
type Expected = readonly [q: string, ...ids: readonly string[]];

const FRIDGE = '2026-11-17-standup';
const MILK = '2026-11-18-memo-milk';
const CRYSTAL = '2026-11-20-crystal-supplier';
const FLAT = '2026-07-18-wohnungsbesichtigung';
const DOCTOR = '2026-06-30-hausaerztin-knie';
const POEM = '2026-05-24-dictated-poem';
const RELEASE = '2026-11-19-standup';
const REVIEW = '2026-10-08-report-viewer-review';
const STANDUPS = ['2026-11-12-standup', '2026-11-16-standup', FRIDGE, RELEASE] as const;
const FOGHORN = '2026-09-17-osaka-oto-shiryo';

const EXPECTED: Readonly<Record<'mira' | 'tomas' | 'leila', readonly Expected[]>> = {
  mira: [
    ['fridge', FRIDGE],
    ['fridges', FRIDGE],
    ['stand-up', ...STANDUPS],
    ['standup', ...STANDUPS],
    ['"stand up"', ...STANDUPS],
    ['Henrik fridge', FRIDGE],
    ['what did Henrik say about the fridge', FRIDGE],
    ['fridge OR milk', FRIDGE, MILK],
    ['milk -fridge', MILK],
    ['fridge AND cake', FRIDGE],
    ['crystal sup', CRYSTAL],
    ['crystal sup*', CRYSTAL],
    ['hausarztin', DOCTOR],
    ['Waldstrasse', FLAT],
    ['Besichtigung', FLAT],
    ['2.8.3', RELEASE],
    ['emails', RELEASE, REVIEW],
    ['e-mails', RELEASE, REVIEW],
    ['Mum', POEM],
    ["Mum's", POEM],
    ['Mums', POEM],
    ['🍲', '2026-10-04-sunday-dinner'],
    ['"buy milk', MILK],
  ],
  tomas: [
    ['Rafael Monzo', '2026-10-03-entrevista-faro'],
    ['grabacion', '2026-07-02-dentista-llopis', '2026-11-19-demora-planning-amaia'],
    ['thesis chapter 3', '2026-03-11-thesis-marchetti'],
    ['霧笛', FOGHORN],
    ['録音', FOGHORN],
    ['レッスン', '2026-09-08-nihongo-sato'],
  ],
  leila: [
    ['الازرق', '019f16f3-bc20-7be6-9e40-1438606573ff'],
    ['سلمي', '01a11be4-1fea-7695-a7f4-5a7d13893eaa'],
    ['سلمى', '019ec213-ce26-780e-b821-25445f73e905'],
  ],
};

/** Questions of an account, and the memory that must come first. */
const FIRST: Readonly<Record<'mira' | 'tomas' | 'leila', readonly (readonly [string, string])[]>> =
  {
    mira: [
      ['Knie Arzt was hat sie gesagt', DOCTOR],
      ['Wohnungen besichtigen', FLAT],
      ['Kniebeschwerden Treppe', DOCTOR],
      ['Yildiz knee doctor', DOCTOR],
      ['dinner with grandmother last October', '2026-10-04-sunday-dinner'],
      ['what happened on 12 November', '2026-11-12-standup'],
      ['standups in november about ear', '2026-11-12-standup'],
      ['20 to 8 toothbrush', RELEASE],
      ['Wanjiro interview', '2026-10-21-interview-wanjiru'],
      ['who was out of milk', MILK],
    ],
    tomas: [
      ['qué dijo el dentista de la muela', '2026-07-02-dentista-llopis'],
      ['cuánto cuesta el calentador', '2026-04-14-casero-calentador'],
      ['presupuesto del sonido 48khz', '2026-11-05-tecnico-sonido-didac'],
      ['subida del alquiler', '2026-04-14-casero-calentador'],
      ['alquileres', '2026-04-14-casero-calentador'],
      ['entrevista al farero', '2026-10-03-entrevista-faro'],
    ],
    leila: [['refrigerator failure night', '01a0c7ea-0d80-758b-a2a6-92c46f54e9b3']],
  };

/** Queries with one meaning, which find the same memories. */
const ALIKE: readonly (readonly string[])[] = [
  ['didnt', "didn't", 'didn’t'],
  ['buy', 'bought'],
];

/** Words that nobody said, and the word of the account that was probably meant. */
const MEANT = { firmwear: 'firmware', Hausarzt: 'hausarztin', Hausaerztin: 'hausarztin' };

describe('A query as people type it', () => {
  const searchOf = async (t: TestContext, account: string) => {
    const world = await createWorld(t);
    for (const { id, memories } of readFixtures()) world.addAccount(id, [...memories]);
    const api = world.gateway.as(account);
    return async (q: string) => {
      const result = await api.search({ q });
      return { ...result, ids: new Set(result.passages.map(({ memory_id }) => memory_id)) };
    };
  };

  for (const [account, queries] of Object.entries(EXPECTED))
    it(`finds what ${account} looks for`, async (t) => {
      const search = await searchOf(t, account);
      const missed: string[] = [];
      for (const [q, ...expected] of queries) {
        const { ids } = await search(q);
        for (const id of expected)
          if (!ids.has(id)) missed.push(`${q}: ${id} is not among ${[...ids].join(', ')}`);
      }
      assert.deepEqual(missed, []);
    });

  for (const [account, queries] of Object.entries(FIRST))
    it(`finds first what ${account} asks for`, async (t) => {
      const search = await searchOf(t, account);
      for (const [q, expected] of queries) assert.equal([...(await search(q)).ids][0], expected, q);
    });

  it('finds the same with each spelling and form of a word', async (t) => {
    const search = await searchOf(t, 'mira');
    for (const [first = '', ...others] of ALIKE) {
      const { ids } = await search(first);
      assert.ok(ids.size > 0, first);
      for (const other of others) assert.deepEqual((await search(other)).ids, ids, other);
    }
  });

  it('says which word was probably meant', async (t) => {
    const search = await searchOf(t, 'mira');
    for (const [q, meant] of Object.entries(MEANT)) {
      const { absent_words, nearest_words } = await search(q);
      assert.deepEqual(absent_words, [q.toLowerCase()]);
      assert.ok(Object.values(nearest_words).flat().includes(meant), q);
    }
  });

  it('finds nothing if it has no words', async (t) => {
    const search = await searchOf(t, 'mira');
    for (const q of ['%', '*', '"', '"*"', '-', '…']) {
      const { passages, absent_words } = await search(q);
      assert.deepEqual([passages, absent_words], [[], []], q);
    }
  });
});

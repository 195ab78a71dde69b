// Phrases of a query that become limits of a search: dates, and names after "with" that the account knows.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { daysPhrase } from '../../src/app/server/handlers/phrase-days.ts';
import { namePhrases } from '../../src/app/server/handlers/phrase-people.ts';
import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { createAppWorld, NO_STORE } from '../support/app/app-world.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { person, readDetails } from '../support/world/details.ts';
import { memory } from '../support/world/world.ts';

/** A Thursday. */
const TODAY = '2026-11-26';

describe('A phrase of a query', () => {
  for (const [q, from, to, rest] of [
    ['fridge last tuesday', '2026-11-24', '2026-11-24', 'fridge'],
    ['yesterday', '2026-11-25', '2026-11-25', ''],
    ['kettle in June', '2026-06-01', '2026-06-30', 'kettle'],
    ['in december', '2025-12-01', '2025-12-31', ''],
    ['porto in june 2023 wine', '2023-06-01', '2023-06-30', 'porto wine'],
    ['on the 12th of November', '2026-11-12', '2026-11-12', ''],
    ['im März 2026', '2026-03-01', '2026-03-31', ''],
    ['last week budget', '2026-11-16', '2026-11-22', 'budget'],
    ['June', '2026-06-01', '2026-06-30', ''],
    ['december', '2025-12-01', '2025-12-31', ''],
    ['19.11.2026', '2026-11-19', '2026-11-19', ''],
    ['roof on 1.2.2026', '2026-02-01', '2026-02-01', 'roof'],
    ['11/19/2026 roof', '2026-11-19', '2026-11-19', 'roof'],
    ['19/11/2026', '2026-11-19', '2026-11-19', ''],
    ['2/2/2026', '2026-02-02', '2026-02-02', ''],
  ] as const)
    it(`names days: ${q}`, () => {
      const {
        phrase: _,
        isName: _name,
        isWord: _word,
        ...found
      } = daysPhrase(q, { today: TODAY }) ?? {};
      assert.deepEqual(found, { q: rest, from, to });
    });

  it('begins weeks on the day of the calendar that asks', () => {
    const weekOf = (q: string, today: string, weekStart: number) => {
      const { from, to } = daysPhrase(q, { today, weekStart }) ?? {};
      return `${from} ${to}`;
    };
    for (const [q, today, start, days] of [
      ['last week', TODAY, 7, '2026-11-15 2026-11-21'],
      ['last week', '2026-11-29', 7, '2026-11-22 2026-11-28'],
      ['this week', '2026-11-29', 7, '2026-11-29 2026-12-05'],
      ['this week', '2026-11-29', 1, '2026-11-23 2026-11-29'],
      ['2 weeks ago', '2026-11-29', 7, '2026-11-15 2026-11-21'],
      ['last week', '2026-11-28', 6, '2026-11-21 2026-11-27'],
    ] as const)
      assert.equal(weekOf(q, today, start), days, `${q} ${start}`);
  });

  for (const q of [
    '',
    'june bug',
    'march on',
    'may I',
    '1/2/2026',
    '31.2.2026',
    '2026.1.1.2026',
    'fridge',
    '"last tuesday" fridge',
    '"report last',
    'in 2031',
  ])
    it(`names no days: ${q}`, () => {
      assert.equal(daysPhrase(q, { today: TODAY }), undefined);
    });

  it('may name somebody after "with", in the longest form first', () => {
    assert.deepEqual(
      namePhrases('budget with Frau Brandes').map((found) => [found.name, found.q]),
      [
        ['Frau Brandes', 'budget'],
        ['Frau', 'budget Brandes'],
      ],
    );
    assert.deepEqual(namePhrases('"with Henrik"'), []);
    assert.deepEqual(namePhrases('with'), []);
    assert.equal(namePhrases('with Ana '.repeat(60)).length, 25, 'each is looked up');
  });

  it('is found with the people of the account and the days of the time zone', async (t) => {
    const world = await createAppWorld(t);
    const talk = (account: string, name: string) =>
      prepareMemory(account, memory({ id: account }), {
        read: readDetails({ people: [person(name)] }),
      });
    world.writer.memories.putReady([talk('ana', 'Zoë Brandes'), talk('bo', 'Henrik')]);
    const browser = await world.signIn();
    const find = async (q: string, timezone?: string) => {
      const { status, text } = await browser.post('/phrases', { q, timezone });
      return status === 200 ? (JSON.parse(text) as unknown) : status;
    };
    assert.deepEqual(await find('fridge in June 2023 with zoe'), {
      days: { from: '2023-06-01', to: '2023-06-30', q: 'fridge with zoe' },
      people: [{ name: 'Zoë Brandes', q: 'fridge in June 2023' }],
      // Words before a limit are typed to their end.
      rest: 'fridge ',
      named: [],
      meant: null,
      offered: null,
    });
    // The words of the days stand within the name, and without them it is another name.
    const within = Object(await find('with zoe in June 2023 brandes'));
    assert.deepEqual(
      [within.rest, within.people],
      ['', [{ name: 'Zoë Brandes', q: 'in June 2023' }]],
    );
    assert.equal(Object(await find('with zoe frid')).rest, 'frid', 'half typed');
    // A word is no name because a name begins with its letters.
    for (const q of ['talk with a zebra', 'with zo', 'with zoeb'])
      assert.deepEqual(Object(await find(q)).people, [], q);
    // It is never the same day in both.
    assert.notDeepEqual(
      await find('today', 'Pacific/Kiritimati'),
      await find('today', 'Etc/GMT+12'),
    );
    assert.deepEqual(await find('today with Henrik').then((found) => Object(found).people), []);
    for (const rest of ['fridge', 'fridge '])
      assert.deepEqual(await find(rest), {
        days: null,
        people: [],
        rest,
        named: [],
        meant: null,
        offered: null,
      });
    // The owner, whom a product has not named.
    assert.deepEqual(Object(await find('fridge with you')).people, []);
    world.writer.memories.putReady([talk('ana', 'User')]);
    for (const q of ['fridge with you', 'fridge with Me'])
      assert.deepEqual(Object(await find(q)).people, [{ name: 'User', q: 'fridge' }], q);
    // A whole query can be a name, or the first name of only one.
    world.writer.memories.putReady([
      prepareMemory('ana', memory({ id: 'three' }), {
        read: readDetails({
          people: ['Zoë Brandes', 'Al Bo', 'Al Cho', 'Al', 'Uma A', 'Uma B', 'Speaker 1'].map(
            (name) => person(name),
          ),
        }),
      }),
    ]);
    const named = async (q: string) =>
      Object(await find(q))
        .named.map(({ name }: { readonly name: string }) => name)
        .join();
    for (const [q, name] of [
      ['zoe', 'Zoë Brandes'],
      [' zoe  brandes ', 'Zoë Brandes'],
      ['al', 'Al'],
      ['you', 'User'],
      ['uma', 'Uma A,Uma B'],
      ['Zo', ''],
      // While it is typed.
      ['zoe br', 'Zoë Brandes'],
      ['zo bra', 'Zoë Brandes'],
      ['Brand', 'Zoë Brandes'],
      ['zoe bx', ''],
      // Or misspelt.
      ['Zoë Brandse', 'Zoë Brandes'],
      ['zö brandes', 'Zoë Brandes'],
      ['zoë brand fridge', ''],
      ['Brandse', 'Zoë Brandes'],
      ['uma c', ''],
      ['al b', 'Al Bo'],
      ['spea', ''],
      ['zoe fridge', ''],
      ['"zoe"', ''],
      ['speaker 1', ''],
      // Somebody is meant by a whole name, however short the wrong word is.
      ['zoe brandez', 'Zoë Brandes'],
    ] as const)
      assert.equal(await named(q), name, q);
    const both = Object(await find('with zoe fridge with you'));
    assert.deepEqual(both.people, [
      { name: 'Zoë Brandes', q: 'fridge with you' },
      { name: 'User', q: 'with zoe fridge' },
    ]);
    assert.equal(both.rest, 'fridge ');
    // The words of a whole name are meant together. Those of a single one, and of somebody who never speaks, are words.
    for (const [q, rest] of [
      ['zoe  brandes', '"zoe brandes"'],
      ['uma a ', '"uma a"'],
      ['zoe', 'zoe'],
      ['zoe bran', 'zoe bran'],
      ['uma a fridge', 'uma a fridge'],
    ])
      assert.equal(Object(await find(String(q))).rest, rest);
    for (const [q, rest, meant] of [
      ['zoe brnds', '"Zoë Brandes"', 'Zoë Brandes'],
      ['ze brandes', '"Zoë Brandes"', 'Zoë Brandes'],
      ['zoe brand', 'zoe brand', null],
      ['joe brandes', 'joe brandes', null],
      ['zoe brandes', '"zoe brandes"', null],
      ['zoe brndes fridge', 'zoe brndes fridge', null],
      ['"zoe" "brndes"', '"zoe" "brndes"', null],
      ['uma c', 'uma c', null],
    ] as const) {
      const found = Object(await find(q));
      assert.deepEqual([found.rest, found.meant], [rest, meant], q);
    }
    // Both orders of a date are read in some language.
    const dayIn = async (language: string) =>
      JSON.parse((await browser.post('/phrases', { q: '1/2/2026', language })).text).days?.from;
    for (const [language, day] of [
      ['en-US', '2026-01-02'],
      ['en-GB', '2026-02-01'],
      ['de', '2026-02-01'],
      ['abcd', undefined],
      ['!', undefined],
    ] as const)
      assert.equal(await dayIn(language), day, language);
    world.writer.memories.putReady([
      prepareMemory('ana', memory({ id: 'june' }), {
        read: readDetails({ people: [person('June Wu')] }),
      }),
    ]);
    // A word or a name that is a month as well only offers it.
    for (const [q, month] of [
      ['june', '06-01'],
      ['may', '05-01'],
    ] as const) {
      const { days, offered } = Object(await find(q));
      assert.deepEqual([days, offered.from.slice(5), offered.q], [null, month, ''], q);
    }
    for (const wrong of [
      { q: 5 },
      { q: '', language: 5 },
      { q: '', week_start: 0 },
      { q: '', week_start: 8 },
    ])
      assertFailure(await browser.post('/phrases', wrong), 422, '', NO_STORE);
  });
});

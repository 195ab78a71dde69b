// Questions as people ask them: which of their words count, in which language, and which dates they name.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { linksOf } from '../support/wire/lists.ts';
import { send } from '../support/wire/wire.ts';
import { fullDetails } from '../support/world/details.ts';
import { createSearch, spoken } from '../support/world/search.ts';
import { createWorld } from '../support/world/world.ts';

describe('A word of a question', () => {
  it('does not count if it only asks for a talk, and others do', async (t) => {
    const { ids } = await createSearch(t, [
      spoken('budget', 'Ana: The budget is tight.'),
      spoken('frame', 'Ben: We had a discussion, and I mention it in the meeting.'),
    ]);
    assert.deepEqual(await ids('Summarize the discussion about the budget'), ['budget']);
    assert.deepEqual(await ids('discussion'), ['frame']);
  });

  for (const [language, q, common] of [
    [
      'Spanish',
      'qué dijo el dentista de la muela',
      'Eva: Que el de la tienda dijo que la de al lado.',
    ],
    [
      'German',
      'was hat sie zum Knie gesagt',
      'Uta: Das hat sie gesagt, und das hat er zum Spaß gesagt.',
    ],
    [
      'French',
      'combien coûte le loyer de la maison',
      'Eve: Le chat est dans le jardin de la voisine, combien de fois.',
    ],
    [
      'Italian',
      'che cosa ha detto della caldaia',
      'Ida: Che cosa ha fatto, e che cosa ha detto della zia.',
    ],
    [
      'Portuguese',
      'quanto custa o aluguel da casa',
      'Ivo: O gato da vizinha e o quanto ele come, o dia todo.',
    ],
    [
      'Dutch',
      'wat zei de loodgieter over het lek',
      'Ine: Wat zei hij over het weer, wat zei zij over de kat.',
    ],
  ] as const)
    it(`does not count if it is common in ${language}, and the question is ${language}`, async (t) => {
      const { ids } = await createSearch(t, [spoken('common', common)]);
      assert.deepEqual(await ids(q), []);
    });

  for (const [language, q, line] of [
    ['German', 'was hat sie über die Treppen gesagt', 'Uta: Die Treppe tut mir weh.'],
    ['German', 'was ist mit dem Haus', 'Uta: Alle Häuser waren feucht.'],
    ['Spanish', 'qué dijo de las conversaciones', 'Eva: Una conversación larga.'],
    ['Spanish', 'cuánto cuesta la luz', 'Eva: Las luces están caras.'],
    ['French', 'combien coûte le cheval', 'Eve: Mes chevaux mangent.'],
    ['Italian', 'che cosa ha detto delle riunioni', 'Ida: Riunione lunga.'],
    ['Portuguese', 'o que ela disse das reuniões', 'Ivo: Reunião longa.'],
    ['Dutch', 'wat zei ze over de afspraak', 'Ine: Twee afspraken morgen.'],
  ] as const)
    it(`is found in its other forms in ${language}: ${q}`, async (t) => {
      const { find } = await createSearch(t, [spoken('form', line)]);
      const { passages, absent_words } = await find(q);
      assert.deepEqual([passages.map(({ memory_id }) => memory_id), absent_words], [['form'], []]);
    });

  it('has the forms of another language only if two words of the question are in it', async (t) => {
    const { find } = await createSearch(t, [spoken('form', 'Eva: Las luces están caras.')]);
    const { absent_words } = await find('la luz');
    assert.deepEqual(absent_words, ['la', 'luz']);
  });

  it('counts in English even if another language has it too', async (t) => {
    const { ids } = await createSearch(t, [spoken('hat', 'Ana: My hat fell down in the war.')]);
    assert.deepEqual(await ids('hat'), ['hat']);
    assert.deepEqual(await ids('did he have a hat in the war'), ['hat']);
  });

  it('is found as a number in digits and in words', async (t) => {
    const { ids } = await createSearch(t, [
      spoken('words', 'Ana: Twenty-eight doses were lost.'),
      spoken('digits', 'Ben: 28 of them.'),
    ]);
    assert.deepEqual((await ids('28')).toSorted(), ['digits', 'words']);
    assert.deepEqual((await ids('twenty-eight')).toSorted(), ['digits', 'words']);
  });

  it('is found as two words in the plural as well', async (t) => {
    const { ids } = await createSearch(t, [spoken('standup', 'Ana: The stand-up moves to ten.')]);
    assert.deepEqual(await ids('standups'), ['standup']);
  });
});

describe('A Korean noun', () => {
  it('is found with the particles that follow it, and by them without', async (t) => {
    const { ids, find } = await createSearch(t, [
      spoken('object', 'Ana: 어제 회의록을 올렸다.', { started_at: '2026-01-02T00:00:00.000Z' }),
      spoken('bare', 'Ana: 회의록 좀 보자.', { started_at: '2026-01-01T00:00:00.000Z' }),
      spoken('other', 'Ana: 회의가 길었다.'),
      spoken('tool', 'Ana: Notion에 적었어.'),
    ]);
    assert.deepEqual(await ids('회의록'), ['bare', 'object']);
    assert.deepEqual(await ids('회의록은'), ['object', 'bare']);
    assert.deepEqual(await ids('Notion에서'), ['tool']);
    assert.deepEqual((await find('회의록은')).absent_words, []);
  });

  it('of one syllable is found with particles, but not as the beginning of another word', async (t) => {
    const { ids } = await createSearch(t, [
      spoken('bread', 'Ana: 아침에 빵을 샀다.', { started_at: '2026-01-02T00:00:00.000Z' }),
      spoken('bare', 'Ana: 빵 냄새가 좋다.', { started_at: '2026-01-01T00:00:00.000Z' }),
      spoken('home', 'Ana: 오늘은 집에서 쉰다.'),
      spoken('lecture', 'Ana: 강의가 길었다. 강의 시간에 졸았다.'),
      spoken('map', 'Ana: 지도 한 장을 폈다.'),
    ]);
    assert.deepEqual(await ids('빵'), ['bare', 'bread']);
    assert.deepEqual(await ids('빵은'), ['bread', 'bare']);
    assert.deepEqual(await ids('집'), ['home']);
    assert.deepEqual(await ids('강'), []);
    assert.deepEqual(await ids('지'), []);
    assert.deepEqual(await ids('강의'), ['lecture']);
  });

  it('of other letters is found with particles by a Korean query, and by its beginning', async (t) => {
    const { ids } = await createSearch(t, [
      spoken('tool', 'Ana: Notion에 적었어.'),
      spoken('key', 'Ana: API키를 바꿨어.'),
    ]);
    assert.deepEqual(await ids('notion 어디'), ['tool']);
    assert.deepEqual(await ids('API키'), ['key']);
    assert.deepEqual(await ids('api*'), ['key']);
  });
});

describe('A date in a question', () => {
  const line = 'Ana: The garden is lovely.';

  it('ranks what was recorded then first, and what was recorded soon after second', async (t) => {
    const { ids } = await createSearch(t, [
      spoken('newest', line, { started_at: '2026-06-01T10:00:00.000Z' }),
      spoken('after', line, { started_at: '2025-11-20T10:00:00.000Z' }),
      spoken('then', line, { started_at: '2025-11-12T10:00:00.000Z' }),
    ]);
    for (const date of [
      '12 November',
      'November 12th, 2025',
      '2025-11-12',
      '12 de noviembre de 2025',
      '12. November',
      'el 12 de noviembre',
    ])
      assert.deepEqual(await ids(`garden ${date}`), ['then', 'after', 'newest'], date);
    assert.deepEqual(await ids('garden'), ['newest', 'after', 'then']);
  });

  it('may be a month that is another word, too, if a preposition says so', async (t) => {
    const { ids, find } = await createSearch(t, [
      spoken('newest', line, { started_at: '2026-06-01T10:00:00.000Z' }),
      spoken('then', line, { started_at: '2026-03-12T10:00:00.000Z' }),
    ]);
    for (const date of ['in March', 'last March', 'im März', 'en marzo', 'em março'])
      assert.deepEqual(await ids(`garden ${date}`), ['then', 'newest'], date);
    assert.deepEqual(await ids('march garden'), ['newest', 'then']);
    assert.deepEqual((await find('garden em agosto')).absent_words, []);
    assert.deepEqual((await find('garden with April')).absent_words, ['april']);
  });

  it('is a day, a weekday or a part of the calendar in seven languages', async (t) => {
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000);
    const weekday = (language: string) =>
      new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(day(1));
    const { find } = await createSearch(t, [
      spoken('newest', line, { started_at: day(0).toISOString() }),
      spoken('yesterday', line, { started_at: day(1).toISOString() }),
    ]);
    for (const [language, yesterday, lastWeek] of [
      ['en', 'yesterday', 'last week'],
      ['de', 'gestern', 'letzte Woche'],
      ['es', 'ayer', 'la semana pasada'],
      ['fr', 'que dit on hier du', 'la semaine dernière'],
      ['it', 'ieri', 'la settimana scorsa'],
      ['nl', 'gisteren', 'afgelopen week'],
      ['pt', 'ontem', 'na semana passada'],
    ] as const) {
      for (const date of [yesterday, weekday(language)]) {
        const { passages, absent_words } = await find(`${date} garden`);
        assert.deepEqual([passages[0]?.memory_id, absent_words], ['yesterday', []], date);
      }
      const { absent_words } = await find(`garden ${lastWeek}`);
      const words = lastWeek.split(' ').slice(-2).join(' ');
      assert.ok(!absent_words.some((word) => words.includes(word) && word.length > 2), lastWeek);
    }
    assert.deepEqual((await find('garden hier')).absent_words, ['hier']);
  });

  it('is another day after midnight, although nothing was written', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-18T23:59:50Z') });
    const on = (id: string, day: string) =>
      spoken(id, line, { started_at: `${day}T12:00:00.000Z`, ended_at: `${day}T12:10:00.000Z` });
    const { world, key, get, ids } = await createSearch(t, [
      on('tuesday', '2026-11-17'),
      on('wednesday', '2026-11-18'),
    ]);
    const ask = async () => ids('meetings yesterday');
    for (let times = 0; times < 3; times++) assert.deepEqual(await ask(), ['tuesday']);
    const { headers } = await get('q=meetings+yesterday');
    const conditional = () =>
      send(world.port, {
        path: '/v1/search?q=meetings+yesterday',
        key,
        headers: { 'if-none-match': String(headers['etag']) },
      });
    assert.equal((await conditional()).status, 304);
    t.mock.timers.setTime(Date.parse('2026-11-19T00:00:10Z'));
    assert.equal((await conditional()).status, 200);
    assert.deepEqual(await ask(), ['wednesday']);
  });

  it('is a day of the time zone', async (t) => {
    const { ids } = await createSearch(t, [
      spoken('elsewhere', line, { started_at: '2025-11-13T20:00:00.000Z' }),
      spoken('late', line, { started_at: '2025-11-12T23:30:00.000Z' }),
    ]);
    const q = 'garden 2025-11-13';
    assert.deepEqual(await ids(q), ['elsewhere', 'late']);
    assert.deepEqual(await ids('garden 2025-11-12', '&timezone=Asia%2FTokyo'), [
      'elsewhere',
      'late',
    ]);
    assert.deepEqual(await ids('garden 2025-11-12'), ['late', 'elsewhere']);
  });

  it('is no absent word', async (t) => {
    const { find } = await createSearch(t, [spoken('garden', line)]);
    const { absent_words } = await find('garden on 12 novembre 2025 last week zebra');
    assert.deepEqual(absent_words, ['zebra']);
  });

  it('ranks lines first that say when something was, if the question asks when', async (t) => {
    const { find } = await createSearch(t, [
      spoken(
        'talk',
        `Ana: The cake was good.\nBen: Yes.\nBen: No.\nAna: Tea?\nBen: Please.\nBen: The cake was on Sunday.`,
      ),
    ]);
    const first = async (q: string) => (await find(q)).passages[0]?.text ?? '';
    assert.match(await first('when was the cake'), /Sunday/);
    assert.match(await first('Since when was there cake'), /Sunday/);
    assert.match(await first('What was good when they had cake'), /good/);
  });
});

describe('A question for all talks of a time', () => {
  const november = [
    spoken('later', 'Ana: One.\nBen: Two.\nAna: Three.\nBen: Four.', {
      started_at: '2025-11-13T10:00:00.000Z',
    }),
    spoken('earlier', 'Ana: The meeting of 12 November.', {
      started_at: '2025-11-12T10:00:00.000Z',
      summary: { quick_summary: 'A walk.', key_takeaways: ['Buy boots.'] },
    }),
    spoken('december', 'Ben: We discussed what happened in November.', {
      started_at: '2025-12-01T10:00:00.000Z',
    }),
  ];

  it('finds them newest first, each with its summary or its first lines', async (t) => {
    const { find } = await createSearch(t, november);
    for (const q of ['meetings in November 2025', 'What happened in November 2025?']) {
      const { passages, memories_found, absent_words } = await find(q);
      assert.deepEqual(
        passages.map(({ memory_id, text }) => [memory_id, text]),
        [
          ['later', 'Ana: One.\nBen: Two.\nAna: Three.'],
          ['earlier', 'A walk.'],
        ],
        q,
      );
      assert.equal(memories_found, 2);
      assert.deepEqual(absent_words, []);
    }
  });

  it('finds them page by page, and within the filters', async (t) => {
    const { find, ids } = await createSearch(t, november);
    assert.deepEqual(await ids('discussions in 2025', '&limit=1'), ['december']);
    const { memories_found } = await find('discussions in 2025', '&started_before=2025-11-13');
    assert.equal(memories_found, 1);
    assert.deepEqual(await ids('discussions in 2024'), []);
  });

  it('counts a memory once if it names a time within another', async (t) => {
    const { find } = await createSearch(t, november);
    const { passages, memories_found } = await find('meetings in 2025 in November 2025');
    assert.deepEqual(
      passages.map(({ memory_id }) => memory_id),
      ['december', 'later', 'earlier'],
    );
    assert.equal(memories_found, 3);
  });

  it('finds those alone that a key may read, page by page', async (t) => {
    const { world } = await createSearch(t, []);
    for (let day = 1; day <= 8; day++) {
      const tags = day % 2 === 0 ? [{ name: 'work', kind: 'tag' as const }] : [];
      const started_at = `2025-11-0${day}T10:00:00.000Z`;
      const talk = spoken(`day${day}`, `Ana: Hidden ${day}.`, {
        started_at,
        ended_at: started_at,
        summary: { quick_summary: `Open ${day}.`, key_takeaways: [] },
      });
      world.writer.memories.putReady([prepareMemory('ana', talk, fullDetails({ tags }))]);
    }
    const window = { started_before: Date.UTC(2025, 10, 7) };
    for (const scope of [
      { tags: ['work'], ...window },
      { tags: ['work'], ...window, reads: 'summaries' },
      { tags: ['work'], source: 'nowhere' },
    ] as const) {
      const { key } = world.addKey('ana', null, scope);
      const expected = 'source' in scope ? [] : ['day6', 'day4', 'day2'];
      const found: string[] = [];
      let path: string | undefined = '/v1/search?q=meetings+in+November+2025&limit=1';
      while (path !== undefined) {
        const answer = await send(world.port, { path, key, isScoped: 'reads' in scope });
        const { passages, memories_found, memories_searched } = JSON.parse(answer.text);
        assert.deepEqual([memories_found, memories_searched], [expected.length, expected.length]);
        found.push(...passages.map((each: { memory_id: string }) => each.memory_id));
        assert.doesNotMatch(answer.text, /Hidden|day[135789]/);
        path = linksOf(answer)['next'];
      }
      assert.deepEqual(found, expected);
    }
  });

  it('has another topic if it names one, and a date alone is words', async (t) => {
    const { ids } = await createSearch(t, november);
    const named = await ids('boots in November 2025');
    assert.equal(named[0], 'earlier');
    assert.ok(!named.includes('later'));
    assert.deepEqual((await ids('12 November')).toSorted(), ['december', 'earlier']);
  });
});

describe('The name of a memory', () => {
  it('says what the memory is about, so its words count more than those in lines', async (t) => {
    const { ids } = await createSearch(t, [
      spoken('named', 'Ann: He sings.\nBen: And laughs.', { name: 'Tape of my grandfather' }),
      spoken('other', 'Cid: My grandfather and his tape, this grandfather with a tape.'),
    ]);
    const [first] = await ids('grandfather tape');
    assert.equal(first, 'named');
  });
});

describe('A name in a question', () => {
  const talk = [
    'Ben: Ann, look, the kayak is red.',
    'Ann: Tea?',
    'Ben: Please.',
    'Ann: It rains.',
    'Ben: Yes.',
    'Ann: My kayak is green, and I like it for its colour.',
  ].join('\n');
  const others = Array.from({ length: 10 }, (_, i) =>
    spoken(`other-${i}`, 'Cid: Ann has a kayak.'),
  );

  it('ranks what this person says before what others say', async (t) => {
    const { find } = await createSearch(t, [spoken('talk', talk), ...others]);
    const { passages } = await find('Ann kayak', '&limit=50');
    const first = passages.find(({ memory_id }) => memory_id === 'talk');
    assert.match(first?.text ?? '', /green/);
  });

  it('is a word as others if this person speaks in most memories', async (t) => {
    const mine = Array.from({ length: 10 }, (_, i) => spoken(`mine-${i}`, 'Ann: I have a kayak.'));
    const { find } = await createSearch(t, [spoken('talk', talk), ...mine]);
    const { passages } = await find('Ann kayak', '&limit=50');
    const first = passages.find(({ memory_id }) => memory_id === 'talk');
    assert.match(first?.text ?? '', /red/);
  });
});

describe('A compound that no memory has', () => {
  it('is replaced by its last part if nothing else is found', async (t) => {
    const { find } = await createSearch(t, [
      spoken('rent', 'Uta: Die Miete ist kalt.'),
      spoken('stairs', 'Eva: Die Treppe ist steil.'),
    ]);
    const { passages, absent_words, searched_instead } = await find('Kaltmiete');
    assert.deepEqual(
      passages.map(({ memory_id }) => memory_id),
      ['rent'],
    );
    assert.deepEqual(absent_words, ['kaltmiete']);
    assert.deepEqual(searched_instead, { kaltmiete: ['miete'] });
    const other = await find('Kaltmiete Treppe');
    assert.deepEqual(other.searched_instead, {});
  });
});

describe('A word that no memory has', () => {
  const kitchen = [
    spoken('fridge', 'Henrik: The fridge hums again.\nMira: Call the landlord.'),
    spoken('rent', 'Inés: El alquiler sube en mayo.'),
    spoken('milk', 'Mira: We are out of milk.'),
  ];

  it('is replaced by words that differ in a letter or the ending, and the response says so', async (t) => {
    const { find } = await createSearch(t, kitchen);
    const { passages, absent_words, searched_instead } = await find('frigde alquileres');
    assert.deepEqual(
      new Set(passages.map(({ memory_id }) => memory_id)),
      new Set(['fridge', 'rent']),
    );
    assert.deepEqual(absent_words, ['frigde', 'alquileres']);
    assert.deepEqual(searched_instead, { frigde: ['fridge'], alquileres: ['alquiler'] });
  });

  it('is replaced by a word of another beginning only if nothing else is found', async (t) => {
    const { find } = await createSearch(t, kitchen);
    assert.deepEqual((await find('bridge')).searched_instead, { bridge: ['fridge'] });
    assert.deepEqual((await find('bridge milk')).searched_instead, {});
  });

  it('is not replaced by a word of another beginning that differs in more than a letter, only offered it', async (t) => {
    const { find } = await createSearch(t, [spoken('garden', 'Uta: Little has grown this year.')]);
    const { passages, nearest_words, searched_instead } = await find('kettle');
    assert.deepEqual([passages, searched_instead], [[], {}]);
    assert.deepEqual(nearest_words, { kettle: ['little'] });
  });

  it('is replaced by a word that differs in two letters only if it is long, otherwise offered it', async (t) => {
    const { find } = await createSearch(t, [
      spoken('doctor', 'Uta: Morgen fängt das Quartal an.'),
      spoken('birds', 'Mira: The ornithologist is late.'),
    ]);
    for (const q of ['xylofone quartz', 'quartz late']) {
      const { searched_instead, nearest_words } = await find(q);
      assert.deepEqual(searched_instead, {}, q);
      assert.deepEqual(nearest_words, { quartz: ['quartal'] }, q);
    }
    assert.deepEqual((await find('ornitologyst')).searched_instead, {
      ornitologyst: ['ornithologist'],
    });
  });

  it('is not replaced if it is short and other words were asked', async (t) => {
    const { find } = await createSearch(t, [spoken('school', 'Uta: Wir helfen dem Kind.')]);
    const { passages, searched_instead } = await find('subida del alquiler');
    assert.deepEqual([passages, searched_instead], [[], {}]);
    assert.deepEqual((await find('del')).searched_instead, { del: ['dem'] });
  });

  it('counts half: a memory with the word itself comes first', async (t) => {
    const { ids } = await createSearch(t, kitchen);
    assert.deepEqual(await ids('frigde milk'), ['milk', 'fridge']);
  });

  it('is not replaced in a phrase', async (t) => {
    const { find } = await createSearch(t, kitchen);
    const { passages, searched_instead } = await find('"frigde hums"');
    assert.deepEqual([passages, searched_instead], [[], {}]);
  });
});

describe('The name, the summary and the takeaways of a memory', () => {
  const rent = {
    ...spoken('rent', 'Ana: The rent rises.\nBen: When?'),
    name: 'Rent',
    summary: { quick_summary: 'The rent rises.', key_takeaways: ['Pay the rent.', 'Rent is due.'] },
  };

  it('take one place in a response', async (t) => {
    const { find } = await createSearch(t, [rent]);
    const { passages } = await find('rent');
    const sources = passages.map(({ source }) => source);
    assert.deepEqual(sources.filter((each) => each === 'transcript').length, 1);
    assert.equal(sources.length, 2);
  });

  it('are all there if the search is within the memory', async (t) => {
    const { find } = await createSearch(t, [rent]);
    const { passages } = await find('rent', '&memory_id=rent');
    assert.equal(passages.filter(({ source }) => source !== 'transcript').length, 4);
  });
});

describe('An operator of a search', () => {
  const talks = [
    spoken('mixed', 'Ann Lee: The fridge hums.\nBen: The milk is fresh.\nBen: The bread is old.', {
      started_at: '2026-06-10T10:00:00.000Z',
    }),
    spoken('milk', 'Ben: Oat milk or soy milk?\nAnn Lee: Any milk.', {
      started_at: '2026-05-31T23:00:00.000Z',
    }),
    spoken('bread', 'Ben: Ann says that bread is fine.', {
      started_at: '2025-03-01T10:00:00.000Z',
    }),
  ];

  it('leaves out passages with a word, a phrase or a beginning', async (t) => {
    const { ids, find } = await createSearch(t, talks);
    for (const q of ['milk -oat', 'milk -"soy milk"', 'milk -so*']) {
      const { passages } = await find(q);
      assert.ok(passages.length > 0, q);
      for (const { text } of passages) assert.doesNotMatch(text, /oat|soy/i, q);
    }
    assert.deepEqual(await ids('bread -old -ann'), []);
    assert.deepEqual(await ids('milk -oat', '&memory_id=milk'), ['milk']);
  });

  it('makes phrases and beginnings alternatives', async (t) => {
    const { ids } = await createSearch(t, talks);
    assert.deepEqual(await ids('"oat milk" "bread is"'), []);
    const either = await ids('"oat milk" OR "bread is"');
    assert.deepEqual(new Set(either), new Set(['milk', 'bread', 'mixed']));
    assert.deepEqual(new Set(await ids('hum* OR soy')), new Set(['mixed', 'milk']));
  });

  it('counts words only in lines of a speaker', async (t) => {
    const { ids, find } = await createSearch(t, talks);
    assert.deepEqual(await ids('milk speaker:Ann'), ['milk']);
    assert.deepEqual(await ids('fridge speaker:"Ann Lee"'), ['mixed']);
    assert.deepEqual(await ids('fridge speaker:Ben'), []);
    assert.deepEqual(new Set(await ids('speaker:lee')), new Set(['mixed', 'milk']));
    assert.deepEqual((await find('fridge speaker:Nobody')).passages, []);
  });

  it('finds memories with a speaker only if they have another word of the query', async (t) => {
    const { find } = await createSearch(t, talks);
    const speaking = (await find('speaker:Ann')).memories_found;
    assert.equal((await find('fridge speaker:Ann')).memories_found, 1);
    assert.ok(speaking > 1);
    assert.equal((await find('xylophone speaker:Ann')).memories_found, 0);
  });

  it('narrows the search to a time, in the time zone', async (t) => {
    const { ids, find } = await createSearch(t, talks);
    assert.deepEqual(await ids('milk before:2026-06'), ['milk']);
    assert.deepEqual(await ids('milk after:2026-06'), ['mixed']);
    assert.deepEqual(
      new Set(await ids('milk after:2026-06', '&timezone=Europe%2FBerlin')),
      new Set(['mixed', 'milk']),
    );
    assert.deepEqual(await ids('bread after:2025 before:2026'), ['bread']);
    // Limits alone, without the memories that have a word.
    assert.deepEqual(await ids('after:2020'), ['mixed', 'milk', 'bread']);
    assert.deepEqual(await ids('after:2020 -bread'), ['milk']);
    assert.deepEqual(await ids('after:2020 -old -"soy milk"'), ['bread']);
    assert.deepEqual(await ids('milk after:2026-06', '&started_before=2026-06-01'), []);
    assert.equal((await find('milk before:2026-06')).memories_searched, 2);
  });

  it('is a word if its value is not understood, and no error', async (t) => {
    const { ids, find } = await createSearch(t, talks);
    for (const q of [
      'before:',
      'before:soon',
      'after:2026-02-31',
      'speaker:',
      'speaker:""',
      '-',
      '--',
      '-""',
      'OR',
      'OR OR',
      'milk OR',
      'OR milk',
      'person:',
      '-speaker:Ann',
      ':-"*',
    ])
      await find(q);
    assert.deepEqual(new Set(await ids('-milk')), new Set(['mixed', 'milk']));
    assert.deepEqual(await ids('mixed-up oat - milk'), ['milk', 'mixed']);
  });

  it('holds on the next page', async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', talks);
    const api = world.gateway.as('ana');
    const first = await api.search.page({ q: 'milk OR bread after:2026 -oat', limit: 1 });
    const second = await api.search.page({ cursor: first.next });
    const shown = [...first.items.passages, ...second.items.passages];
    assert.ok(shown.length > 1);
    for (const { text, started_at } of shown) {
      assert.doesNotMatch(text, /oat/i);
      assert.ok(started_at > '2026');
    }
  });
});

// Ranked search: which passages a question finds, in which order, with which marks and hints, through every entry point.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Memory } from '../../src/contract/schemas/memory.ts';
import type { Passage, SearchResult } from '../../src/contract/schemas/passages.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { entryPoints } from '../support/world/entry-points.ts';
import { createSearch, found, spoken } from '../support/world/search.ts';
import { createWorld, memory } from '../support/world/world.ts';

const HOUR = 3_600_000;

const KITCHEN = [
  spoken('fridge', 'Henrik: The fridge hums again.\nMira: Call the landlord.\nHenrik: I did.'),
  spoken('milk', 'Mira: We are out of milk.\nTomas: Which one?\nMira: The oat milk.'),
  spoken('standup', 'Ana: The stand-up moves to ten.\nBen: Fine by me.'),
  spoken('talk', 'Ana: We were talking about firmware.\nBen: It didn’t boot.'),
  spoken('music', '先生: 今日は霧笛を録音します。\n生徒: はい。'),
];

const marked = ({ text, marks }: Passage) =>
  marks.map(([start = 0, end = 0]) => text.slice(start, end));

describe('Words of a question that stand close together', () => {
  it('count for each pair of them', async (t) => {
    const { ids } = await createSearch(t, [
      spoken('one-pair', 'Ana: apple pie then we spoke of nothing else until recipe', {
        started_at: '2026-01-02T00:00:00.000Z',
      }),
      spoken('two-pairs', 'Ana: then we spoke of nothing else until apple pie recipe', {
        started_at: '2026-01-01T00:00:00.000Z',
      }),
    ]);
    assert.deepEqual(await ids('apple pie recipe'), ['two-pairs', 'one-pair']);
  });

  it('count more if three of the question are in a row, of which only the topic is marked', async (t) => {
    const { find, ids } = await createSearch(t, [
      spoken('from', 'Ana: We sail from Crete to Kos.', {
        started_at: '2026-01-02T00:00:00.000Z',
      }),
      spoken('to', 'Ana: We sail to Crete from Kos.', { started_at: '2026-01-01T00:00:00.000Z' }),
    ]);
    assert.deepEqual(await ids('When do they sail to Crete?'), ['to', 'from']);
    const { passages } = await find('When do they sail to Crete?');
    assert.deepEqual(passages.map(marked), [
      ['sail', 'Crete'],
      ['sail', 'Crete'],
    ]);
  });
});

describe('Keywords', () => {
  const others = Array.from({ length: 12 }, (_, i) => spoken(`other-${i}`, `Ana: Nothing ${i}.`));

  it('rank a memory with more of them before one that repeats a single one', async (t) => {
    const again = 'Ben: The fridge, the fridge!\nAna: That fridge.\nBen: Our fridge.';
    const { ids } = await createSearch(t, [
      ...others,
      spoken('again', `${again}\n${again}`, { name: 'Fridge, fridge' }),
      spoken(
        'both',
        `Ana: We have a budget.\n${'Ben: So be it.\n'.repeat(20)}Ana: The receipt, then.\n${'Ben: Let us see what comes of it.\n'.repeat(30)}`,
      ),
    ]);
    assert.deepEqual([...new Set(await ids('fridge budget receipt'))], ['both', 'again']);
    assert.equal((await ids('What did they say of the fridge, budget or receipt?'))[0], 'again');
  });

  it('may be compounds with words that say nothing alone', async (t) => {
    const { ids } = await createSearch(t, [
      ...others,
      spoken('again', 'Ben: The crash.\nAna: Crash, crash!\nBen: Crash.', { name: 'Crash, crash' }),
      spoken('both', `Ana: The stand-up was late.\n${'Ben: So be it.\n'.repeat(40)}`),
    ]);
    assert.equal((await ids('crash stand-up late'))[0], 'both');
  });
});

describe('A memory whose name is the query', () => {
  const about = (at: number) => ({
    started_at: new Date(Date.UTC(2026, 0, 1) + at * HOUR).toISOString(),
  });
  const said = 'Ana: The weekly standup of the 12th: weekly standup 12, weekly standup 12.';

  it('comes first, then those whose names begin so, whatever the case and the accents', async (t) => {
    const { get, ids } = await createSearch(t, [
      spoken('later', said, about(9)),
      spoken('longer', 'Ben: No.', { ...about(5), name: 'Weekly stand-up 12 with guests' }),
      spoken('other', 'Ben: Weekly.', { ...about(8), name: 'About the weekly stand-up 12' }),
      spoken('named', 'Ben: Hm.', { ...about(1), name: 'Wéekly Stand-up 12' }),
      spoken('next', 'Ben: Hm.', { ...about(2), name: 'Weekly Stand-up 123' }),
    ]);
    const q = 'weekly STAND-UP 12';
    const all = await ids(q);
    assert.deepEqual(all.slice(0, 3), ['named', 'longer', 'next']);
    assert.ok(all.includes('later'), 'and what says these words');
    const begun = await ids('weekly stan*');
    assert.deepEqual(new Set(begun.slice(0, 3)), new Set(['named', 'longer', 'next']));
    const paged: string[] = [];
    for (let query = `q=${encodeURIComponent(q)}&limit=1`; ;) {
      const { text, headers } = await get(query);
      paged.push(...found(JSON.parse(text) as SearchResult));
      const next = /<[^?]+\?([^>]+)>; rel="next"/.exec(String(headers['link']))?.[1];
      if (next === undefined) break;
      query = next;
    }
    assert.deepEqual(paged, all);
  });

  it('comes first without its article, with words that are misspelt, and as far as it is typed', async (t) => {
    const talks = Array.from({ length: 12 }, (_, at) =>
      spoken(`m${at}`, said.replaceAll('weekly standup', 'wedding dress'), about(at + 10)),
    );
    const { ids } = await createSearch(t, [
      ...talks,
      spoken('one', 'Ben: Hm.', { ...about(1), name: 'The wedding dress' }),
      spoken('two', 'Ben: Hm.', { ...about(2), name: 'A wedding dress' }),
      spoken('more', 'Ben: Hm.', { ...about(3), name: 'Wedding dresses' }),
      spoken('other', 'Ben: Hm.', { ...about(4), name: 'About the wedding dress' }),
    ]);
    const named = ['two', 'one'];
    assert.deepEqual((await ids('the wedding dress')).slice(0, 2), ['one', 'two']);
    for (const q of ['wedding dress', 'weding dress', 'Weding drese'])
      assert.deepEqual((await ids(q)).slice(0, 2), named, q);
    for (const q of ['wedding dre*', 'weding dres*', 'the weddin*'])
      assert.deepEqual(new Set((await ids(q)).slice(0, 3)), new Set(['more', ...named]), q);
  });

  it('is found among more memories with all its words than are ranked together', async (t) => {
    const many = Array.from({ length: 150 }, (_, at) =>
      spoken(`m${at}`, 'Ana: The weekly standup 12, of 12.\nBen: Yes.', {
        ...about(at + 10),
        name: `Weekly standup ${at + 100}`,
        summary: { quick_summary: 'The weekly standup 12 of us.', key_takeaways: [] },
      }),
    );
    const { ids } = await createSearch(t, [
      ...many,
      spoken('named', 'Ben: Hm.', { ...about(1), name: 'Weekly standup 12' }),
      spoken('short', 'Ben: Hm.', { ...about(2), name: 'Standup' }),
    ]);
    assert.equal((await ids('weekly standup 12'))[0], 'named');
    assert.equal((await ids('standup'))[0], 'short');
  });
});

describe('A search through every entry point', () => {
  for (const entryPoint of entryPoints)
    it(`finds the same passages, by ${entryPoint.name}`, async (t) => {
      const world = await createWorld(t, entryPoint);
      const api = entryPoint.open(world, world.addAccount('ana', KITCHEN));
      const result = await api.search({ q: 'what did Henrik say about the fridge' });
      assert.equal(found(result)[0], 'fridge');
      const [first] = result.passages as [Passage];
      assert.deepEqual(first.lines, [1, 3]);
      assert.equal(first.text, KITCHEN[0]?.transcript);
      assert.deepEqual(marked(first), ['Henrik', 'fridge', 'Henrik']);
      assert.equal(result.memories_searched, KITCHEN.length);
      const page = await api.search.page({ q: 'milk fridge', limit: 1 });
      assert.equal(page.items.passages.length, 1);
      const next = await api.search.page({ cursor: page.next });
      assert.deepEqual(
        new Set([...found(page.items), ...found(next.items)]),
        new Set(['milk', 'fridge']),
      );
      assert.equal(next.next, undefined);
    });
});

describe('A word of a search', () => {
  it('finds other forms of itself, joined, hyphenated, and with or without an apostrophe', async (t) => {
    const { find } = await createSearch(t, KITCHEN);
    for (const [q, id] of [
      ['fridges', 'fridge'],
      ['standup', 'standup'],
      ['stand-up', 'standup'],
      ['"stand up"', 'standup'],
      ['talks', 'talk'],
      ['didnt', 'talk'],
      ["didn't", 'talk'],
      ['didn’t', 'talk'],
      ['霧笛', 'music'],
      ['録音', 'music'],
      ['先生', 'music'],
    ] as const) {
      const result = await find(q);
      assert.deepEqual(found(result), [id], q);
      assert.equal(result.memories_found, 1, q);
      assert.deepEqual(result.absent_words, [], q);
    }
  });

  it('ranks an exact match above another form, and a rare word above a common one', async (t) => {
    const { find } = await createSearch(t, [
      spoken('form', 'Ana: two fridges here'),
      spoken('exact', 'Ana: one fridge here', {
        started_at: '2020-01-01T00:00:00.000Z',
        ended_at: '2020-01-01T00:00:00.000Z',
      }),
      spoken('common-1', 'Ana: a common cake'),
      spoken('common-2', 'Ana: a common word'),
    ]);
    assert.deepEqual(found(await find('fridge')), ['exact', 'form']);
    assert.equal(found(await find('common cake'))[0], 'common-1');
  });

  it('may be any of several, but a phrase and a prefix must be in the passage', async (t) => {
    const { find } = await createSearch(t, KITCHEN);
    assert.deepEqual(found(await find('fridge milk')).toSorted(), ['fridge', 'milk']);
    assert.deepEqual(found(await find('fridge "oat milk"')), ['milk']);
    assert.deepEqual(found(await find('fridge firm*')), ['talk']);
    assert.deepEqual(found(await find('"milk oat"')), []);
    assert.deepEqual(found(await find('%')), []);
    assert.deepEqual(found(await find('crystl*')), []);
  });
});

describe('A word that may be half typed', () => {
  const BEGUN = [
    spoken('micro', 'Ana: A micro of 1983.', { started_at: '2020-01-01T00:00:00.000Z' }),
    ...Array.from({ length: 120 }, (_, i) =>
      spoken(`m${i}`, 'Ana: The microphone, this microphone, and other microphones.'),
    ),
    spoken('milk', 'Mira: Milk again.'),
  ];

  it('is found before the words that it begins, however many there are', async (t) => {
    const { find } = await createSearch(t, BEGUN);
    const { passages, memories_found } = await find('micro…');
    assert.equal(memories_found, 121);
    assert.equal(passages[0]?.memory_id, 'micro');
    assert.deepEqual(passages.slice(0, 2).map(marked), [
      ['micro'],
      ['microphone', 'microphone', 'microphones'],
    ]);
    for (const q of ['micro', 'micro...'])
      assert.equal((await find(q)).memories_found, 1, `${q}: typed to its end`);
  });

  it('is one of the alternatives, and no absent word if another begins with it', async (t) => {
    const { find } = await createSearch(t, BEGUN);
    const begun = await find('milk microph…');
    assert.equal(begun.memories_found, 121);
    assert.deepEqual([begun.absent_words, begun.searched_instead], [[], {}]);
    const absent = await find('milk zebr…');
    assert.deepEqual([found(absent), absent.absent_words], [['milk'], ['zebr']]);
    const early = await find('microph…', '&started_before=2020-02-01');
    assert.deepEqual([early.memories_found, early.absent_words], [0, []], 'it is elsewhere');
  });

  it('is found in all its forms if a letter of it is wrong, as without the slip', async (t) => {
    const { find } = await createSearch(t, [...BEGUN, spoken('two', 'Ana: Two microphones.')]);
    const [right, slip] = [await find('microphone'), await find('micropohne')];
    assert.deepEqual(slip.searched_instead, { micropohne: ['microphone'] });
    assert.deepEqual([right.memories_found, slip.memories_found], [121, 121]);
  });

  it('can be the last one of a compound', async (t) => {
    const { find } = await createSearch(t, KITCHEN);
    assert.deepEqual(found(await find('stand-u…')), ['standup']);
  });
});

describe('The lines around passages', () => {
  const scene = (i: number) =>
    spoken(
      `m${i}`,
      [
        ...Array.from({ length: 12 }, (_, line) => `Ana: Before ${line}.`),
        i === 3 ? 'Ben: The kettle, the kettle whistles.' : 'Ben: The kettle whistles.',
        ...Array.from({ length: 12 }, (_, line) => `Ana: Then ${line}.`),
      ].join('\n'),
    );

  it('follow the first ten passages, those of the best memory first, and are eight on either side', async (t) => {
    const { find } = await createSearch(
      t,
      Array.from({ length: 12 }, (_, i) => scene(i)),
    );
    const { passages } = await find('kettle', '&limit=100');
    const isHit = ({ marks }: Passage) => marks.length > 0;
    assert.ok(passages.slice(0, 10).every(isHit));
    const lines = passages
      .filter((each) => each.memory_id === 'm3' && each.source === 'transcript')
      .flatMap(({ lines: [first = 0, last = 0] }) => [first, last]);
    assert.ok(Math.min(...lines) <= 5 && Math.max(...lines) >= 21, String(lines));
    assert.ok(Math.min(...lines) > 1 && Math.max(...lines) < 25, String(lines));
    assert.equal(passages.find((each) => !isHit(each))?.memory_id, 'm3');
  });

  it('are in no response if all passages with a word fit into ten', async (t) => {
    const { find } = await createSearch(t, [scene(1), scene(2)]);
    const { passages } = await find('kettle', '&limit=100');
    assert.ok(passages.every(({ marks }) => marks.length > 0));
  });

  it('are not for phrases and excluded words, which say what each passage has', async (t) => {
    const { find } = await createSearch(
      t,
      Array.from({ length: 20 }, (_, i) => scene(i)),
    );
    for (const q of ['"kettle whistles"', 'kettle -teapot', 'kettle speaker:Ben']) {
      const { passages } = await find(q, '&limit=100');
      assert.ok(passages.length >= 20 && passages.every(({ marks }) => marks.length > 0), q);
    }
  });
});

describe('The hints of a search', () => {
  it('name the words of no memory, and the nearest words of the account', async (t) => {
    const { find } = await createSearch(t, KITCHEN);
    const result = await find('firmwear milk');
    assert.deepEqual(found(result), ['milk', 'talk']); // firmware is searched instead
    assert.deepEqual(result.absent_words, ['firmwear']);
    assert.deepEqual(result.nearest_words, { firmwear: ['firmware'] });
    assert.deepEqual((await find('landlrod', '&memory_id=milk')).nearest_words, {
      landlrod: ['landlord'],
    });
    assert.deepEqual((await find('landlord', '&memory_id=milk')).absent_words, []);
  });

  it('begin with the words that begin alike for longest', async (t) => {
    const { find } = await createSearch(t, [spoken('talk', 'console cooler controller')]);
    const { nearest_words } = await find('contoler');
    assert.deepEqual(nearest_words, { contoler: ['controller', 'console', 'cooler'] });
  });

  it('come from all the words of a week with very many', async (t) => {
    const words = Array.from({ length: 5000 }, (_, i) => `w${String(i).padStart(4, '0')}q`);
    const { find } = await createSearch(t, [spoken('long', `zebra ${words.join(' ')} apricot`)]);
    const { nearest_words } = await find('zebrra w49999q apricott w2000qq');
    assert.deepEqual(nearest_words['zebrra'], ['zebra']);
    assert.deepEqual(nearest_words['apricott'], ['apricot']);
    // The words at the end of a read and at the beginning of the next.
    assert.ok(nearest_words['w49999q']?.includes('w4999q'));
    assert.ok(nearest_words['w2000qq']?.includes('w2000q'));
  });

  it('are the same, however long it takes to read words', async (t) => {
    // 10,000 words are compared, and then only those with the same first letter.
    const words = Array.from({ length: 10_400 }, (_, i) => `w${String(i).padStart(5, '0')}q`);
    const { find } = await createSearch(t, [
      spoken('long', [...words.slice(0, 5000), 'kettle'].join(' ')),
      spoken('longer', [...words.slice(5000), 'zebra'].join(' ')),
    ]);
    const hints: SearchResult['nearest_words'][] = [];
    for (const readMs of [0, 1, 10]) {
      let now = 0;
      t.mock.method(performance, 'now', () => (now += readMs));
      hints.push((await find('xettle xebra')).nearest_words);
      t.mock.restoreAll();
    }
    const [first] = hints;
    assert.deepEqual(first?.['xettle'], ['kettle']);
    assert.deepEqual(hints, [first, first, first]);
  });

  it('never come from another account', async (t) => {
    const { world, find } = await createSearch(t, KITCHEN);
    world.addAccount('ben', [spoken('secret', 'Ben: The submarine sails.')]);
    const result = await find('submarine submarin');
    assert.deepEqual(result.absent_words, ['submarine', 'submarin']);
    assert.deepEqual(result.nearest_words, {});
    assert.equal(result.memories_searched, KITCHEN.length);
  });
});

describe('The filters of a search', () => {
  const at = (id: string, ms: number, rest: Partial<Memory> = {}) => {
    const time = new Date(ms).toISOString();
    return spoken(id, 'Ana: cake', { started_at: time, ended_at: time, ...rest });
  };

  it('choose memories by time, state and id', async (t) => {
    const day = Date.UTC(2026, 10, 18);
    const { find, get } = await createSearch(t, [
      at('early', day - HOUR),
      at('first', day),
      at('busy', day + HOUR, { is_processing: true }),
      at('last', day + 23 * HOUR),
      at('late', day + 24 * HOUR),
    ]);
    const within = '&started_after=2026-11-18&started_before=2026-11-19';
    const result = await find('cake', within);
    assert.deepEqual(found(result), ['last', 'busy', 'first']);
    assert.equal(result.memories_searched, 3);
    assert.deepEqual(found(await find('cake', `${within}&is_processing=true`)), ['busy']);
    assert.deepEqual(
      found(await find('cake', `${within}&timezone=Europe/Berlin`)),
      ['busy', 'first', 'early'].toSorted(
        (a, b) =>
          ['last', 'busy', 'first', 'early'].indexOf(a) -
          ['last', 'busy', 'first', 'early'].indexOf(b),
      ),
    );
    assert.deepEqual(found(await find('cake', '&memory_id=late')), ['late']);
    const excluded = await find('cake', `&memory_id=late${within}`);
    assert.deepEqual([excluded.memories_searched, found(excluded)], [0, []]);
    assertFailure(await get('q=cake&memory_id=absent'), 404);
  });

  it('show all of one memory: the best passage, the lines around it, then the others in order, page by page', async (t) => {
    const lines = Array.from(
      { length: 90 },
      (_, i) => `Ana: Line ${i + 1} is of ${'x'.repeat(60)}.`,
    );
    lines[49] = 'Ben: The kettle whistles.';
    const { world, key, find } = await createSearch(t, [spoken('long', lines.join('\n'))]);
    const pages: Passage[] = [];
    let path = '/v1/search?q=kettle&memory_id=long&limit=2';
    for (let next: string | undefined = path; next !== undefined;) {
      const { text, headers } = await send(world.port, { path, key });
      pages.push(...(JSON.parse(text) as SearchResult).passages);
      next = /<([^>]+)>; rel="next"/.exec(String(headers['link']))?.[1];
      path = next ?? path;
    }
    const [best, ...others] = pages as [Passage, ...Passage[]];
    assert.deepEqual(marked(best), ['kettle']);
    const [first = 0, last = 0] = best.lines;
    assert.ok(first <= 50 && last >= 50, String(best.lines));
    // Every other line once, in order, without marks.
    const isAround = (line: number) => line >= first - 8 && line <= last + 8;
    const isOther = (line: number) => line < first || line > last;
    const order = [
      ...lines.filter((_, i) => isOther(i + 1) && isAround(i + 1)),
      ...lines.filter((_, i) => !isAround(i + 1)),
    ];
    assert.equal(others.map(({ text }) => text).join('\n'), order.join('\n'));
    assert.ok(others.every(({ text, marks }) => text.length <= 1500 && marks.length === 0));
    const absent = await find('teapot', '&memory_id=long');
    assert.deepEqual([absent.memories_found, absent.absent_words], [0, ['teapot']]);
    assert.equal(absent.passages[0]?.text.split('\n')[0], lines[0]);
    // A phrase must occur in each passage.
    assert.deepEqual(found(await find('"the teapot"', '&memory_id=long')), []);
  });

  it('show all of one memory if the budget has room, without a limit', async (t) => {
    const lines = Array.from({ length: 60 }, (_, i) => `Ana: Line ${i + 1} ${'x'.repeat(600)}.`);
    const { find } = await createSearch(t, [spoken('long', lines.join('\n'))]);
    const { passages } = await find('kettle', '&memory_id=long&max_tokens=20000');
    assert.equal(passages.map(({ text }) => text).join('\n'), lines.join('\n'));
    assert.equal((await find('kettle', '&memory_id=long')).passages.length, 10);
  });

  it('are carried by the cursor, which only limit and max_tokens may accompany', async (t) => {
    const many = Array.from({ length: 130 }, (_, i) =>
      at(`m${i}`, Date.UTC(2026, 0, 1) + i * HOUR),
    );
    const { get } = await createSearch(t, many);
    const seen: string[] = [];
    let query = 'q=cake&limit=50&started_after=2026-01-01T05:00:00Z';
    for (let pages = 0; query !== ''; pages++) {
      assert.ok(pages < 5);
      const { text, headers } = await get(query);
      seen.push(...found(JSON.parse(text) as SearchResult));
      query = /<\/v1\/search\?([^>]+)>; rel="next"/.exec(headers['link'] ?? '')?.[1] ?? '';
    }
    const expected = many
      .slice(5)
      .map(({ id }) => id)
      .toReversed();
    assert.deepEqual(seen, expected, 'equal passages are newest first, each once');
    const { headers } = await get('q=cake&limit=1');
    const next = /\?([^>]+)>; rel="next"/.exec(headers['link'] ?? '')?.[1] ?? '';
    assert.equal((await get(`${next}&limit=2&max_tokens=500`)).status, 200);
    assertFailure(await get(`${next}&q=cake`), 422);
  });

  it('are refused with a sentence if they are wrong', async (t) => {
    const { get } = await createSearch(t, KITCHEN);
    for (const query of ['', 'q=', 'q=%20', 'q=a&limit=0', 'q=a&limit=101', 'q=a&max_tokens=99'])
      assertFailure(await get(query), 422);
    const { text } = await get('query=a');
    assert.match(text, /Unknown parameter \\"query\\". Did you mean \\"q\\"\?/);
  });
});

describe('A passage', () => {
  it('has exactly the lines that it names, and never overlaps another', async (t) => {
    const lines = Array.from(
      { length: 400 },
      (_, i) => `Ana: line ${i} ${i % 7 === 0 ? 'cake' : 'tea'}`,
    );
    const { find } = await createSearch(t, [spoken('long', lines.join('\n'))]);
    const { passages } = await find('cake', '&limit=100');
    assert.ok(passages.length > 1);
    const seen = new Set<number>();
    for (const {
      lines: [first = 0, last = 0],
      text,
      marks,
    } of passages) {
      assert.equal(text, lines.slice(first - 1, last).join('\n'));
      assert.ok(text.length <= 1500);
      for (const [start = 0, end = 0] of marks) assert.equal(text.slice(start, end), 'cake');
      for (let line = first; line <= last; line++) {
        assert.ok(!seen.has(line));
        seen.add(line);
      }
    }
  });

  it('of a very long line is cut at white space', async (t) => {
    const line = `${'tea '.repeat(2000)}cake ${'tea '.repeat(2000)}`;
    const { find } = await createSearch(t, [spoken('line', line)]);
    const { passages } = await find('cake');
    const [{ text, lines, marks }] = passages as [Passage];
    assert.deepEqual(lines, [1, 1]);
    assert.ok(text.length <= 1500 && line.includes(text));
    assert.deepEqual(
      marks.map(([a, b]) => text.slice(a, b)),
      ['cake'],
    );
  });

  it('may be from the summary or the name, without lines', async (t) => {
    const { find } = await createSearch(t, [
      memory({
        id: 'one',
        name: 'alder',
        summary: { quick_summary: 'birch', key_takeaways: ['cedar'] },
        transcript: 'elm',
      }),
    ]);
    for (const [q, source] of [
      ['alder', 'name'],
      ['birch', 'summary'],
      ['cedar', 'summary'],
      ['elm', 'transcript'],
    ] as const) {
      const { passages } = await find(q);
      const [passage] = passages as [Passage];
      assert.deepEqual([passage.source, passage.text, passage.marks], [source, q, [[0, q.length]]]);
      assert.deepEqual(passage.lines, source === 'transcript' ? [1, 1] : []);
    }
  });

  it('fits the budget with the whole response', async (t) => {
    const lines = Array.from({ length: 200 }, (_, i) => `Ana: ${'cake '.repeat(20)}${i}`);
    const { get } = await createSearch(t, [spoken('long', lines.join('\n'))]);
    for (const max_tokens of [100, 200, 500, 2000]) {
      const { text } = await get(`q=cake&limit=100&max_tokens=${max_tokens}`);
      assert.ok(Buffer.byteLength(text) <= max_tokens * 4, `${max_tokens}: ${text.length}`);
      assert.ok((JSON.parse(text) as SearchResult).passages.length > 0);
    }
  });
});

// Search: which memories `q` finds, in any script, after every kind of write.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import type { Memory } from '../../src/contract/schemas/memory.ts';
import { ids, walk } from '../support/wire/lists.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { createWorld, memory, type World } from '../support/world/world.ts';

const WEEK = 7 * 24 * 3_600_000;

/** Returns the path of a search, with `rest` appended. */
function searchPath(q: string, rest = ''): string {
  return `/v1/memories?q=${encodeURIComponent(q)}${rest}`;
}

async function find(world: Pick<World, 'port'>, key: string, q: string, rest = '') {
  return ids(await send(world.port, { path: searchPath(q, rest), key }));
}

/** A world with one account, and a function that searches it. */
async function createSearch(t: TestContext, list: readonly Memory[]) {
  const world = await createWorld(t);
  const key = world.addAccount('ana', list);
  return { world, key, finds: (q: string, rest?: string) => find(world, key, q, rest) };
}

const titled = (id: string, name: string, rest: Partial<Memory> = {}) =>
  memory({ summary: { quick_summary: '', key_takeaways: [] }, transcript: '', ...rest, id, name });

describe('A word', () => {
  it('is found in the name, the summary, each takeaway and the transcript only', async (t) => {
    const { finds } = await createSearch(t, [
      memory({
        id: 'one',
        name: 'alder',
        summary: { quick_summary: 'birch', key_takeaways: ['cedar', '', 'douglas fir'] },
        transcript: 'Mira: elm.\nTomas: ficus.',
      }),
    ]);
    for (const q of ['alder', 'birch', 'cedar', 'douglas', 'fir', 'mira', 'elm', 'tomas', 'ficus'])
      assert.deepEqual(await finds(q), ['one'], q);
    // The id, the times, the account and the field names are not searched.
    for (const q of ['one', '2026', 'ana', 'name', 'transcript', 'false', 'ginkgo'])
      assert.deepEqual(await finds(q), [], q);
  });

  it('must be in a memory together with all others, in any of its texts', async (t) => {
    const { finds } = await createSearch(t, [
      memory({
        id: 'all',
        name: 'alder',
        summary: { quick_summary: 'birch', key_takeaways: ['cedar', 'fir'] },
        transcript: 'elm',
      }),
      titled('some', 'alder birch cedar'),
    ]);
    assert.deepEqual(await finds('elm fir cedar birch alder'), ['all']);
    assert.deepEqual(await finds('birch alder'), ['some', 'all']);
    assert.deepEqual(await finds('alder elm oak'), []);
  });

  it('matches whole, and without stemming', async (t) => {
    const { finds } = await createSearch(t, [titled('one', 'walking houses 2026-11-21')]);
    for (const q of ['walk', 'house', 'alking', 'walkings', '26', '202'])
      assert.deepEqual(await finds(q), [], q);
    for (const q of ['walking', 'houses', '2026', '11', '2026-11-21', '"11 21"'])
      assert.deepEqual(await finds(q), ['one'], q);
  });

  it('is found regardless of case, accents and width', async (t) => {
    const { finds } = await createSearch(t, [
      titled('coffee', 'Café ＴＯＫＹＯ Straße'),
      titled('plain', 'cafe tokyo strasse'),
    ]);
    for (const q of [
      'CAFÉ',
      'cafe',
      'cafe\u0301',
      'ｃａｆｅ',
      'Tokyo',
      'ＴＯＫＹＯ',
      'STRASSE',
      'straße',
    ])
      assert.deepEqual(await finds(q), ['plain', 'coffee'], q);
  });
});

describe('A phrase', () => {
  it('is found within one text, not across two', async (t) => {
    const { finds } = await createSearch(t, [
      memory({
        id: 'one',
        name: 'alder birch',
        summary: { quick_summary: 'cedar douglas', key_takeaways: ['elm ficus', 'ginkgo hazel'] },
        transcript: 'ivy, juniper! – "Kauri"',
      }),
    ]);
    const within = [
      'alder birch',
      'cedar douglas',
      'elm ficus',
      'ginkgo hazel',
      'ivy juniper kauri',
    ];
    for (const q of within) assert.deepEqual(await finds(`"${q}"`), ['one'], q);
    const across = ['birch cedar', 'douglas elm', 'ficus ginkgo', 'hazel ivy', 'birch alder'];
    for (const q of across) {
      assert.deepEqual(await finds(`"${q}"`), [], q);
      assert.deepEqual(await finds(q.replaceAll(' ', '-')), [], `${q}, as one piece`);
      assert.deepEqual(await finds(q), ['one'], `${q}, as words`);
    }
    assert.deepEqual(await finds('"alder birch" "ivy juniper" elm'), ['one']);
    assert.deepEqual(await finds('"alder birch" "juniper ivy"'), []);
  });

  it('does not cross an empty text, nor an empty takeaway', async (t) => {
    const { finds } = await createSearch(t, [
      titled('one', 'alder', { transcript: 'birch' }),
      titled('two', 'x', { summary: { quick_summary: 'alder', key_takeaways: ['', 'birch', ''] } }),
    ]);
    assert.deepEqual(await finds('"alder birch"'), []);
    assert.deepEqual(await finds('alder birch'), ['two', 'one']);
  });
});

describe('A prefix', () => {
  it('finds words that begin with it, in every text, alone and with other words', async (t) => {
    const { finds } = await createSearch(t, [
      titled('one', 'walking home'),
      titled('two', 'x', { transcript: 'WALKER, Texas' }),
      titled('three', 'sleepwalk'),
    ]);
    assert.deepEqual(await finds('walk*'), ['two', 'one']);
    assert.deepEqual(await finds('WÁLK*'), ['two', 'one']);
    assert.deepEqual(await finds('walking*'), ['one'], 'a word is a prefix of itself');
    assert.deepEqual(await finds('walk* home'), ['one']);
    assert.deepEqual(await finds('w* t*'), ['two']);
    assert.deepEqual(await finds('walks*'), []);
    assert.deepEqual(await finds('*walk'), [], 'only at the end');
    assert.deepEqual(await finds('"walk*"'), [], 'not in quotes');
  });
});

describe('In any script', () => {
  // Texts, the queries that find them, and the queries that must not.
  const scripts: Record<string, readonly [string, readonly string[], readonly string[]]> = {
    Japanese: [
      '東京タワーで花見をしました。ﾊﾟｰﾃｨｰは楽しかった',
      ['東京', '京タ', 'タワー', '花見', '"花見を"', '東京*', 'パーティー', '花 東', '花見 東京'],
      ['京東', '大阪', 'タワ花', '"花見 東京"', 'ハーティー', 'はなみ'],
    ],
    Chinese: [
      '今天我们讨论了北京的项目预算',
      ['北京', '讨论', '项目预算', '今天', '预*', '预算 北京', '"北京的项目"'],
      ['京北', '上海', '"北京项目"', '項目'],
    ],
    Thai: [
      'ประชุมเรื่องน้ำท่วมที่กรุงเทพ',
      ['ประชุม', 'น้ำ', 'น้ำท่วม', 'กรุงเทพ', 'กรุง*', 'กรุงเทพ ประชุม'],
      ['นำ', 'เชียงใหม่', 'เทพกรุง'],
    ],
    Arabic: [
      'تحدّثنا مع أحمد عن القهوة',
      ['أحمد', 'احمد', 'تحدثنا', 'القهوة', 'القهـــوة', 'أحم*', 'عن مع', '"أحمد عن"'],
      ['محمد', 'قهوة', '"عن أحمد"'],
    ],
    Hebrew: [
      'שָׁלוֹם לכולם, פגישה ביום שני',
      ['שלום', 'שָׁלוֹם', 'פגישה', 'פגי*', '"ביום שני"'],
      ['שלומי', '"שני ביום"', 'ערב'],
    ],
    Hindi: [
      'कल हिन्दी में बातचीत हुई',
      ['हिन्दी', 'बातचीत', 'कल', 'हिन्*', '"कल हिन्दी"'],
      ['हिन्द', 'काल', 'बात', '"हिन्दी कल"'],
    ],
    Korean: [
      '한국어 회의록을 읽었다',
      ['한국어', '회의록을', '회의록*', '한국*', '한국어'.normalize('NFD'), '"한국어 회의록을"'],
      ['한국', '회의록', '국어', '"회의록을 한국어"'],
    ],
    Greek: [
      'Η ΑΘΉΝΑ και ο Όμηρος',
      ['αθήνα', 'αθηνα', 'ΟΜΗΡΟΣ', 'όμηροσ', 'ομηρ*', '"και ο"'],
      ['αθην', 'σπάρτη', '"ο και"'],
    ],
    Cyrillic: [
      'Ёлка и Йод, п’ять',
      ['елка', 'ЁЛКА', 'йод', 'иод', "п'ять", 'ёл*'],
      ['елки', 'elka', 'пять'],
    ],
    emoji: [
      'Tonight 🎉🎂 with 👨‍👩‍👧 👍🏽 🇩🇪',
      ['🎉', '🎂', '🎉🎂', '👍', '👍🏿', '👨‍👩‍👧', '🇩🇪', 'tonight 🎂'],
      ['🎂🎉', '👎', '🇫🇷', '🍰'],
    ],
    'several at once': [
      'Meeting 会議 с Анной 2026年',
      ['会議', 'анной', 'meeting 会', '2026', '年', '2026年', '"meeting 会議"', '２０２６'],
      ['会社', 'анна', '年2026'],
    ],
  };

  it('a query finds the memories that match, and no others', async (t) => {
    const texts = Object.entries(scripts).map(([script, [text]]) => [script, text] as const);
    const { finds } = await createSearch(
      t,
      texts.flatMap(([script, text], i) => [
        titled(`name-${i}`, text),
        titled(`transcript-${i}`, script, { transcript: `Hm. ${text}` }),
      ]),
    );
    for (const [i, [script, [, found, missed]]] of Object.entries(scripts).entries()) {
      for (const q of found)
        assert.deepEqual(await finds(q), [`transcript-${i}`, `name-${i}`], `${script}: ${q}`);
      for (const q of missed) assert.deepEqual(await finds(q), [], `${script}: not ${q}`);
    }
  });
});

describe('A query', () => {
  it('has at most 1,024 characters, whatever their size', async (t) => {
    const { world, key, finds } = await createSearch(t, [titled('one', 'a 🎉 東')]);
    const refused = async (q: string) =>
      assertFailure(await send(world.port, { path: searchPath(q), key }), 422);
    assert.deepEqual(await finds(`a${' '.repeat(1023)}`), ['one']);
    assert.match(await refused(`a${' '.repeat(1024)}`), /"q" takes 1 to 1024 characters/);
    assert.deepEqual(await finds(`${'b'.repeat(1023)}*`), []);
    assert.match(await refused('b'.repeat(1025)), /"q"/);
    const parties = (count: number) => `${'🎉 '.repeat(count)}a`;
    assert.deepEqual(await finds(parties(511)), ['one'], '1,023 characters of 1,534 code units');
    // Percent-encoded, an emoji has 12 characters. A request target may have them all.
    assert.deepEqual(await finds('🎉'.repeat(1024)), []);
    assert.match(await refused('🎉'.repeat(1025)), /"q"/);
    // A call within the process has no request target.
    const { list } = world.gateway.as('ana').memories;
    const found = async (q: string) => (await list({ q })).map(({ id }) => id);
    assert.deepEqual(await found(parties(511)), ['one']);
    assert.deepEqual(await found('東'.repeat(1024)), []);
    await assert.rejects(found('東'.repeat(1025)), { status: 422 });
    assert.deepEqual(await found('🎉'.repeat(1024)), []);
    await assert.rejects(found('🎉'.repeat(1025)), { status: 422 });
  });

  it('that is blank is 422, and a query without a word finds nothing', async (t) => {
    const { world, key, finds } = await createSearch(t, [titled('one', 'a - b')]);
    for (const q of ['', '+', '%20', '%09%0A', '%E3%80%80', '+%20+']) {
      const answer = await send(world.port, { path: `/v1/memories?q=${q}`, key });
      assert.match(assertFailure(answer, 422, q), /"q" takes/, q);
    }
    for (const q of ['-', '*', '"', '""', '" "', '"*"', '!?', '()', '_', '\u0301', '\u200B', '©'])
      for (const rest of ['', '&limit=1', '&order=asc', '&is_processing=false'])
        assert.deepEqual(await finds(q, rest), [], `${q} ${rest}`);
    assert.deepEqual(await finds('- a "" *'), ['one'], 'they do not change the search for a word');
  });

  it('has no other syntax: operators are words', async (t) => {
    const { finds } = await createSearch(t, [
      titled('plain', 'alder birch'),
      titled('talk', 'alder AND birch OR NOT near 10 name column words search rowid rank'),
    ]);
    const cases: Record<string, readonly string[]> = {
      'alder AND birch': ['talk'],
      'alder OR cedar': [],
      'alder OR birch': ['talk'],
      'alder NOT birch': ['talk'],
      'NOT alder': ['talk'],
      'NEAR(alder birch)': [],
      'NEAR(alder birch, 10)': [],
      'name:alder': [],
      'name : alder': ['talk'],
      'words:alder': [],
      '{words} : alder': ['talk'],
      '- words : alder': ['talk'],
      '^alder': ['talk', 'plain'],
      '-alder': ['talk', 'plain'],
      '+alder +birch': ['talk', 'plain'],
      'alder + birch': ['talk', 'plain'],
      '(alder)': ['talk', 'plain'],
      '((((alder': ['talk', 'plain'],
      'alder)': ['talk', 'plain'],
      'alder"': ['talk', 'plain'],
      '"alder': ['talk', 'plain'],
      '"alder""birch"': ['talk', 'plain'],
      '""alder': ['talk', 'plain'],
      'alder**': ['talk', 'plain'],
      'ald%': [],
      ald_r: [],
      'ald?r': [],
      '/ald.r/': [],
      '1_alder': [],
      '1_': [],
      "alder' OR '1'='1": [],
      "alder'; DROP TABLE memories; --": [],
      'alder" OR 1=1 --': [],
      'alder") UNION SELECT body FROM memories --': [],
      'rank MATCH alder': [],
      ':alder @birch $search ?1': [],
      'alder\\': ['talk', 'plain'],
      '\\"alder\\"': ['talk', 'plain'],
      'alder%00': [],
      '%': [],
      '<script>alder</script>': [],
    };
    for (const [q, expected] of Object.entries(cases))
      assert.deepEqual(await finds(q), expected, q);
  });

  it('of any bytes gets 200 or 422', async (t) => {
    const { world, key } = await createSearch(t, [titled('one', 'alder birch')]);
    const pieces = [
      '"',
      '*',
      '(',
      ')',
      'a',
      ' ',
      ':',
      '^',
      '-',
      '+',
      '{',
      '}',
      ',',
      "'",
      'NEAR',
      'AND',
      '\\',
      ';',
      '\u0001',
      '\u{10FFFF}',
      '\uFFFE',
    ];
    for (let i = 0; i < 400; i++) {
      const q = Array.from(
        { length: 1 + (i % 7) },
        (_, j) => pieces[(i * 31 + j * j * 17 + j * i) % pieces.length],
      ).join('');
      const answer = await send(world.port, { path: searchPath(q), key });
      assert.equal(answer.status, q.trim() === '' ? 422 : 200, `${q}: ${answer.text}`);
    }
  });
});

describe('A search result', () => {
  it('follows every write: new words are found, old words are not', async (t) => {
    const { world, finds } = await createSearch(t, [
      titled('one', 'alder'),
      titled('two', 'alder'),
    ]);
    const { memories } = world.writer;
    memories.put('ana', titled('one', 'birch', { transcript: 'cedar' }));
    assert.deepEqual(await finds('alder'), ['two']);
    assert.deepEqual(await finds('birch cedar'), ['one']);
    memories.put(
      'ana',
      titled('one', 'birch', {
        started_at: '2020-01-01T00:00:00.000Z',
        ended_at: '2020-01-01T00:00:00.000Z',
      }),
    );
    assert.deepEqual(await finds('cedar'), []);
    assert.deepEqual(await finds('birch'), ['one'], 'in another week');
    memories.put(
      'ana',
      titled('one', 'birch', {
        started_at: '2020-01-01T00:00:00.000Z',
        ended_at: '2020-01-01T00:00:00.000Z',
      }),
    );
    assert.deepEqual(await finds('birch'), ['one'], 'written unchanged');
    memories.delete('ana', 'one');
    assert.deepEqual(await finds('birch'), []);
    memories.delete('ana', 'two');
    assert.deepEqual(await finds('alder'), []);
    memories.put('ana', titled('one', 'alder'));
    assert.deepEqual(await finds('alder'), ['one']);
    assert.deepEqual(await finds('birch'), []);
  });

  it('is unchanged after a write was rolled back', async (t) => {
    const { world, finds } = await createSearch(t, [
      titled('one', 'alder'),
      titled('two', 'birch'),
    ]);
    const undone = () =>
      world.writer.transaction(() => {
        world.writer.memories.put('ana', titled('one', 'cedar'));
        world.writer.memories.delete('ana', 'two');
        world.writer.memories.put(
          'ana',
          titled('three', 'fir', { started_at: '2019-01-01T00:00:00.000Z' }),
        );
        throw new Error('rolled back');
      });
    assert.throws(undone, /rolled back/);
    const as = async () => [
      await finds('alder'),
      await finds('birch'),
      await finds('cedar'),
      await finds('fir'),
    ];
    assert.deepEqual(await as(), [['one'], ['two'], [], []]);
    assert.throws(undone, /rolled back/);
    world.writer.transaction(() => {
      world.writer.memories.put('ana', titled('one', 'cedar'));
      world.writer.memories.put('ana', titled('one', 'fir'));
      world.writer.memories.delete('ana', 'two');
    });
    assert.deepEqual(await as(), [[], [], [], ['one']]);
  });

  it("has memories of the key's account only, and reveals nothing of others", async (t) => {
    const world = await createWorld(t);
    const own = [titled('mine', 'alder'), titled('shared', 'alder birch')];
    const ana = world.addAccount('ana', own);
    const bo = world.addAccount('bo', [titled('shared', 'cedar')]);
    const asked = [
      'alder',
      'al*',
      'cedar',
      'c*',
      '"alder birch"',
      'alder cedar',
      '1_alder',
      '2_cedar',
    ];
    const paths = asked.flatMap((q) =>
      ['', '&limit=1', '&limit=2', '&order=asc', '&fields=id'].map((rest) => searchPath(q, rest)),
    );
    const read = async (key: string) => {
      const answers = [];
      for (const path of paths) {
        const { status, text, headers } = await send(world.port, { path, key });
        answers.push([
          path,
          status,
          text,
          headers['link'],
          headers['content-length'],
          headers['etag'],
        ]);
      }
      return answers;
    };
    const before = await read(ana);
    // The other account grows in the same weeks and in others, with the same words.
    const others = Array.from({ length: 300 }, (_, i) =>
      titled(`b${i}`, 'alder birch cedar', {
        started_at: new Date(Date.UTC(2026, 10, 16) + (i % 9) * WEEK).toISOString(),
        ended_at: '2027-12-31T00:00:00.000Z',
      }),
    );
    world.writer.memories.putAll('bo', others);
    assert.deepEqual(await read(ana), before);
    assert.deepEqual(await find(world, ana, 'cedar'), []);
    assert.equal((await find(world, bo, 'alder')).length, 300);
    assert.equal((await find(world, bo, 'cedar')).length, 301);
    assert.deepEqual(await find(world, ana, 'alder', '&limit=5'), ['shared', 'mine']);
  });
});

describe('Filters, order and paging hold with a search', () => {
  /** Spreads of start times. */
  const spreads: Record<string, (i: number) => number> = {
    'over years': (i) => Date.UTC(2019, 0, 1) + i * 11 * 24 * 3_600_000,
    'in one week': (i) => Date.UTC(2026, 10, 16) + i * 60_000,
    'at one instant': () => Date.UTC(2026, 10, 16),
    'at the first instants of weeks': (i) => (2900 + Math.floor(i / 3)) * WEEK,
    'at the last instants of weeks': (i) => (2900 + Math.floor(i / 3)) * WEEK - 1,
    'around 1970 and before': (i) => (i - 60) * 3.5 * 24 * 3_600_000,
    'from the first year to the last': (i) =>
      Date.parse('0001-01-01T00:00:00.000Z') + i * 120 * 365.2425 * 24 * 3_600_000,
  };

  for (const [spread, at] of Object.entries(spreads))
    it(spread, async (t) => {
      const world = await createWorld(t);
      const list = Array.from({ length: 84 }, (_, i) => {
        const started_at = new Date(at(i)).toISOString();
        const is_processing = i % 4 === 0;
        return titled(`m${(i * 37) % 84}`, i % 3 === 0 ? 'birch' : 'alder birch', {
          started_at,
          ended_at: started_at,
          is_processing,
        });
      });
      world.writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
      world.writer.memories.putAll('ana', list);
      const { key } = world.addKey('ana');
      // Ids are ASCII, so comparing code units is enough.
      const isLess = (a: Memory, b: Memory) =>
        Date.parse(a.started_at) - Date.parse(b.started_at) || (a.id < b.id ? -1 : 1);
      const [from, to] = [list[12]!.started_at, list[66]!.started_at];
      const cases: [string, (each: Memory) => boolean][] = [
        ['', () => true],
        ['&is_processing=true', (each) => each.is_processing],
        ['&is_processing=false', (each) => !each.is_processing],
        [`&started_after=${from}`, (each) => each.started_at >= from],
        [`&started_before=${to}`, (each) => each.started_at < to],
        [
          `&started_after=${from}&started_before=${to}&is_processing=false`,
          (each) => each.started_at >= from && each.started_at < to && !each.is_processing,
        ],
      ];
      for (const [rest, isWanted] of cases)
        for (const order of ['asc', 'desc']) {
          const right = list
            .filter((each) => each.name.includes('alder') && isWanted(each))
            .toSorted(isLess)
            .map(({ id }) => id);
          const expected = order === 'asc' ? right : right.toReversed();
          const what = `${rest} ${order}`;
          assert.deepEqual(
            await find(world, key, 'alder', `${rest}&order=${order}`),
            expected,
            what,
          );
          for (const limit of rest === '' ? [1, 7, 1000] : [7]) {
            const pages = await walk(
              { ...world, key },
              searchPath('ald* birch', `${rest}&order=${order}&limit=${limit}`),
            );
            assert.deepEqual(pages.flatMap(ids), expected, `${what} by ${limit}`);
            assert.equal(
              pages.length,
              Math.max(1, Math.ceil(expected.length / limit)),
              `${what} by ${limit}: full pages`,
            );
          }
        }
    });
});

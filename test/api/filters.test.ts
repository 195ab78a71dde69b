// Filters: which memories a list has, on every page of it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Memory } from '../../src/contract/schemas/memory.ts';
import { ids, items, linksOf, walk } from '../support/wire/lists.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { createWorld, memories, memory, type World } from '../support/world/world.ts';

const HOUR = 3_600_000;

function at(id: string, ms: number, rest: Partial<Memory> = {}): Memory {
  const time = new Date(ms).toISOString();
  return memory({ id, started_at: time, ended_at: time, ...rest });
}

type Edge = readonly [query: string, timezone: string, edge: number];

/** A text, and the millisecond that it means. */
const INSTANTS: readonly Edge[] = [
  ['2026-11-21T09:30:00Z', '', Date.UTC(2026, 10, 21, 9, 30)],
  ['2026-11-21t09:30:00z', '', Date.UTC(2026, 10, 21, 9, 30)],
  ['2026-11-21T10:30:00%2B01:00', '', Date.UTC(2026, 10, 21, 9, 30)],
  ['2026-11-21T10%3A30%3A00%2B01%3A00', '', Date.UTC(2026, 10, 21, 9, 30)],
  ['2026-11-21T06:00:00-03:30', '', Date.UTC(2026, 10, 21, 9, 30)],
  ['2026-11-21T09:30:00-00:00', '', Date.UTC(2026, 10, 21, 9, 30)],
  ['2026-11-21T23:30:00%2B14:00', '', Date.UTC(2026, 10, 21, 9, 30)],
  ['2026-11-20T21:30:00-12:00', '', Date.UTC(2026, 10, 21, 9, 30)],
  ['2026-11-21T09:30:00.5Z', '', Date.UTC(2026, 10, 21, 9, 30, 0, 500)],
  ['2026-11-21T09:30:00.050Z', '', Date.UTC(2026, 10, 21, 9, 30, 0, 50)],
  ['2026-11-21T09:30:00.123999999Z', '', Date.UTC(2026, 10, 21, 9, 30, 0, 123)],
  ['2026-11-21T09:30:59.9999%2B00:00', '', Date.UTC(2026, 10, 21, 9, 30, 59, 999)],
  // The offset in the text takes precedence over the time zone.
  ['2026-11-21T09:30:00Z', 'America/New_York', Date.UTC(2026, 10, 21, 9, 30)],
  ['2026-11-21T10:30:00%2B01:00', 'Asia/Tokyo', Date.UTC(2026, 10, 21, 9, 30)],
  ['1970-01-01T00:00:00Z', '', 0],
  ['1969-12-31T23:59:59.999Z', '', -1],
  ['1969-12-31T23:59:59.0019Z', '', -999],
  ['0001-01-01T00:00:00Z', '', Date.parse('0001-01-01T00:00:00.000Z')],
  ['9999-12-31T23:59:59.999Z', '', Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
  ['2024-02-29T12:00:00Z', '', Date.UTC(2024, 1, 29, 12)],
  // A Thursday like 1970-01-01: the weeks of the search index begin on Thursdays.
  ['2026-11-19T00:00:00Z', '', Date.UTC(2026, 10, 19)],
];

/** Dates with their time zone, and the start of each day. */
const DATES: readonly Edge[] = [
  ['2026-11-21', '', Date.UTC(2026, 10, 21)],
  ['2026-11-21', 'UTC', Date.UTC(2026, 10, 21)],
  ['2026-11-21', 'Europe/Berlin', Date.UTC(2026, 10, 20, 23)],
  ['2026-11-21', 'europe%2Fberlin', Date.UTC(2026, 10, 20, 23)],
  ['2026-11-21', 'Asia/Kolkata', Date.UTC(2026, 10, 20, 18, 30)],
  // The clocks go forward on 29 March 2026 and back on 25 October.
  ['2026-03-29', 'Europe/Berlin', Date.UTC(2026, 2, 28, 23)],
  ['2026-03-30', 'Europe/Berlin', Date.UTC(2026, 2, 29, 22)],
  ['2026-10-25', 'Europe/Berlin', Date.UTC(2026, 9, 24, 22)],
  ['2026-10-26', 'Europe/Berlin', Date.UTC(2026, 9, 25, 23)],
  // On 8 March and on 1 November.
  ['2026-03-08', 'America/New_York', Date.UTC(2026, 2, 8, 5)],
  ['2026-03-09', 'America/New_York', Date.UTC(2026, 2, 9, 4)],
  ['2026-11-01', 'America/New_York', Date.UTC(2026, 10, 1, 4)],
  ['2026-11-02', 'America/New_York', Date.UTC(2026, 10, 2, 5)],
  // At midnight, so that it does not exist: 00:00-03 is 01:00-02.
  ['2018-11-04', 'America/Sao_Paulo', Date.UTC(2018, 10, 4, 3)],
  ['2018-11-05', 'America/Sao_Paulo', Date.UTC(2018, 10, 5, 2)],
  // At midnight, back to 23:00: the hour before it comes twice.
  ['2018-02-18', 'America/Sao_Paulo', Date.UTC(2018, 1, 18, 3)],
  // The clocks change by half an hour.
  ['2026-04-05', 'Australia/Lord_Howe', Date.UTC(2026, 3, 4, 13)],
  ['2026-04-06', 'Australia/Lord_Howe', Date.UTC(2026, 3, 5, 13, 30)],
  ['2026-10-04', 'Australia/Lord_Howe', Date.UTC(2026, 9, 3, 13, 30)],
  ['2026-10-05', 'Australia/Lord_Howe', Date.UTC(2026, 9, 4, 13)],
  // 30 December 2011 was skipped.
  ['2011-12-29', 'Pacific/Apia', Date.UTC(2011, 11, 29, 10)],
  ['2011-12-30', 'Pacific/Apia', Date.UTC(2011, 11, 30, 10)],
  ['2011-12-31', 'Pacific/Apia', Date.UTC(2011, 11, 30, 10)],
  // A day that begins twice, because 01:00-04 is 00:00-05, begins at the first midnight.
  ['2026-11-01', 'America/Havana', Date.UTC(2026, 10, 1, 4)],
  ['2024-02-29', 'Europe/Berlin', Date.UTC(2024, 1, 28, 23)],
  ['2024-03-01', 'Europe/Berlin', Date.UTC(2024, 1, 29, 23)],
  ['2000-02-29', 'America/New_York', Date.UTC(2000, 1, 29, 5)],
  ['1970-01-01', '', 0],
  ['1970-01-01', 'Europe/Berlin', -HOUR],
  ['1970-01-01', 'America/New_York', 5 * HOUR],
  ['2026-06-01', 'Pacific/Kiritimati', Date.UTC(2026, 4, 31, 10)],
  ['2026-06-01', 'Pacific/Pago_Pago', Date.UTC(2026, 5, 1, 11)],
  ['9999-12-31', '', Date.UTC(9999, 11, 31)],
  ['9999-12-31', 'Pacific/Kiritimati', Date.UTC(9999, 11, 30, 10)],
];

describe('started_after and started_before', () => {
  const tables = { 'are instants': INSTANTS, 'are days of a zone': DATES };
  for (const [kind, edges] of Object.entries(tables))
    it(`${kind}: the first is inclusive, the second exclusive`, async (t) => {
      const world = await createWorld(t);
      for (const [i, [moment, timezone, edge]] of edges.entries()) {
        const around = [at('before', edge - 1), at('at', edge)];
        const key = world.addAccount(`a${i}`, around);
        const zone = timezone && `&timezone=${timezone}`;
        for (const rest of ['', '&q=Memory', '&order=asc&q=Memory&is_processing=false&limit=1']) {
          const get = (name: string) =>
            send(world.port, { path: `/v1/memories?${name}=${moment}${zone}${rest}`, key });
          const what = `${moment} ${timezone} ${rest}`;
          assert.deepEqual(ids(await get('started_after')), ['at'], `after ${what}`);
          assert.deepEqual(ids(await get('started_before')), ['before'], `before ${what}`);
        }
      }
    });

  it('give each day its own length, also when clocks change', async (t) => {
    const world = await createWorld(t);
    const days: readonly [string, string, string, number][] = [
      ['Europe/Berlin', '2026-03-29', '2026-03-30', 23],
      ['Europe/Berlin', '2026-10-25', '2026-10-26', 25],
      ['Europe/Berlin', '2026-10-26', '2026-10-27', 24],
      ['America/New_York', '2026-03-08', '2026-03-09', 23],
      ['America/New_York', '2026-11-01', '2026-11-02', 25],
      ['Australia/Lord_Howe', '2026-04-05', '2026-04-06', 24.5],
      ['Australia/Lord_Howe', '2026-10-04', '2026-10-05', 23.5],
      ['UTC', '2026-03-29', '2026-03-30', 24],
    ];
    // Every half hour, from a day before each change to a day after it.
    const halves = days.flatMap(([, from]) =>
      Array.from({ length: 3 * 48 }, (_, i) => Date.parse(from) + (i - 48) * (HOUR / 2)),
    );
    const key = world.addAccount(
      'ana',
      halves.map((ms) => at(`h${ms}`, ms)),
    );
    for (const [zone, from, to, hours] of days) {
      const path = `/v1/memories?started_after=${from}&started_before=${to}&timezone=${zone}&fields=id`;
      assert.equal(ids(await send(world.port, { path, key })).length, hours * 2, `${from} ${zone}`);
    }
  });

  it('with nothing between them return an empty list', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(5));
    const start = memories(5)[2]!.started_at;
    const none = [
      'started_after=2026-02-01&started_before=2026-01-01',
      'started_after=9999-12-31&started_before=0001-01-01',
      `started_after=${start}&started_before=${start}`,
      'started_after=2030-01-01',
      'started_before=2020-01-01',
      'started_after=2011-12-30&started_before=2011-12-31&timezone=Pacific/Apia',
    ];
    for (const query of none)
      for (const rest of ['', '&limit=2', '&order=asc', '&q=Memory', '&is_processing=false']) {
        const answer = await send(world.port, { path: `/v1/memories?${query}${rest}`, key });
        assert.equal(answer.status, 200, query);
        assert.equal(answer.text, '[]', query);
        assert.equal(answer.headers['link'], undefined, query);
      }
  });

  it('can be of different kinds, and a time zone alone has no effect', async (t) => {
    const world = await createWorld(t);
    const start = Date.UTC(2026, 10, 20, 20);
    const key = world.addAccount(
      'ana',
      Array.from({ length: 10 }, (_, i) => at(`h${i}`, start + i * HOUR)),
    );
    const list = async (query: string) =>
      ids(await send(world.port, { path: `/v1/memories?order=asc&${query}`, key }));
    const all = ['h0', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'h7', 'h8', 'h9'];
    assert.deepEqual(
      await list(
        'started_after=2026-11-21&timezone=Europe/Berlin&started_before=2026-11-21T01:00:00Z',
      ),
      ['h3', 'h4'],
    );
    assert.deepEqual(await list('timezone=Europe/Berlin'), all);
    assert.deepEqual(await list('timezone=Pacific/Apia&is_processing=false'), all);
  });
});

describe('is_processing', () => {
  it('selects memories without or with a summary, in both orders, page by page', async (t) => {
    const world = await createWorld(t);
    const list = memories(31).map((each, i) => {
      // Some start at the same instant.
      const started_at = memories(31)[i - (i % 4)]!.started_at;
      const summary = { quick_summary: '', key_takeaways: [] };
      return { ...each, started_at, ended_at: started_at, is_processing: i % 3 === 0, summary };
    });
    const key = world.addAccount('ana', list);
    for (const value of [true, false]) {
      const right = list.filter((each) => each.is_processing === value).map(({ id }) => id);
      for (const order of ['asc', 'desc']) {
        const expected = order === 'asc' ? right : right.toReversed();
        const path = `/v1/memories?is_processing=${value}&order=${order}`;
        assert.deepEqual(ids(await send(world.port, { path, key })), expected, path);
        for (const limit of [1, 4, expected.length, 1000]) {
          const pages = await walk({ ...world, key }, `${path}&limit=${limit}`);
          assert.deepEqual(pages.flatMap(ids), expected, `${path} by ${limit}`);
          assert.equal(pages.length, Math.ceil(expected.length / limit), `${path} by ${limit}`);
        }
      }
    }
  });

  it('follows a memory that gets its summary', async (t) => {
    const world = await createWorld(t);
    const summary = { quick_summary: '', key_takeaways: [] };
    const key = world.addAccount('ana', [memory({ id: 'a', is_processing: true, summary })]);
    const list = async (value: boolean) =>
      ids(await send(world.port, { path: `/v1/memories?is_processing=${value}`, key }));
    assert.deepEqual([await list(true), await list(false)], [['a'], []]);
    world.writer.memories.put('ana', memory({ id: 'a' }));
    assert.deepEqual([await list(true), await list(false)], [[], ['a']]);
  });
});

describe('A cursor', () => {
  const combined = `started_after=2026-01-02&started_before=2026-01-09&timezone=Asia/Tokyo&is_processing=false&q=ald*%20%22birch%20cedar%22&fields=started_at,name`;

  /** An account, and its memories that match the combined filters, oldest first. */
  function addFiltered(world: World, id: string): { key: string; right: string[] } {
    const list = Array.from({ length: 120 }, (_, i) =>
      at(`m${String(i).padStart(3, '0')}`, Date.UTC(2026, 0, 1) + i * 2 * HOUR, {
        name: i % 5 === 0 ? 'alder' : 'alder birch cedar',
        is_processing: i % 7 === 0,
        summary: { quick_summary: '', key_takeaways: [] },
      }),
    );
    const [from, to] = [Date.UTC(2026, 0, 1, 15), Date.UTC(2026, 0, 8, 15)]; // Tokyo is 9 hours ahead
    const right = list
      .filter(({ started_at }) => Date.parse(started_at) >= from && Date.parse(started_at) < to)
      .filter(({ name, is_processing }) => name !== 'alder' && !is_processing)
      .map((each) => each.id);
    assert.ok(right.length > 40);
    return { key: world.addAccount(id, list), right };
  }

  it('carries all filters, the order and the fields to every page', async (t) => {
    const world = await createWorld(t);
    const { key, right } = addFiltered(world, 'ana');
    for (const order of ['asc', 'desc']) {
      const expected = order === 'asc' ? right : right.toReversed();
      for (const limit of [1, 6, 1000]) {
        const path = `/v1/memories?${combined}&order=${order}&limit=${limit}`;
        const pages = await walk({ ...world, key }, path);
        assert.deepEqual(pages.flatMap(ids), expected, path);
        assert.equal(pages.length, Math.ceil(expected.length / limit), path);
        for (const each of pages.flatMap(items))
          assert.deepEqual(Object.keys(each), ['id', 'name', 'started_at']);
      }
    }
  });

  it('can be sent with another limit, which the next cursor then has', async (t) => {
    const world = await createWorld(t);
    const { key, right } = addFiltered(world, 'ana');
    const get = (path: string) => send(world.port, { path, key });
    const first = await get(`/v1/memories?${combined}&order=asc&limit=3`);
    const second = await get(`${linksOf(first)['next']}&limit=5`);
    const third = await get(String(linksOf(second)['next']));
    assert.deepEqual([first, second, third].map(ids), [
      right.slice(0, 3),
      right.slice(3, 8),
      right.slice(8, 13),
    ]);
    const encoded = await get(
      String(linksOf(first)['next']).replace(/.$/, (char) => `%${char.charCodeAt(0).toString(16)}`),
    );
    assert.deepEqual(ids(encoded), right.slice(3, 6), 'percent-encoded it is the same');
  });

  it('has a rel=first link to the first page of the same query, also on the last page', async (t) => {
    const world = await createWorld(t);
    const { key } = addFiltered(world, 'ana');
    const pages = await walk({ ...world, key }, `/v1/memories?${combined}&order=asc&limit=20`);
    assert.equal(linksOf(pages[0]!)['first'], undefined, 'it is the first');
    assert.equal(linksOf(pages.at(-1)!)['next'], undefined);
    assert.ok(pages.length >= 3);
    for (const page of pages.slice(1)) {
      const again = await walk({ ...world, key }, String(linksOf(page)['first']));
      assert.deepEqual(
        again.map(({ text }) => text),
        pages.map(({ text }) => text),
      );
    }
  });

  it('with any other parameter than limit is 422', async (t) => {
    const world = await createWorld(t);
    const { key } = addFiltered(world, 'ana');
    const next = linksOf(await send(world.port, { path: '/v1/memories?limit=1&order=asc', key }))[
      'next'
    ];
    const others = [
      'order=asc',
      'order=desc',
      'started_after=2026-01-01',
      'started_before=2027-01-01',
      'timezone=UTC',
      'is_processing=true',
      'q=a',
      'fields=id',
    ];
    for (const other of others) {
      const name = other.split('=')[0];
      for (const path of [
        `${next}&${other}`,
        `/v1/memories?${other}&${next?.split('?')[1]}`,
        `${next}&limit=2&${other}`,
      ])
        assert.match(
          assertFailure(await send(world.port, { path, key }), 422, `${name}`),
          /"cursor".*"limit" alone/,
        );
    }
  });

  it('of a list is refused by the feed, and the other way round', async (t) => {
    const world = await createWorld(t);
    const { key } = addFiltered(world, 'ana');
    const cursorOf = async (path: string) => {
      const next = linksOf(await send(world.port, { path, key }))['next'];
      return /=([\w-]+)$/.exec(String(next))?.[1];
    };
    const ofList = await cursorOf('/v1/memories?limit=1');
    const ofFeed = await cursorOf('/v1/changes?limit=1');
    const wrong = { cursor: `/v1/memories?cursor=${ofFeed}`, since: `/v1/changes?since=${ofList}` };
    for (const [name, path] of Object.entries(wrong)) {
      const detail = assertFailure(await send(world.port, { path, key }), 422, name);
      assert.match(detail, new RegExp(`"${name}" takes a cursor .* of this endpoint`));
    }
  });

  it('of another account returns memories of the caller only', async (t) => {
    const world = await createWorld(t);
    const ana = addFiltered(world, 'ana');
    const bo = world.addAccount('bo', [
      at('early', Date.UTC(2026, 0, 3), { name: 'alder birch cedar' }),
      at('late', Date.UTC(2026, 0, 8), { name: 'alder birch cedar' }),
      at('beside', Date.UTC(2026, 0, 3), { name: 'alder' }),
    ]);
    const page = await send(world.port, {
      path: `/v1/memories?${combined}&limit=20`,
      key: ana.key,
    });
    const answer = await send(world.port, { path: String(linksOf(page)['next']), key: bo });
    assert.deepEqual(ids(answer), ['early'], 'behind the place, by the same filters');
    assert.deepEqual(
      ids(await send(world.port, { path: String(linksOf(answer)['first']), key: bo })),
      ['late', 'early'],
    );
  });

  it('fits into a URL, however long the query is', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount(
      'ana',
      [...memories(3), memory({ id: 'b' })].map((each) => ({ ...each, name: 'a 東 🎉' })),
    );
    const fill = (with_: string) => 'a '.padEnd(1024, with_);
    const long = [
      ...['"', '\\', '\u0001', '\u001F', '\v', '\t', '\u007F', '\u0085'].map(fill),
      '東 '.repeat(400),
      '🎉 '.repeat(500),
    ];
    for (const q of long) {
      const fields =
        'name,started_at,ended_at,is_processing,user_id,duration_seconds,summary,transcript';
      const path = `/v1/memories?limit=1&started_after=2020-01-01&is_processing=false&fields=${fields}&q=${encodeURIComponent(q)}`;
      assert.equal((await walk({ ...world, key }, path)).length, 4, JSON.stringify(q.slice(0, 10)));
    }
  });
});

describe('A link', () => {
  const bases: Record<string, readonly [under: string, target: string]> = {
    '': ['', ''],
    '/some/prefix': ['/some/prefix', '/some/prefix'],
    '/recordings/': ['/recordings', '/recordings'],
    'https://api.example': ['', 'https://api.example'],
    'https://api.example/recordings': ['/recordings', 'https://api.example/recordings'],
  };
  for (const [baseUrl, [under, before]] of Object.entries(bases))
    it(`starts with ${baseUrl || 'nothing'}, whatever Host says`, async (t) => {
      const world = await createWorld(t, { baseUrl });
      const key = world.addAccount('ana', memories(7));
      const headers = {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        forwarded: 'host=evil.example',
      };
      for (const [path, name] of [
        ['/v1/memories', 'cursor'],
        ['/v1/changes', 'since'],
      ] as const) {
        const get = (target: string) => send(world.port, { path: target, key, headers });
        const found: unknown[] = [];
        let answer = await get(`${under}${path}?limit=3`);
        while (items(answer).length > 0) {
          found.push(...items(answer));
          const { next, first } = linksOf(answer);
          for (const link of [next, first])
            if (link !== undefined)
              assert.match(
                link,
                new RegExp(`^${RegExp.escape(`${before}${path}?${name}=`)}[\\w-]+$`),
              );
          if (next === undefined) break;
          answer = await get(next.slice(before.length - under.length));
        }
        assert.equal(found.length, 7, path);
      }
    });
});

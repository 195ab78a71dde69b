// Scopes of keys: nothing that a scope hides changes any response, whichever way it is asked for.

import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { describe, it, type TestContext } from 'node:test';

import * as v from 'valibot';

import { createClient } from '../../src/client/index.ts';
import type { Api } from '../../src/contract/api.ts';
import { Failure } from '../../src/contract/failure.ts';
import { engine, engines } from '../support/engines/engine.ts';
import { ids, linksOf } from '../support/wire/lists.ts';
import { send, type WireRequest } from '../support/wire/wire.ts';
import { entryPoints } from '../support/world/entry-points.ts';
import { cases } from '../support/world/thorough.ts';
import {
  createTwins,
  HIDDEN,
  MIDDLE,
  SECRET,
  seen,
  twinKinds,
  withoutAccount,
  type TwinKind,
} from '../support/world/twins.ts';
import { createWorld, memory } from '../support/world/world.ts';

const summaries = twinKinds[0] as TwinKind;
const day = (days: number) => new Date(MIDDLE + days * 86_400_000).toISOString();

/** Words, phrases, beginnings and misspellings that could tell whether the secret occurs. */
const QUERIES = [
  SECRET,
  'xylograp',
  'xylograhp',
  `${SECRET}s`,
  'xylo*',
  'x*',
  '"xylograph is blue"',
  'zepelin',
  `${SECRET} roses`,
  `roses "${SECRET}"`,
  `garden ${SECRET} plan`,
  'xylo graph',
  `-${SECRET}`,
  'roses',
  'garden plan',
  'water*',
  '"inside plan"',
  'mira',
  'the',
  'nothing at all',
  '東京',
  '"',
];

/** Filters that go with a query or without one. */
const FILTERS = [
  '',
  `started_after=${day(-400)}&started_before=${day(400)}`,
  `started_after=${day(1)}`,
  `started_before=${day(1)}`,
  'started_after=2026-03-10&timezone=Asia/Tokyo',
  'is_processing=true',
  'is_processing=false',
  'tag=work',
  `tag=${SECRET}`,
  'source=limitless&person=mira',
  'source=omi',
  `person=zeppelin+out3&started_after=${day(-400)}`,
];

const FIELDS = [
  '',
  'fields=id',
  'fields=id,started_at',
  'fields=name,summary',
  'fields=transcript',
];
const PAGES = ['', 'limit=1', 'limit=2', 'limit=1000', 'order=asc', 'limit=2&order=asc'];
const IDS = ['m0', 'm3', 'm11', 'in0', 'in2', 'out0', 'out2', 'out3', 'nowhere'];

/** Every endpoint with every parameter. */
const TARGETS = [
  ...FIELDS.flatMap((fields) =>
    PAGES.flatMap((page) => FILTERS.map((filter) => `/v1/memories?${join(fields, page, filter)}`)),
  ),
  ...QUERIES.flatMap((q) =>
    [
      '',
      'limit=1',
      'limit=3&order=asc',
      'fields=id',
      `started_after=${day(1)}`,
      'is_processing=true',
    ].map((rest) => `/v1/memories?${join(`q=${encodeURIComponent(q)}`, rest)}`),
  ),
  ...QUERIES.flatMap((q) =>
    [
      ...FILTERS,
      'limit=1',
      'limit=2',
      'max_tokens=100',
      'memory_id=m3',
      'memory_id=in1',
      'memory_id=out1',
    ].map((rest) => `/v1/search?${join(`q=${encodeURIComponent(q)}`, rest)}`),
  ),
  ...IDS.flatMap((id) => FIELDS.map((fields) => `/v1/memories/${id}?${fields}`)),
  ...IDS.flatMap((id) =>
    ['', 'first=2', 'first=99', 'last=1', 'max_tokens=100'].map(
      (part) => `/v1/memories/${id}/lines?${part}`,
    ),
  ),
  ...IDS.flatMap((id) =>
    ['details', 'original', 'audio', 'lines?times=true'].map(
      (part) => `/v1/memories/${id}/${part}`,
    ),
  ),
  ...FILTERS.flatMap((filter) => [
    ...(filter.includes('is_processing') ? [] : [`/v1/days?${filter}`]),
    ...(/person|tag|source|is_processing/.test(filter)
      ? []
      : ['people', 'people?limit=1', 'people?q=e', 'tags', 'action_items', 'action_items?limit=1']
    ).map((path) => `/v1/${path}${path.includes('?') ? '&' : '?'}${filter}`),
  ]),
  '/v1/days?timezone=Asia/Tokyo',
];

/** All of them are tried on files in CI. A part is enough every day, and for a server to show that it does the same. */
const STEP = engine === engines.sqlite ? cases(1, 19) : 19;

/** Of those, one of so many is also requested by HEAD and with a key without a scope. The few of every day all are. */
const RARE = STEP === 1 ? 5 : 1;

/** The feed, whose order is that of writing. */
const FEEDS = [
  '',
  'limit=1',
  'limit=2',
  'order=desc',
  'order=desc&limit=1',
  'order=desc&limit=2',
].map((rest) => `/v1/changes?${rest}`);

function join(...parts: string[]): string {
  return parts.filter(Boolean).join('&');
}

/** Returns a response without the words that it repeats from the query. */
function said(text: string): string {
  return text.replaceAll(/"absent_words":\[[^\]]*\]/g, '');
}

for (const kind of twinKinds)
  describe(`A key with ${kind.name}`, () => {
    it('gets the same of two accounts that differ in what it may not read, for every parameter', async (t) => {
      const world = await createWorld(t);
      const { scoped, whole } = createTwins(world, kind);
      const isScoped = kind.scope.reads === 'summaries';
      let [different, hidden] = [0, 0];
      const agent = new Agent({ keepAlive: true }); // thousands of requests
      t.after(() => agent.destroy());
      const targets = TARGETS.filter((_, i) => i % STEP === 0);
      let compared = 0;
      for (const [i, path] of targets.entries()) {
        // HEAD is answered as GET, which test/http/paths.test.ts shows.
        for (const method of i % RARE === 0 ? ['GET', 'HEAD'] : ['GET']) {
          const of = async (key: string) =>
            send(world.port, { path, method, key, isScoped, agent });
          const [ana, eve] = [await of(scoped[0]), await of(scoped[1])];
          assert.deepEqual(seen(ana), seen(eve), `${method} ${path}`);
          assert.doesNotMatch(said(ana.text), HIDDEN, path);
        }
        if (i % RARE > 0) continue;
        // The same with keys that may read everything, so that this test can fail.
        compared++;
        const [ana, eve] = [
          await send(world.port, { path, key: whole[0], agent }),
          await send(world.port, { path, key: whole[1], agent }),
        ];
        if (seen(ana).text !== seen(eve).text) different++;
        if (HIDDEN.test(said(ana.text))) hidden++;
      }
      const counts = `${different} differ, ${hidden} have hidden words, of ${compared}`;
      assert.ok(different > compared / 12 && hidden > compared / 24, counts);
    });

    it('gets the same on every page and in every encoding', async (t) => {
      const world = await createWorld(t);
      const { scoped } = createTwins(world, kind);
      const isScoped = kind.scope.reads === 'summaries';
      const starts = [
        '/v1/memories?limit=1',
        '/v1/memories?limit=2&order=asc',
        '/v1/memories?limit=1&q=roses',
        '/v1/search?q=roses+plan+mira&limit=1',
        '/v1/people?limit=1',
        '/v1/action_items?limit=1',
        ...FEEDS,
      ];
      for (const start of starts) {
        const walks = await Promise.all(
          scoped.map(async (key) => walk(world.port, { key, isScoped }, start)),
        );
        assert.deepEqual(walks[0], walks[1], start);
        assert.doesNotMatch(said(JSON.stringify(walks[0])), HIDDEN);
      }
      for (const path of [
        '/v1/memories',
        '/v1/memories?q=roses',
        '/v1/search?q=roses+meeting&limit=100',
      ])
        for (const encoding of ['gzip', 'br', 'zstd']) {
          const headers = { 'accept-encoding': encoding };
          const answers = await Promise.all(
            scoped.map(async (key) => send(world.port, { path, key, headers, isScoped })),
          );
          const [ana, eve] = answers.map(({ headers: sent }) => sent['content-encoding']);
          assert.equal(ana, eve);
        }
    });
  });

/** Follows links until a feed stands still or a list ends. */
async function walk(port: number, caller: Pick<WireRequest, 'key' | 'isScoped'>, start: string) {
  const pages = [];
  for (let path: string | undefined = start; path !== undefined && pages.length < 40;) {
    const answer = await send(port, { path, ...caller });
    pages.push(seen(answer));
    if (start.startsWith('/v1/changes?') && !start.includes('desc') && answer.text === '[]') break;
    path = linksOf(answer)['next'];
  }
  return pages;
}

/** What a call of a program comes to. */
async function outcome(call: Promise<unknown>): Promise<string> {
  try {
    return withoutAccount(JSON.stringify(await call) ?? '');
  } catch (error) {
    // The table of entry points checks whole memories by their schema, as the client does.
    if (error instanceof v.ValiError) return error.message;
    assert.ok(error instanceof Failure, String(error));
    return `${error.status} ${error.detail}`;
  }
}

async function all<T>(each: AsyncIterable<T>): Promise<T[]> {
  const found = [];
  for await (const one of each) found.push(one);
  return found;
}

const SHORT = { fields: ['name', 'summary'] } as const;

/** The calls of a program. */
const CALLS: Readonly<Record<string, (api: Api) => Promise<unknown>>> = {
  'a list': (api) => api.memories.list(),
  'a list of names': (api) => api.memories.list(SHORT),
  'a list of transcripts': (api) => api.memories.list({ fields: ['transcript'] }),
  'a list by a hidden word': (api) => api.memories.list({ ...SHORT, q: SECRET }),
  'a list by a word': (api) => api.memories.list({ ...SHORT, q: 'roses' }),
  'each of a list': (api) => all(api.memories.each({ ...SHORT, limit: 2 })),
  'a page': (api) => api.memories.page({ ...SHORT, limit: 50, order: 'asc' }),
  'a memory': (api) => api.memories.get({ memory_id: 'm3', ...SHORT }),
  'a memory of the window': (api) => api.memories.get({ memory_id: 'in1', ...SHORT }),
  'a memory outside of it': (api) => api.memories.get({ memory_id: 'out1', ...SHORT }),
  'a transcript': (api) => api.memories.get({ memory_id: 'm3', fields: ['transcript'] }),
  'a whole memory': (api) => api.memories.get({ memory_id: 'm3' }),
  lines: (api) => api.memories.lines({ memory_id: 'm3' }),
  'lines of a memory that does not exist': (api) => api.memories.lines({ memory_id: 'nowhere' }),
  'a search for a hidden word': (api) => api.search({ q: SECRET }),
  'a search for one like it': (api) => api.search({ q: 'xylograhp zepelin' }),
  'a search for a beginning': (api) => api.search({ q: 'xylo*' }),
  'a search for words': (api) => api.search({ q: 'roses plan mira', limit: 100 }),
  'a search in a hidden memory': (api) => api.search({ q: SECRET, memory_id: 'out1' }),
  days: (api) => api.days.list({ timezone: 'Europe/Berlin' }),
  'days with a tag': (api) => api.days.list({ tag: 'work' }),
  'a list with a tag': (api) => api.memories.list({ ...SHORT, tag: 'work' }),
  'a search with a hidden tag': (api) => api.search({ q: 'roses', tag: SECRET }),
  details: (api) => api.memories.details({ memory_id: 'in1' }),
  'details of a memory outside': (api) => api.memories.details({ memory_id: 'out1' }),
  people: (api) => api.people.list(),
  tags: (api) => api.tags.list(),
  'action items': (api) => api.actionItems.list(),
  'the latest changes': async (api) =>
    (await api.changes.list({ order: 'desc' })).map(({ memory_id }) => memory_id),
};

for (const entryPoint of entryPoints)
  describe(`A key with a scope, by ${entryPoint.name}`, () => {
    for (const kind of twinKinds)
      it(`with ${kind.name} gets the same, whatever is hidden`, async (t) => {
        const world = await createWorld(t, entryPoint);
        const { scoped, whole } = createTwins(world, kind);
        const [ana, eve] = scoped.map((key) => entryPoint.open(world, key)) as [Api, Api];
        const everything = entryPoint.open(world, whole[0]);
        let shown = 0;
        for (const [name, call] of Object.entries(CALLS)) {
          const mine = await outcome(call(ana));
          assert.equal(mine, await outcome(call(eve)), name);
          assert.doesNotMatch(said(mine), HIDDEN, name);
          if (HIDDEN.test(said(await outcome(call(everything))))) shown++;
        }
        assert.ok(shown >= 3, `${shown} calls show hidden words to a key without a scope`);
      });
  });

/** Creates an account, and a key that may read summaries. */
async function createSummaries(t: TestContext) {
  const world = await createWorld(t);
  const { whole, scoped } = createTwins(world, summaries);
  const [key, plain] = [scoped[0], whole[0]];
  const get = async (path: string, headers: Record<string, string> = {}, by = key) =>
    send(world.port, { path, key: by, headers, isScoped: by === key });
  return { world, key, plain, get };
}

describe('A key for summaries', () => {
  it('gets every field but the transcript, and a sentence if it asks for one', async (t) => {
    const { get } = await createSummaries(t);
    const fields = [
      'id',
      'name',
      'started_at',
      'ended_at',
      'is_processing',
      'user_id',
      'duration_seconds',
      'summary',
    ];
    const one = await get('/v1/memories/m3');
    assert.deepEqual(Object.keys(JSON.parse(one.text)), fields);
    for (const each of JSON.parse((await get('/v1/memories')).text))
      assert.deepEqual(Object.keys(each), fields);
    const refused = {
      detail:
        'The parameter "fields" names "transcript", but you may read names and summaries only; leave it out, or use a key that may read transcripts.',
    };
    for (const path of [
      '/v1/memories?fields=name,transcript',
      '/v1/memories/m3?fields=transcript',
      '/v1/memories/nowhere?fields=transcript',
      `/v1/memories/m3?fields=${fields.join()},transcript`,
    ]) {
      const { status, text } = await get(path);
      assert.deepEqual([status, JSON.parse(text)], [403, refused], path);
    }
    const detail =
      'This is a transcript, but you may read names and summaries only; use a key that may read transcripts.';
    for (const id of ['m3', 'nowhere']) {
      const { status, text } = await get(`/v1/memories/${id}/lines`);
      assert.deepEqual([status, JSON.parse(text)], [403, { detail }], id);
    }
  });

  it('is told by the client what to do about memories without transcripts', async (t) => {
    const { world, key } = await createSummaries(t);
    const api = createClient({ baseUrl: world.url, apiKey: key });
    const detail =
      'The response does not match the schema at transcript. Name the "fields" that the key may read.';
    await assert.rejects(api.memories.get({ memory_id: 'm3' }), { reason: 'mismatch', detail });
    const { name, summary } = await api.memories.get({ memory_id: 'm3', ...SHORT });
    assert.deepEqual([name, summary.key_takeaways], ['Garden plan', ['Water plot 3']]);
  });

  it('finds names and summaries, with their marks, ranks and hints', async (t) => {
    const { get } = await createSummaries(t);
    const find = async (q: string) =>
      JSON.parse((await get(`/v1/search?q=${encodeURIComponent(q)}&limit=100`)).text);
    const roses = await find('rose');
    assert.equal(roses.memories_found, 11);
    assert.equal(roses.memories_searched, 12);
    assert.ok(roses.passages.every((each: { source: string }) => each.source === 'summary'));
    const [plan] = (await find('garden plan')).passages;
    assert.deepEqual(
      [plan.memory_id, plan.source, plan.lines, plan.text],
      ['m3', 'name', [], 'Garden plan'],
    );
    assert.deepEqual(plan.marks, [
      [0, 6],
      [7, 11],
    ]);
    const hints = await find('gardne zeppelin');
    assert.deepEqual(
      [hints.absent_words, hints.nearest_words],
      [['gardne', 'zeppelin'], { gardne: ['garden'] }],
    );
    assert.deepEqual(ids(await get('/v1/memories?q=water+"plot+3"')), ['m3']);
    assert.deepEqual(ids(await get('/v1/memories?q=wat*+"plot+10"')), ['m10']);
    assert.deepEqual(ids(await get('/v1/memories?q="roses+3"')), [], 'no phrase spans two texts');
  });

  it('keeps the ETag of a memory whose transcript changes, because its bytes stay the same', async (t) => {
    const { world, get, plain } = await createSummaries(t);
    const path = '/v1/memories/m3';
    const before = await get(path);
    const whole = await get(path, {}, plain);
    const { etag = '' } = before.headers;
    const stored = summaries.memories[0].find(({ id }) => id === 'm3');
    assert.ok(stored);
    world.writer.memories.put('ana', { ...stored, transcript: 'Mira: Something else.' });
    assert.equal((await get(path, { 'if-none-match': etag })).status, 304);
    assert.equal((await get(path)).headers['etag'], etag);
    assert.notEqual((await get(path, {}, plain)).headers['etag'], whole.headers['etag']);
    // The ETag of the whole memory is a hash of all its bytes: a guess of the transcript could be compared with it.
    assert.equal((await get(path, { 'if-none-match': whole.headers['etag'] ?? '' })).status, 200);
  });

  it('gets nothing more by the cursors, the ETags and the cached responses of other keys', async (t) => {
    const { get, plain } = await createSummaries(t);
    for (const start of [
      '/v1/memories?limit=2',
      '/v1/memories?limit=2&fields=transcript',
      `/v1/memories?limit=2&q=${SECRET}`,
      `/v1/search?q=${SECRET}&limit=1`,
      '/v1/search?q=roses&limit=1',
      '/v1/changes?limit=2',
    ]) {
      const whole = await get(start, {}, plain);
      const next = linksOf(whole)['next'] ?? '';
      assert.match(next, /^\//, start);
      await get(next, {}, plain); // now it is in the cache
      const mine = await get(next);
      assert.doesNotMatch(said(mine.text), /xylograph|"transcript":/, start);
      if (start.includes('fields=transcript')) assert.equal(mine.status, 403);
      const again = await get(start, { 'if-none-match': whole.headers['etag'] ?? '' });
      assert.notEqual(again.status, 304, 'the ETag of another scope');
      // The other way round, a key without a scope gets the same as before.
      assert.deepEqual(seen(await get(start, {}, plain)), seen(whole), start);
    }
  });

  it('shares no cached response with a key without a scope, whichever comes first', async (t) => {
    const { get, plain } = await createSummaries(t);
    for (const path of [
      '/v1/memories',
      '/v1/memories/m5',
      '/v1/memories?limit=3',
      '/v1/search?q=mira',
    ])
      for (const order of [
        [plain, undefined],
        [undefined, plain],
        [plain, undefined],
      ])
        for (const by of order) {
          const { text } = await get(path, {}, by);
          assert.equal(/xylograph/.test(text), by === plain, path);
        }
  });
});

describe('A key with a window', () => {
  const window = twinKinds[1] as TwinKind;

  it('finds what starts in it, from its first moment on and not at its end', async (t) => {
    const world = await createWorld(t);
    const {
      scoped: [key],
      whole: [plain],
    } = createTwins(world, window);
    const get = async (path: string, by = key) => send(world.port, { path, key: by });
    assert.deepEqual(ids(await get('/v1/memories')), ['in2', 'in1', 'in0']);
    assert.deepEqual(ids(await get(`/v1/memories?started_after=${day(1)}`)), ['in2', 'in1']);
    assert.equal((await get('/v1/memories/in0/lines')).status, 200);
    const absent = await get('/v1/memories/nowhere');
    for (const id of ['out1', 'out2', 'out3']) {
      assert.equal((await get(`/v1/memories/${id}`, plain)).status, 200);
      for (const rest of ['', '/lines', '?fields=id'])
        assert.deepEqual(seen(await get(`/v1/memories/${id}${rest}`)), seen(absent), id + rest);
    }
    const { memories_searched, passages } = JSON.parse(
      (await get('/v1/search?q=roses&limit=50')).text,
    );
    assert.equal(memories_searched, 3);
    assert.deepEqual(
      new Set(passages.map((each: { memory_id: string }) => each.memory_id)),
      new Set(['in0', 'in1', 'in2']),
    );
    const days = JSON.parse((await get('/v1/days')).text);
    assert.deepEqual(
      days.map((each: { date: string }) => each.date),
      ['2026-03-10', '2026-03-11', '2026-03-12'],
    );
  });

  it('is told of changes inside, in full pages, and of no deletions', async (t) => {
    const world = await createWorld(t);
    const {
      scoped: [key],
    } = createTwins(world, window);
    const changesOf = async (path: string) => {
      const answer = await send(world.port, { path, key });
      const changes = JSON.parse(answer.text) as { memory_id: string; change: string }[];
      return { ids: changes.map(({ memory_id }) => memory_id), next: linksOf(answer)['next'] };
    };
    // More changes outside than one read looks at.
    world.writer.memories.putAll(
      'ana',
      Array.from({ length: 1100 }, (_, i) => memory({ id: `late${i}`, started_at: day(100 + i) })),
    );
    world.writer.memories.put('ana', memory({ id: 'new', started_at: day(2.5) }));
    const first = await changesOf('/v1/changes?limit=2');
    assert.deepEqual(first.ids, ['in0', 'in1']);
    const second = await changesOf(first.next ?? '');
    assert.deepEqual(second.ids, ['in2', 'new']);
    const end = await changesOf(second.next ?? '');
    assert.deepEqual(end.ids, []);
    world.writer.memories.delete('ana', 'in1');
    world.writer.memories.put('ana', memory({ id: 'in2', started_at: day(90) }));
    world.writer.memories.put('ana', memory({ id: 'newest', started_at: day(0) }));
    assert.deepEqual((await changesOf(end.next ?? '')).ids, ['newest']);
    const latest = await changesOf('/v1/changes?order=desc&limit=2');
    assert.deepEqual(latest.ids, ['newest', 'new']);
    const earliest = await changesOf(latest.next ?? '');
    assert.deepEqual([earliest.ids, earliest.next], [['in0'], undefined]);
  });
});

// Filters by person, tag and source: which memories, passages and days they leave, through every entry point.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { prepareMemory } from '../../src/store/import/memory-row.ts';
import type { Store, SyncStore } from '../../src/store/store.ts';
import { ids, walk } from '../support/wire/lists.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { fullDetails, person } from '../support/world/details.ts';
import { entryPoints } from '../support/world/entry-points.ts';
import { createWorld, memory, type World } from '../support/world/world.ts';

/** A memory as its name says: who speaks, its tags and its product. */
interface Given {
  readonly id: string;
  readonly people: readonly string[];
  readonly tags: readonly string[];
  readonly product: string;
  readonly isProcessing: boolean;
}

const PEOPLE = ['Ána', 'Bo', 'Doe, Jane'];
const TAGS = ['work', 'home'];
const PRODUCTS = ['limitless', 'omi'];

/** Memories with every combination of people, tags and products, one an hour. */
const GIVEN: readonly Given[] = Array.from({ length: 96 }, (_, i) => ({
  id: `m${String(i).padStart(3, '0')}`,
  people: PEOPLE.filter((__, bit) => (i >> bit) % 2 === 1),
  tags: TAGS.filter((__, bit) => (i >> (3 + bit)) % 2 === 1),
  product: PRODUCTS[(i >> 5) % 2] ?? '',
  isProcessing: i % 7 === 0,
}));

const startOf = (i: number) => new Date(Date.UTC(2026, 10, 1, i)).toISOString();

/** Adds the memories, and one more without any details. */
function fill({ writer }: World): void {
  writer.memories.putReady([
    ...GIVEN.map(({ id, people, tags, product, isProcessing }, i) =>
      prepareMemory(
        'ana',
        memory({
          id,
          started_at: startOf(i),
          ended_at: startOf(i),
          duration_seconds: i,
          is_processing: isProcessing,
          ...(isProcessing && { summary: { quick_summary: '', key_takeaways: [] } }),
          transcript: people.map((name) => `${name}: The fridge.`).join('\n'),
        }),
        fullDetails({
          source: { product, format: product, id: null, url: null },
          line_starts_ms: null,
          people: people.map((name) => person(name)),
          tags: tags.map((name) => ({ name, kind: 'tag' as const })),
          chapters: [],
          action_items: [],
        }),
      ),
    ),
    prepareMemory(
      'ana',
      memory({
        id: 'z',
        started_at: startOf(200),
        ended_at: startOf(200),
        transcript: 'Ána: The fridge.',
      }),
    ),
  ]);
}

/** Filters as a program sends them, with a rule that tells the same of a memory. */
const FILTERS: readonly {
  readonly filters: {
    readonly person?: readonly string[];
    readonly tag?: string;
    readonly source?: string;
  };
  readonly has: (given: Given) => boolean;
}[] = [
  { filters: { person: ['ana'] }, has: ({ people }) => people.includes('Ána') },
  { filters: { person: ['  doe,  JANE '] }, has: ({ people }) => people.includes('Doe, Jane') },
  {
    filters: { person: ['Bo', 'Ana', 'bo'] },
    has: ({ people }) => people.includes('Bo') && people.includes('Ána'),
  },
  { filters: { person: ['an'] }, has: () => false },
  { filters: { tag: 'Work' }, has: ({ tags }) => tags.includes('work') },
  { filters: { source: 'OMI' }, has: ({ product }) => product === 'omi' },
  {
    filters: { person: ['Ana', 'Doe, Jane'], tag: 'home', source: 'limitless' },
    has: ({ people, tags, product }) =>
      people.includes('Ána') &&
      people.includes('Doe, Jane') &&
      tags.includes('home') &&
      product === 'limitless',
  },
];

const show = (filters: object) => JSON.stringify(filters);

for (const entryPoint of entryPoints)
  describe(`Filters by ${entryPoint.name}`, () => {
    it('leave the memories with all of these names, whole or page by page', async (t) => {
      const world = await createWorld(t, entryPoint);
      const key = world.addAccount('ana', []);
      fill(world);
      const api = entryPoint.open(world, key);
      for (const { filters, has } of FILTERS) {
        const expected = GIVEN.filter(has).map(({ id }) => id);
        const newest = expected.toReversed();
        const idsOf = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id);
        assert.deepEqual(idsOf(await api.memories.list(filters)), newest, show(filters));
        assert.deepEqual(
          idsOf(await api.memories.list({ ...filters, order: 'asc', fields: ['id'] })),
          expected,
        );
        const paged: string[] = [];
        for await (const { id } of api.memories.each({ ...filters, limit: 5 })) paged.push(id);
        assert.deepEqual(paged, newest, `pages of ${show(filters)}`);
        const finished = GIVEN.filter((each) => has(each) && !each.isProcessing).toReversed();
        assert.deepEqual(
          idsOf(await api.memories.list({ ...filters, is_processing: false })),
          finished.map(({ id }) => id),
        );
        const said = GIVEN.filter((each) => has(each) && each.people.length > 0).toReversed();
        assert.deepEqual(
          idsOf(await api.memories.list({ ...filters, q: 'fridge' })),
          said.map(({ id }) => id),
          `words of ${show(filters)}`,
        );
      }
    });

    it('leave the days of these memories, and what a search counts and finds', async (t) => {
      const world = await createWorld(t, entryPoint);
      const key = world.addAccount('ana', []);
      fill(world);
      const api = entryPoint.open(world, key);
      for (const { filters, has } of FILTERS) {
        const days = await api.days.list(filters);
        const chosen = GIVEN.flatMap((each, i) => (has(each) ? [{ each, i }] : []));
        const expected = Map.groupBy(chosen, ({ i }) => startOf(i).slice(0, 10));
        assert.deepEqual(
          days,
          Array.from(expected, ([date, some]) => ({
            date,
            memories: some.length,
            duration_seconds: some.reduce((sum, { i }) => sum + i, 0),
          })),
          show(filters),
        );
        const { passages, ...counts } = await api.search({ ...filters, q: 'fridge', limit: 100 });
        assert.equal(counts.memories_searched, chosen.length, show(filters));
        const spoken = chosen
          .filter(({ each }) => each.people.length > 0)
          .map(({ each }) => each.id);
        assert.equal(counts.memories_found, spoken.length);
        assert.deepEqual(passages.map(({ memory_id }) => memory_id).toSorted(), spoken);
      }
    });
  });

describe('The days of a filter', () => {
  it('are there although the parts of the list that are looked at first have none of them', async (t) => {
    let looks = 0;
    // As a look that takes too long: it says where it has stopped, and has found nothing.
    const wrap = (store: SyncStore): Store => ({
      ...store,
      positions: (range) =>
        looks++ % 3 < 2
          ? { items: [], rest: range.after ?? EDGES[range.order], revision: range.revision ?? '' }
          : store.positions({ ...range, after: undefined }),
    });
    const world = await createWorld(t, { wrap });
    const key = world.addAccount('ana', []);
    fill(world);
    const { text } = await send(world.port, { path: '/v1/days?tag=work', key });
    const days = JSON.parse(text) as readonly { readonly memories: number }[];
    const counted = days.reduce((sum, { memories }) => sum + memories, 0);
    assert.equal(counted, GIVEN.filter(({ tags }) => tags.includes('work')).length);
    assert.ok(looks >= 6, 'both ends of the list were looked for in several parts');
  });
});

/** Positions at which nothing is. */
const EDGES = { desc: { id: '', started_at: 1e15 }, asc: { id: '', started_at: 0 } };

describe('A search', () => {
  it('with a person has only passages with a line of that person', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', []);
    const far = Array.from({ length: 60 }, (_, i) => `Bo: Filler number ${i}, of many words.`);
    const transcript = ['Ann: The fridge hums.', ...far, 'Bo: The fridge is new.'].join('\n');
    const given = fullDetails({
      line_starts_ms: null,
      people: [person('Ann'), person('Bo'), person('Cy')],
    });
    world.writer.memories.putReady([prepareMemory('ana', memory({ id: 'a', transcript }), given)]);
    const linesOf = async (query: string) => {
      const { text } = await send(world.port, { path: `/v1/search?q=fridge&${query}`, key });
      return (JSON.parse(text).passages as { text: string }[]).map((each) => each.text);
    };
    const ofAnn = await linesOf('person=ann');
    assert.equal(ofAnn.length, 1);
    assert.match(ofAnn[0] ?? '', /Ann: The fridge hums/);
    const ofBo = await linesOf('person=Bo');
    assert.ok(ofBo.some((text) => text.includes('Bo: The fridge is new.')));
    // Whoever was there and said nothing has no line.
    assert.deepEqual(await linesOf('person=Cy'), []);
    assert.ok((await linesOf('person=ann&memory_id=a')).every((text) => text.includes('Ann:')));
  });

  it('takes a tag and a source in its question as well', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', []);
    fill(world);
    const idsOf = async (q: string) => {
      const path = `/v1/search?limit=100&q=${encodeURIComponent(q)}`;
      const { text } = await send(world.port, { path, key });
      const { passages } = JSON.parse(text) as { passages: { memory_id: string }[] };
      return passages.map(({ memory_id }) => memory_id).toSorted();
    };
    const having = (has: (given: Given) => boolean) =>
      GIVEN.filter((each) => has(each) && each.people.length > 0).map(({ id }) => id);
    assert.deepEqual(
      await idsOf('fridge tag:WORK source:"omi"'),
      having(({ tags, product }) => tags.includes('work') && product === 'omi'),
    );
    assert.deepEqual(
      await idsOf('fridge tag:work tag:home'),
      having(({ tags }) => tags.length === 2),
    );
    assert.deepEqual(await idsOf('fridge tag:nowhere'), []);
  });

  it('finds all memories within its limits, newest first, if its question has nothing else', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', []);
    fill(world);
    const get = async (path: string) => {
      const { text } = await send(world.port, { path, key });
      return JSON.parse(text) as unknown;
    };
    for (const [q, filters] of [
      ['tag:work', 'tag=work'],
      ['source:omi tag:home', 'source=omi&tag=home'],
      ['before:2099', 'started_before=2099-01-01'],
      ['after:2099', 'started_after=2099-01-01'],
    ] as const) {
      const list = (await get(`/v1/memories?fields=id&${filters}`)) as { id: string }[];
      const found = (await get(`/v1/search?limit=100&q=${q.replace(' ', '+')}`)) as {
        passages: { memory_id: string }[];
        memories_found: number;
      };
      const listed = list.map(({ id }) => id);
      assert.deepEqual(
        found.passages.map(({ memory_id }) => memory_id),
        listed,
        q,
      );
      assert.equal(found.memories_found, listed.length);
    }
  });

  it('keeps its filters on the next page', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', []);
    fill(world);
    const found: string[] = [];
    for (let path = '/v1/search?q=fridge&limit=3&tag=work&person=Bo'; path !== '';) {
      const { text, headers } = await send(world.port, { path, key });
      for (const { memory_id } of JSON.parse(text).passages) found.push(memory_id);
      path = /<([^>]+)>; rel="next"/.exec(headers['link'] ?? '')?.[1] ?? '';
    }
    const expected = GIVEN.filter(
      ({ people, tags }) => people.includes('Bo') && tags.includes('work'),
    );
    assert.deepEqual(
      found.toSorted(),
      expected.map(({ id }) => id),
    );
  });
});

describe('A filter', () => {
  it('of another form gets a 422 that says what it takes', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', []);
    const long = 'x'.repeat(201);
    const eleven = Array.from({ length: 11 }, (_, i) => `person=p${i}`).join('&');
    for (const [query, detail] of [
      ['tag=', 'The parameter "tag" takes a whole name of 1 to 200 characters.'],
      [`source=${long}`, 'The parameter "source" takes a whole name of 1 to 200 characters.'],
      ['tag=a&tag=b', 'Send the parameter "tag" once.'],
      [
        eleven,
        'The parameter "person" takes a whole name of 1 to 200 characters; repeat it for memories with all of up to 10 people.',
      ],
      [
        'person=%20',
        'The parameter "person" takes a whole name of 1 to 200 characters; repeat it for memories with all of up to 10 people.',
      ],
    ] as const) {
      const response = await send(world.port, { path: `/v1/memories?${query}`, key });
      assert.equal(assertFailure(response, 422), detail);
    }
  });

  it('that few memories pass reads on over many that do not', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', []);
    fill(world);
    const pages = await walk(
      { port: world.port, key },
      '/v1/memories?limit=2&person=Bo&tag=home&q=fridge',
    );
    const expected = GIVEN.filter(
      ({ people, tags }) => people.includes('Bo') && tags.includes('home'),
    );
    assert.deepEqual(pages.flatMap(ids), expected.map(({ id }) => id).toReversed());
  });
});

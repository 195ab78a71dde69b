// The months of what a search finds, for the strip above its results: those of all pages, in the time zone of the reader.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { SearchResult } from '../../src/contract/schemas/passages.ts';
import { createPostingsCache } from '../../src/gateway/endpoints/search/cached-postings.ts';
import { createCountMonths } from '../../src/gateway/endpoints/search/found-months.ts';
import { createFairTime } from '../../src/gateway/fair-share/time.ts';
import { prepareMemory } from '../../src/store/import/memory-row.ts';
import type { Store } from '../../src/store/store.ts';
import { createAppWorld, NO_STORE } from '../support/app/app-world.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { person, readDetails } from '../support/world/details.ts';
import { memory } from '../support/world/world.ts';

const HOUR_MS = 3_600_000;

/** A memory every 37 hours, of about 15 months. Every third one has a word, and every fifth one a person. */
const MANY = Array.from({ length: 300 }, (_, at) => ({
  started_at: new Date(Date.UTC(2025, 0, 1) + at * 37 * HOUR_MS).toISOString(),
  hasWord: at % 3 === 0,
  hasPerson: at % 5 === 0,
}));

/** Counts memories by the months of a time zone that is some hours from UTC. */
function monthsOf(memories: typeof MANY, hours: number): Record<string, number> {
  const months: Record<string, number> = {};
  for (const { started_at } of memories) {
    const local = new Date(Date.parse(started_at) + hours * HOUR_MS);
    const month = local.toISOString().slice(0, 7);
    months[month] = (months[month] ?? 0) + 1;
  }
  return months;
}

describe('The months of what a search finds', () => {
  it('are those of all its memories, within its limits and in any time zone', async (t) => {
    const world = await createAppWorld(t);
    world.writer.memories.putReady(
      MANY.map(({ started_at, hasWord, hasPerson }, at) =>
        prepareMemory(
          'ana',
          memory({ id: `m${at}`, started_at, transcript: hasWord ? 'Ana: A zebra.' : 'Ana: Hm.' }),
          { read: readDetails({ people: hasPerson ? [person('Zoë')] : [] }) },
        ),
      ),
    );
    const browser = await world.signIn();
    const count = async (search: object) => {
      const { status, text } = await browser.post('/searches/months', search);
      return status === 200 ? (JSON.parse(text) as unknown) : text;
    };
    const found = MANY.filter(({ hasWord }) => hasWord);
    for (const [timezone, hours] of [
      [undefined, 0],
      ['Etc/GMT+12', -12],
      ['Etc/GMT-14', 14],
    ] as const)
      assert.deepEqual(await count({ q: 'zebra', timezone }), monthsOf(found, hours), `${hours}`);
    assert.deepEqual(
      await count({ q: 'zebra', person: ['zoe'] }),
      monthsOf(
        found.filter(({ hasPerson }) => hasPerson),
        0,
      ),
    );
    assert.deepEqual(
      await count({ q: 'zebra', started_after: '2025-03-10', started_before: '2025-05-02' }),
      monthsOf(
        found.filter(({ started_at: at }) => at >= '2025-03-10' && at < '2025-05-02'),
        0,
      ),
    );
    // Limits without words, and words that are spelled alike instead.
    assert.deepEqual(
      await count({ q: 'after:2025-06' }),
      monthsOf(
        [...MANY, { ...MANY[0]!, started_at: memory({ id: 'one' }).started_at }].filter(
          ({ started_at: at }) => at >= '2025-06',
        ),
        0,
      ),
    );
    assert.deepEqual(await count({ q: 'zebre' }), monthsOf(found, 0));
    assert.deepEqual(await count({ q: 'giraffe' }), {});
    // Of several words any, or all.
    assert.deepEqual(await count({ q: 'zebra giraffe' }), monthsOf(found, 0));
    assert.deepEqual(await count({ q: 'zebra giraffe', has_all_words: true }), {});
    assert.deepEqual(await count({ q: 'zebra ana', has_all_words: true }), monthsOf(found, 0));
    assert.deepEqual(
      await (
        await world.signIn('bo')
      )
        .post('/searches/months', { q: 'zebra' })
        .then(({ text }) => text),
      '{}',
    );
    assertFailure(await browser.post('/searches/months', { q: ' ' }), 422, '', NO_STORE);
  });

  it('belong to the newest memories with all words, which come by tens with their passages', async (t) => {
    const world = await createAppWorld(t);
    const said = (id: string, at: number, transcript: string) =>
      prepareMemory(
        'ana',
        memory({ id, started_at: new Date(at * HOUR_MS).toISOString(), transcript }),
      );
    world.writer.memories.putReady([
      ...Array.from({ length: 12 }, (_, at) => said(`z${at}`, at, 'Ana: A zebra.\nBo: In a zoo.')),
      said('half', 99, 'Ana: A zebra.'),
    ]);
    const browser = await world.signIn();
    const find = async (search: object) => {
      const { status, text } = await browser.post('/searches/newest', search);
      assert.equal(status, 200, text);
      return JSON.parse(text) as SearchResult & { with_any_word: number; next?: string };
    };
    const idsOf = ({ passages }: SearchResult) => [
      ...new Set(passages.map(({ memory_id }) => memory_id)),
    ];
    const first = await find({ q: 'zebra zoo' });
    assert.equal(first.memories_found, 12);
    assert.equal(first.with_any_word, 13, 'which is what Best finds');
    assert.deepEqual(
      idsOf(first),
      Array.from({ length: 10 }, (_, at) => `z${11 - at}`),
    );
    assert.ok(first.passages.every(({ marks }) => marks.length > 0));
    const { next, ...rest } = await find({ q: 'zebra zoo', cursor: first.next });
    assert.deepEqual([idsOf(rest), next], [['z1', 'z0'], undefined]);
    assert.deepEqual((await find({ q: 'zebra giraffe' })).absent_words, ['giraffe']);
    assertFailure(
      await browser.post('/searches/newest', { q: 'a', cursor: 'x' }),
      422,
      '',
      NO_STORE,
    );
  });

  it('are no estimate if a word is common among very many memories', async () => {
    const week = { start: 0, keys: Array.from({ length: 30_000 }, (_, at) => at) };
    const store: Partial<Store> = {
      readTransaction: (work) => work(),
      account: () => ({ revision: 'now', disabled_at: null }),
      memoryCount: () => ({ memories: 30_000, rest: undefined }),
      postings: ({ started_after }) => ({
        weeks: started_after === undefined ? [week] : [],
        rest: undefined,
      }),
      vocabulary: () => ({ words: [], postings: 0, rest: undefined }),
    };
    const parts = { now: () => 0, postings: createPostingsCache() };
    const countMonths = createCountMonths(store as Store, {
      ...parts,
      time: createFairTime(store),
    });
    const caller = { account_id: 'ana', revision: 'now', scope: undefined };
    const worker = { caller, transport: { signal: undefined } };
    assert.deepEqual(await countMonths(worker, { q: 'pine' }), { '1970-01': 30_000 });
  });
});

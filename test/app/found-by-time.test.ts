// The months of what a search finds, for the strip above its results: those of all pages, in the time zone of the reader.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { SearchResult } from '../../src/contract/schemas/passages.ts';
import { createPostingsCache } from '../../src/gateway/endpoints/search/cached-postings.ts';
import { createFindByTime } from '../../src/gateway/endpoints/search/found-by-time.ts';
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
    // Of several words any.
    assert.deepEqual(await count({ q: 'zebra giraffe' }), monthsOf(found, 0));
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

  it('belong to its newest memories, which come by tens with their passages, and are those of its best ones', async (t) => {
    const world = await createAppWorld(t);
    const said = (id: string, hours: number, transcript: string, who: string[] = []) =>
      prepareMemory(
        'ana',
        memory({ id, started_at: new Date(hours * HOUR_MS).toISOString(), transcript }),
        { read: readDetails({ people: who.map((name) => person(name)) }) },
      );
    world.writer.memories.putReady([
      // Some start at the same time, and in weeks of their own.
      ...Array.from({ length: 24 }, (_, at) =>
        said(`z${at}`, Math.floor(at / 2) * 100, 'Ana: A zebra.\nBo: In a zoo.', ['Bo']),
      ),
      said('half', 5000, 'Ana: A zebra.'),
      said('farm', 1, 'Ana: A farm with a zebra.'),
      said('far', 4000, ['Ana: A zoo.', ...Array(300).fill('Ana: Hm.'), 'Bo: Bye.'].join('\n'), [
        'Bo',
      ]),
    ]);
    const browser = await world.signIn();
    type Page = SearchResult & { readonly next?: object };
    const find = async (search: object): Promise<Page> => {
      const { status, text } = await browser.post('/searches/newest', search);
      assert.equal(status, 200, text);
      return JSON.parse(text) as Page;
    };
    const idsOf = ({ passages }: SearchResult) => [
      ...new Set(passages.map(({ memory_id }) => memory_id)),
    ];
    const findAll = async (search: object) => {
      const ids: string[] = [];
      for (let after: object | undefined, pages = 0; pages < 9; pages++) {
        const page = await find({ ...search, after });
        ids.push(...idsOf(page));
        after = page.next;
        if (after === undefined) return ids;
      }
      return assert.fail('the pages end');
    };
    const zoo = Array.from({ length: 24 }, (_, at) => `z${at}`).toSorted(
      (a, b) => Math.floor(+b.slice(1) / 2) - Math.floor(+a.slice(1) / 2) || (a < b ? -1 : 1),
    );
    const both = [...zoo.slice(0, -2), 'farm', ...zoo.slice(-2)];
    const first = await find({ q: 'zebra zoo' });
    assert.deepEqual([first.memories_found, first.memories_searched], [27, 28]);
    assert.deepEqual(idsOf(first), ['half', 'far', ...zoo.slice(0, 8)]);
    assert.ok(first.passages.every(({ marks }) => marks.length > 0));
    assert.deepEqual(await findAll({ q: 'zebra zoo' }), ['half', 'far', ...both]);
    const best = await world.gateway.as('ana').search({ q: 'zebra zoo', limit: 100 });
    assert.deepEqual(new Set(idsOf(best)), new Set(['half', 'far', ...both]));
    // A word that is spelled alike has its passages, a word that is left out leaves their memories out.
    const other = await find({ q: 'zebre', limit: 1 });
    assert.deepEqual([idsOf(other), other.passages[0]?.text], [['half'], 'Ana: A zebra.']);
    assert.deepEqual(other.searched_instead, { zebre: ['zebra'] });
    assert.deepEqual(await findAll({ q: 'zebra -farm' }), ['half', ...zoo]);
    // With a person, also those in which the person does not say anything near the word.
    assert.deepEqual(await findAll({ q: 'zoo', person: ['bo'] }), ['far', ...zoo]);
    const half = await find({ q: 'giraffe zebra', limit: 1 });
    assert.deepEqual([half.absent_words, half.passages[0]?.text], [['giraffe'], 'Ana: A zebra.']);
    const none = await find({ q: 'giraffe' });
    assert.deepEqual([none.passages, none.memories_found], [[], 0]);
    for (const wrong of [{ after: 'x' }, { limit: 11 }, { limit: 0 }])
      assertFailure(
        await browser.post('/searches/newest', { q: 'a', ...wrong }),
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
    const { months } = createFindByTime(store as Store, {
      ...parts,
      time: createFairTime(store),
    });
    const caller = { account_id: 'ana', revision: 'now', scope: undefined };
    const worker = { caller, transport: { signal: undefined } };
    assert.deepEqual(await months(worker, { q: 'pine' }), { '1970-01': 30_000 });
  });
});

describe('The words that a memory lacks', () => {
  it('are those of the search that none of its texts has in any form', async (t) => {
    const world = await createAppWorld(t);
    const said = (id: string, transcript: string, name = 'Talk') =>
      prepareMemory('ana', memory({ id, name, transcript }), { read: readDetails({}) });
    world.writer.memories.putReady([
      said('all', ['Ana: The budget.', ...Array(300).fill('Ana: Hm.'), 'Bo: A school.'].join('\n')),
      said('named', 'Bo: Two schools.', 'The budget'),
      said('school', 'Bo: A school, in June.'),
      said('begun', 'Bo: A schoolyard and a budget.'),
    ]);
    const browser = await world.signIn();
    const ids = ['all', 'named', 'school', 'begun', 'nobody'];
    const find = async (q: string) => {
      const { status, text } = await browser.post('/searches/lacked', { q, ids });
      assert.equal(status, 200, text);
      return JSON.parse(text) as unknown;
    };
    assert.deepEqual(await find('budget and school'), { school: ['budget'], begun: ['school'] });
    assert.deepEqual(await find('budget scho…'), { school: ['budget'] }, 'half typed');
    // The response of the search says which words nothing has, and what was searched instead. Dates are no words.
    assert.deepEqual(await find('budgat zebra school in june'), { begun: ['school'] });
    assert.deepEqual(await find('one two three four five six budget'), {}, 'a sentence');
    const stranger = await world.signIn('bo');
    assert.equal((await stranger.post('/searches/lacked', { q: 'budget school', ids })).text, '{}');
    for (const wrong of [[], ['a b']])
      assertFailure(
        await browser.post('/searches/lacked', { q: 'budget', ids: wrong }),
        422,
        '',
        NO_STORE,
      );
  });
});

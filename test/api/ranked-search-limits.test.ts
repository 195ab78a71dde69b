// What a ranked search promises besides its results: pages, caching, isolation, damage, and limits on hostile queries.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Memory } from '../../src/contract/schemas/memory.ts';
import type { Passage, SearchResult } from '../../src/contract/schemas/passages.ts';
import type { Store, SyncStore } from '../../src/store/store.ts';
import { engine } from '../support/engines/engine.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { createWorld, memory, type WorldOptions } from '../support/world/world.ts';

const DAY = 24 * 3_600_000;

function spoken(id: string, transcript: string, day = 0): Memory {
  const time = new Date(Date.UTC(2026, 0, 1) + day * DAY).toISOString();
  const summary = { quick_summary: '', key_takeaways: [] };
  return memory({ id, name: 'untitled', summary, started_at: time, ended_at: time, transcript });
}

async function createSearch(t: TestContext, list: readonly Memory[], options: WorldOptions = {}) {
  const world = await createWorld(t, options);
  const key = world.addAccount('ana', list);
  const ask = async (query: string, method = 'GET', headers: Record<string, string> = {}) =>
    fetch(`${world.url}/v1/search?${query}`, { method, headers: { 'x-api-key': key, ...headers } });
  const find = async (q: string): Promise<SearchResult> => {
    const response = await ask(`q=${encodeURIComponent(q)}`);
    assert.equal(response.status, 200, q);
    return (await response.json()) as SearchResult;
  };
  return { world, key, ask, find };
}

const WORDS = 'alder birch cedar elm fir hazel larch maple oak pine rowan willow'.split(' ');

/** Memories of two years in which each word is as common as its place in the list. */
const WOOD = Array.from({ length: 120 }, (_, i) =>
  spoken(
    `m${i}`,
    Array.from(
      { length: 30 },
      (_line, line) =>
        `Ana: ${WORDS.filter((_word, k) => (i * 31 + line * 7) % (k + 3) === 0).join(' ')} and so on`,
    ).join('\n'),
    i * 6,
  ),
);

describe('The pages of a search', () => {
  it('are together what one large page is, whatever limits them, without overlaps', async (t) => {
    const { ask } = await createSearch(t, WOOD);
    const whole = (await (await ask('q=cedar%20willow%20rowan&limit=100')).json()) as SearchResult;
    assert.equal(whole.passages.length, 100);
    for (const room of ['limit=7', 'limit=100&max_tokens=400', 'limit=3&max_tokens=2000']) {
      const seen: Passage[] = [];
      for (let query = `q=cedar%20willow%20rowan&${room}`; seen.length < 100;) {
        const response = await ask(query);
        const { passages } = (await response.json()) as SearchResult;
        assert.ok(passages.length > 0);
        seen.push(...passages);
        const [, next = ''] =
          /\/v1\/search\?([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
        assert.notEqual(next, '');
        query = next;
      }
      assert.deepEqual(seen.slice(0, 100).map(placeOf), whole.passages.map(placeOf), room);
      assert.equal(new Set(seen.map(placeOf)).size, seen.length, room);
    }
  });

  const placeOf = ({ memory_id, lines, source }: Passage) =>
    `${memory_id} ${source} ${lines.join('-')}`;
});

describe('A response of a search', () => {
  it('is conditional, has no body for HEAD, and can be compressed', async (t) => {
    const { world, ask } = await createSearch(t, WOOD);
    const first = await ask('q=cedar&limit=100', 'GET', { 'accept-encoding': 'identity' });
    const etag = first.headers.get('etag') ?? '';
    const text = await first.text();
    assert.match(etag, /^(W\/)?".+"$/);
    const again = await ask('q=cedar&limit=100', 'GET', { 'if-none-match': etag });
    assert.deepEqual([again.status, await again.text()], [304, '']);
    const head = await ask('q=cedar&limit=100', 'HEAD', { 'accept-encoding': 'identity' });
    assert.deepEqual([head.status, await head.text()], [200, '']);
    assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(text)));
    const packed = await ask('q=cedar&limit=100', 'GET', { 'accept-encoding': 'gzip' });
    assert.equal(packed.headers.get('content-encoding'), 'gzip');
    assert.equal(await packed.text(), text);
    world.writer.memories.put('ana', spoken('new', 'Ana: cedar', 1000));
    const changed = await ask('q=cedar&limit=100', 'GET', { 'if-none-match': etag });
    const { memories_searched } = (await changed.json()) as SearchResult;
    assert.deepEqual([changed.status, memories_searched], [200, WOOD.length + 1]);
  });

  it('is the same whatever another account has', async (t) => {
    const { world, find } = await createSearch(t, WOOD, { cacheBytes: 0 });
    const queries = ['cedar willow', 'maples', 'wilow', '"fir hazel"', 'ro*'];
    const alone = await Promise.all(queries.map(find));
    const list = Array.from({ length: 60 }, (_, i) =>
      spoken(`m${i}`, 'Ben: cedar wilow maples rosewood', i),
    );
    world.addAccount('ben', list);
    assert.deepEqual(await Promise.all(queries.map(find)), alone);
  });

  it('comes without suggestions rather than not at all if a memory is damaged', async (t) => {
    const list = [spoken('one', 'Ana: cedar'), spoken('two', 'Ana: larch', 1)];
    const { world, find } = await createSearch(t, list);
    const other = "(SELECT other.body FROM memories AS other WHERE other.id = 'one')";
    engine.edit(world.database, `UPDATE memories SET body = ${other} WHERE id = 'two'`);
    const { passages, absent_words } = await find('cedar quetzal');
    assert.deepEqual(
      [passages.map(({ memory_id }) => memory_id), absent_words],
      [['one'], ['quetzal']],
    );
  });

  it('names parameters that are wrong, and what was probably meant', async (t) => {
    const { ask } = await createSearch(t, WOOD);
    for (const [query, expected] of [
      ['query=cedar', /Unknown parameter \\"query\\". Did you mean \\"q\\"\?/],
      ['q=cedar&max_token=500', /Did you mean \\"max_tokens\\"\?/],
      ['q=cedar&memory_ids=m1', /Did you mean \\"memory_id\\"\?/],
      ['q=cedar&limit=0', /limit/],
      ['q=cedar&cursor=abc', /cursor/],
      ['q=cedar&started_after=soon', /started_after/],
    ] as const) {
      const response = await ask(query);
      assert.equal(response.status, 422, query);
      assert.match(await response.text(), expected, query);
    }
  });
});

describe('A hostile query', () => {
  const HOSTILE = {
    'a thousand letters as words': Array.from({ length: 512 }, (_, i) =>
      String.fromCodePoint(0x61 + (i % 26)),
    ).join(' '),
    'hundreds of words': Array.from({ length: 250 }, (_, i) => `w${i % 100}`).join(' '),
    'prefixes of one letter': Array.from(
      'abcdefghijklmnopqrstuvwxyz0123456789',
      (letter) => `${letter}*`,
    ).join(' '),
    'a phrase of hundreds of words': `"${'cedar and so on '.repeat(60)}"`,
    'many phrases': '"and so on" '.repeat(80),
    quotes: '"'.repeat(1024),
    stars: '* '.repeat(512),
    'operators of FTS5': 'cedar" OR words:* NEAR(a b) ^x AND NOT -- ; DROP TABLE memories',
    'marks on one letter': `a${'\u0301'.repeat(1000)}`,
    'halves of characters': '\uFFFD\u{1F468}\u200D'.repeat(200),
  };

  it('is answered, and finds only what has its words', async (t) => {
    const { find } = await createSearch(t, WOOD);
    for (const [what, q] of Object.entries(HOSTILE)) {
      const { passages } = await find(Array.from(q).slice(0, 1024).join(''));
      if (['quotes', 'stars', 'prefixes of one letter'].includes(what))
        assert.deepEqual(passages, [], what);
    }
  });

  it('on a transcript of one huge line finds its memory by the name, and others by their words', async (t) => {
    const huge = { ...spoken('huge', 'cedar '.repeat(500_000)), name: 'Notes on cedar' };
    const long = spoken('long', `${'tea '.repeat(100_000)}cedar ${'tea '.repeat(100_000)}`, 1);
    const { find } = await createSearch(t, [huge, long]);
    const { passages } = await find('cedar');
    assert.deepEqual(passages.map(({ memory_id, source }) => `${memory_id} ${source}`).toSorted(), [
      'huge name',
      'long transcript',
    ]);
    assert.ok(passages.every(({ text }) => text.length <= 1500));
  });
});

describe('A word that most memories of a large account have', () => {
  it('is looked up among the newest, unless a rarer word leads to others', async (t) => {
    const split = Date.UTC(2026, 0, 1) + 50 * DAY;
    // As if 29,992 more memories were there, of which none is found.
    const wrap = (store: SyncStore): Store => ({
      ...store,
      memoryCount(range, most) {
        if (range.before !== undefined) return { memories: 25_000, rest: undefined };
        if (range.started_after !== undefined) return store.memoryCount(range, most);
        return { memories: 5000, rest: { started_at: split, id: 'z' } };
      },
    });
    const newest = Array.from({ length: 8 }, (_, i) => spoken(`new${i}`, 'Ana: pine', 60 + i));
    const old = [spoken('pine', 'Ana: pine', 1), spoken('quartz', 'Ana: pine, quartz', 2)];
    const { find } = await createSearch(t, [...old, ...newest], { wrap });
    const idsOf = ({ passages }: SearchResult) => passages.map(({ memory_id }) => memory_id);
    const newestFirst = newest.map(({ id }) => id).toReversed();
    const common = await find('pine');
    assert.deepEqual(idsOf(common), newestFirst);
    assert.deepEqual([common.memories_found, common.memories_searched], [30_000, 30_000]);
    assert.deepEqual(idsOf(await find('p*')), newestFirst);
    assert.deepEqual(idsOf(await find('pine quartz')), ['quartz', ...newestFirst]);
    assert.deepEqual(idsOf(await find('quartz')), ['quartz']);
    assert.deepEqual(idsOf(await find('qu* pine')), ['quartz']);
    assert.deepEqual(idsOf(await find('"pine quartz" p*')), ['quartz']);
  });
});

/** So many that a busy machine answers another request before the search ends. */
const MANY_WORDS = [...WORDS, ...Array.from({ length: 60 }, (_, i) => `word${i}`)].join('%20');

describe('A search whose best memories have no passage that it may show', () => {
  it('goes on to the others instead of saying that there is nothing', async (t) => {
    const others = Array.from({ length: 600 }, (_, i) =>
      spoken(`m${i}`, 'Ana: The fridge is a crystal.\nBo: Good.', i + 1),
    );
    const { find } = await createSearch(t, [spoken('last', 'Bo: A fridge.'), ...others]);
    for (const q of ['fridge -crystal', 'speaker:bo fridge']) {
      const { passages } = await find(q);
      assert.deepEqual(
        passages.map(({ memory_id }) => memory_id),
        ['last'],
        q,
      );
    }
    assert.deepEqual((await find('fridge -fridge')).passages, []);
  });
});

describe('A search that takes many turns', () => {
  /** Counts the look-ups, and makes a clock by which each of them takes a whole turn. */
  function slowly(t: TestContext) {
    let lookUps = 0;
    let now = 0;
    t.mock.method(performance, 'now', () => (now += 1000));
    const wrap = (store: SyncStore): Store => ({
      ...store,
      postings(range) {
        lookUps++;
        return store.postings(range);
      },
    });
    return { wrap, lookUps: () => lookUps };
  }

  it('lets others be answered meanwhile', async (t) => {
    const { wrap, lookUps } = slowly(t);
    const { world, key, ask } = await createSearch(t, WOOD, { wrap });
    const searching = ask(`q=${MANY_WORDS}`);
    while (lookUps() === 0) await sleep(1);
    const before = lookUps();
    assert.equal((await send(world.port, { path: '/v1/memories/m1', key })).status, 200);
    const during = lookUps();
    assert.equal((await searching).status, 200);
    assert.ok(lookUps() > during, `${before}, ${during} and ${lookUps()} look-ups`);
  });

  it('stops when the client disconnects', async (t) => {
    const { wrap, lookUps } = slowly(t);
    const { world, key, ask } = await createSearch(t, WOOD, { wrap });
    await (await ask('q=elm%20willow%20rowan%20oak')).text();
    const whole = lookUps();
    const socket = connect(world.port, '127.0.0.1');
    socket.write(
      `GET /v1/search?q=cedar%20hazel%20maple%20pine HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`,
    );
    while (lookUps() === whole) await sleep(1);
    socket.resetAndDestroy();
    await sleep(300);
    const stopped = lookUps();
    await sleep(300);
    assert.equal(lookUps(), stopped);
    assert.ok(stopped - whole < whole, `${stopped - whole} of about ${whole} look-ups`);
    assertFailure(await send(world.port, { path: '/v1/search?q=a&memory_id=absent', key }), 404);
  });
});

// The `fields` parameter: memories are cut to the fields that were requested, byte for byte.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';

import { Memory, type MemoryField } from '../../src/contract/schemas/memory.ts';
import { onlyFiles } from '../support/engines/engine.ts';
import { items, linksOf, walk } from '../support/wire/lists.ts';
import { send } from '../support/wire/wire.ts';
import { startProcess } from '../support/world/program.ts';
import { cases } from '../support/world/thorough.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

const ALL = Object.keys(Memory.entries) as MemoryField[];
const SLIM = ALL.filter((name) => name !== 'transcript');

const NASTY = [
  '',
  'plain',
  '"quoted" \\ back\\slashed / </script> \b\f\n\r\t\v',
  'a\u0000b\u0000',
  '\u2028 and \u2029, \u007F \u0085 \uFEFF',
  'lone \uD800 and \uDC00\uD800 halves',
  '👩‍👩‍👧 🇪🇸 \u{10FFFF} 😀',
  '\\u0000 \\ud800 \\" $.transcript {"transcript":"no"} [0] \'',
  '"},{"id":"n1","name":"no","started_at":"2026","ended_at":"2026"}',
  'e\u0301 é ＡＢＣ مرحبا नमस्ते 今日は',
];

/** Memories in which each text is each of the nasty ones. */
const nasty = NASTY.map((each, i) => {
  const other = (by: number) => NASTY[(i + by) % NASTY.length]!;
  return memory({
    id: `n${i}`,
    name: each,
    started_at: `2026-11-1${i}T00:00:00.00${i}Z`,
    ended_at: '2026-12-31T23:59:59.999Z',
    duration_seconds: i === 0 ? Number.MAX_SAFE_INTEGER : i,
    summary: { quick_summary: other(1), key_takeaways: i === 0 ? [] : [other(2), other(3), each] },
    transcript: other(4),
  });
});

/** The expected bytes of a memory with some of its fields. */
function cut(whole: Memory, fields: readonly string[]): string {
  const wanted = ALL.filter((name) => name === 'id' || fields.includes(name));
  return JSON.stringify(Object.fromEntries(wanted.map((name) => [name, whole[name]])));
}

/** Many selections of fields: each alone, all except each, and every pair. */
const SOME: readonly (readonly MemoryField[])[] = [
  ...ALL.map((name) => [name]),
  ...ALL.map((name) => ALL.filter((each) => each !== name)),
  ...ALL.flatMap((a) => ALL.filter((b) => b > a).map((b) => [b, a])),
  ALL,
  ALL.toReversed(),
  SLIM.toReversed(),
];

describe('A memory with some of its fields', () => {
  async function createNasty(t: TestContext) {
    const world = await createWorld(t);
    const key = world.addAccount('ana', nasty);
    const wholes = nasty.map((each) => ({ ...each, user_id: 'ana' }));
    const get = (path: string, headers = {}) => send(world.port, { path, key, headers });
    return { world, key, wholes, get };
  }

  it('has them in the order of the contract, always with the id, byte for byte as in the whole memory', async (t) => {
    const { wholes, get } = await createNasty(t);
    for (const whole of wholes) {
      const path = `/v1/memories/${whole.id}`;
      assert.equal((await get(path)).text, JSON.stringify(whole), 'the whole');
      for (const fields of SOME) {
        const answer = await get(`${path}?fields=${fields.join()}`);
        assert.equal(answer.text, cut(whole, fields), fields.join());
      }
    }
  });

  it('joins repeated lists, as generated clients write them', async (t) => {
    const { get } = await createNasty(t);
    for (const path of ['/v1/memories/n1', '/v1/memories']) {
      const joined = await get(`${path}?fields=name,started_at,summary`);
      const repeated = await get(`${path}?fields=name&fields=started_at&fields=summary`);
      assert.deepEqual([repeated.status, repeated.text], [200, joined.text]);
      assert.equal(
        (await get(`${path}?fields=name&%66ields=summary,started_at`)).text,
        joined.text,
      );
      for (const wrong of [
        'fields=name&fields=name',
        'fields=name&fields=',
        'fields=name&fields=x',
      ])
        assert.equal((await get(`${path}?${wrong}`)).status, 422, wrong);
    }
  });

  it('is the same in a list, in a page and in a search', async (t) => {
    const { world, key, wholes, get } = await createNasty(t);
    world.writer.memories.put('ana', memory({ id: 'zed', started_at: '2020-01-01T00:00:00.000Z' }));
    for (const fields of SOME) {
      const listed = wholes.toReversed().map((whole) => cut(whole, fields));
      const rest = `&fields=${fields.join('%2C')}&started_after=2026-01-01`;
      assert.equal((await get(`/v1/memories?order=desc${rest}`)).text, `[${listed.join()}]`);
      const pages = await walk({ ...world, key }, `/v1/memories?limit=4${rest}`);
      const paged = pages.map((page) => page.text.slice(1, -1)).join();
      assert.equal(paged, listed.join(), fields.join());
    }
    const found = await get('/v1/memories?q=nothing%20here&fields=name');
    assert.equal(found.text, '[]');
    const path = `/v1/memories?q=plain&fields=id,summary&order=asc`;
    const plain = wholes.filter(({ name, summary, transcript }) =>
      [name, summary.quick_summary, ...summary.key_takeaways, transcript].includes('plain'),
    );
    assert.ok(plain.length >= 3);
    assert.equal((await get(path)).text, `[${plain.map((each) => cut(each, ['summary'])).join()}]`);
  });

  it('is the whole memory with its etag if all nine are requested', async (t) => {
    const { wholes, get } = await createNasty(t);
    for (const { id } of wholes) {
      const path = `/v1/memories/${id}`;
      const whole = await get(path);
      const all = await get(`${path}?fields=${ALL.toReversed().join()}`);
      assert.ok(all.body.equals(whole.body));
      assert.equal(all.headers['etag'], whole.headers['etag']);
      const held = { 'if-none-match': String(whole.headers['etag']) };
      assert.equal((await get(`${path}?fields=${ALL.join()}`, held)).status, 304);
    }
    const [list, all] = [await get('/v1/memories'), await get(`/v1/memories?fields=${ALL.join()}`)];
    assert.ok(all.body.equals(list.body));
    assert.equal(all.headers['etag'], list.headers['etag']);
  });

  it('has an etag that gets 304 for the same fields only', async (t) => {
    const { world, get } = await createNasty(t);
    for (const path of ['/v1/memories/n5', '/v1/memories']) {
      const tags = new Map<string, string>();
      for (const fields of ['', ...SLIM.slice(1), 'transcript', 'name,summary', SLIM.join()]) {
        const target = fields === '' ? path : `${path}?fields=${fields}`;
        const etag = String((await get(target)).headers['etag']);
        assert.match(etag, /^"[^"]+"$/);
        assert.equal((await get(target, { 'if-none-match': etag })).status, 304, target);
        tags.set(target, etag);
      }
      assert.equal(new Set(tags.values()).size, tags.size, 'each has its own');
      const [first = ''] = tags.values();
      for (const target of [...tags.keys()].slice(1))
        assert.equal((await get(target, { 'if-none-match': first })).status, 200, target);
      // Another order of the names gives the same bytes.
      const names = await get(`${path}?fields=summary,id,name`);
      assert.equal(names.headers['etag'], tags.get(`${path}?fields=name,summary`));
    }
    const path = '/v1/memories/n5?fields=name';
    const before = String((await get(path)).headers['etag']);
    world.writer.memories.put('ana', { ...nasty[5]!, name: 'other' });
    assert.equal((await get(path, { 'if-none-match': before })).status, 200);
  });

  it('is never the memory of another account', async (t) => {
    const { world } = await createNasty(t);
    const bo = world.addAccount('bo');
    for (const path of ['/v1/memories/n1?fields=name', '/v1/memories/nowhere?fields=name']) {
      const answer = await send(world.port, { path, key: bo, headers: { 'if-none-match': '*' } });
      assert.equal(answer.status, 404);
    }
  });
});

describe('A list without transcripts', () => {
  const COUNT = cases(300, 50);

  it('reads no transcript from the disk', { skip: onlyFiles }, async (t) => {
    if (!existsSync('/proc/self/io'))
      return t.skip('NOT SHOWN HERE: /proc/self/io, which counts read bytes, is missing');
    const world = await createWorld(t);
    world.addAccount('bo');
    world.addAccount('ana');
    world.writer.memories.putAll('ana', memories(COUNT, 100_000));
    world.writer.close(); // so that everything is in the database file itself
    const pagesOf = async (query: string) => {
      const child = startProcess([world.database, query], {
        script: 'test/support/processes/count-pages-program.ts',
      });
      return JSON.parse(await text(child.stdout)) as { memories: number; pages: number };
    };
    const queries = [
      'limit=1000',
      'fields=id,name,started_at&limit=1000',
      'fields=id,name,started_at',
      `fields=${SLIM.join()}`,
    ];
    const found: Record<string, number> = {};
    for (const query of queries) {
      const { memories: count, pages } = await pagesOf(query);
      assert.equal(count, COUNT, query);
      found[query] = pages;
      t.diagnostic(`${query}: ${pages} pages read for ${count} memories`);
    }
    const [whole = '', ...slim] = queries;
    assert.ok(found[whole]! > 25 * COUNT, 'the list with transcripts reads them');
    for (const query of slim) assert.ok(found[query]! <= 3 * COUNT, `${query}: ${found[query]}`);
  });

  it('is sent in one piece, even if the whole memories would be a stream', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(30, 50_000));
    const slim = await send(world.port, { path: '/v1/memories?limit=20&fields=name', key });
    assert.equal(slim.headers['content-length'], String(slim.body.length));
    assert.equal(items(slim).length, 20);
    const whole = await send(world.port, { path: '/v1/memories?limit=20', key });
    assert.equal(whole.headers['transfer-encoding'], 'chunked');
    assert.equal(linksOf(slim)['next'] === undefined, false);
    const cutFromWhole = await send(world.port, {
      path: '/v1/memories?limit=20&fields=transcript,id',
      key,
    });
    const expected = items(whole).map((each) => ({
      id: each['id'],
      transcript: each['transcript'],
    }));
    assert.deepEqual(items(cutFromWhole), expected);
  });

  it('has the memories of the whole list, in its order, whatever index or chunk they come from', async (t) => {
    const world = await createWorld(t);
    const summary = { quick_summary: '', key_takeaways: [] };
    const all = memories(2500).map((each, i) => ({
      ...each,
      name: NASTY[i % NASTY.length]!,
      summary,
      is_processing: i % 3 === 0,
    }));
    const key = world.addAccount('ana', all);
    const whole = items(await send(world.port, { path: '/v1/memories', key }));
    assert.equal(whole.length, 2500);
    for (const fields of [
      ['id'],
      ['id', 'started_at'],
      ['id', 'name'],
      ['id', 'name', 'started_at'],
      SLIM.slice(0, -1),
      ['id', 'name', 'ended_at'],
      ['id', 'transcript'],
    ])
      for (const query of [
        '',
        '&order=asc',
        '&started_after=2026-01-01T00:00:00Z',
        '&limit=1000',
      ]) {
        const path = `/v1/memories?fields=${fields.join()}${query}`;
        const found = items(await send(world.port, { path, key }));
        const list = query === '&order=asc' ? whole.toReversed() : whole;
        const expected = list.map((each) => Object.fromEntries(fields.map((f) => [f, each[f]])));
        assert.deepEqual(
          found,
          query.startsWith('&limit') ? expected.slice(0, 1000) : expected,
          path,
        );
      }
  });
});

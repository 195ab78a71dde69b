// GET /v1/changes: the memories that were written and deleted, for clients that keep a copy.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import type { Change } from '../../src/contract/schemas/memory.ts';
import { noting } from '../support/engines/counting-store.ts';
import { engine } from '../support/engines/engine.ts';
import { linksOf } from '../support/wire/lists.ts';
import { assertAlways, assertFailure, comparable } from '../support/wire/response-shape.ts';
import { send, type WireAnswer } from '../support/wire/wire.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

function changes(answer: WireAnswer): Change[] {
  assert.equal(answer.status, 200, answer.text);
  return JSON.parse(answer.text) as Change[];
}

/** The changes without their times. */
function told(answer: WireAnswer): string[] {
  return changes(answer).map(({ memory_id, change }) => `${change} ${memory_id}`);
}

function nextOf(answer: WireAnswer): string {
  const links = linksOf(answer);
  assert.deepEqual(Object.keys(links), ['next'], 'there in every response, and no other link');
  assert.match(links['next'] ?? '', /^\/v1\/changes\?since=[\w-]+$/);
  return String(links['next']);
}

async function createFeed(t: TestContext, calls: string[] = []) {
  const world = await createWorld(t, { wrap: noting(calls), cacheBytes: 0 });
  const key = world.addAccount('ana');
  const get = (path = '/v1/changes', headers = {}) => send(world.port, { path, key, headers });
  return {
    world,
    key,
    get,
    put: (id: string, name = id) => world.writer.memories.put('ana', memory({ id, name })),
  };
}

describe('The changes feed', () => {
  it('is an array of changes, oldest first, each with its id, kind and time', async (t) => {
    const { world, get, put } = await createFeed(t);
    for (const id of ['b', 'a', 'c']) put(id);
    world.writer.memories.delete('ana', 'a');
    const answer = await get();
    assertAlways(answer);
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.deepEqual(told(answer), ['upsert b', 'upsert c', 'delete a']);
    for (const each of changes(answer)) {
      assert.deepEqual(Object.keys(each), ['memory_id', 'change', 'changed_at']);
      assert.match(each.changed_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.ok(Math.abs(Date.parse(each.changed_at) - Date.now()) < 60_000, each.changed_at);
    }
  });

  it('of an account without memories is empty, and has a link to continue with', async (t) => {
    const { get, put } = await createFeed(t);
    const first = await get();
    assert.equal(first.text, '[]');
    const next = nextOf(first);
    assert.equal((await get(next)).text, '[]');
    assert.equal(nextOf(await get(next)), next, 'the same as long as nothing changes');
    put('a');
    assert.deepEqual(told(await get(next)), ['upsert a']);
    assert.equal(
      next,
      nextOf(await createFeed(t).then((other) => other.get())),
      'and has no changes',
    );
  });

  it('continues where it ended, with the new changes or with none', async (t) => {
    const { world, get, put } = await createFeed(t);
    put('a');
    put('b');
    let next = nextOf(await get());
    assert.deepEqual(told(await get(next)), []);
    put('c');
    put('a', 'again');
    const answer = await get(next);
    assert.deepEqual(told(answer), ['upsert c', 'upsert a']);
    next = nextOf(answer);
    assert.deepEqual(told(await get(next)), []);
    world.writer.memories.delete('ana', 'b');
    assert.deepEqual(told(await get(next)), ['delete b']);
    assert.deepEqual(told(await get(next)), ['delete b'], 'a cursor can be used again');
  });

  it('returns 1,000 changes by default, or as many as limit says, also on later pages', async (t) => {
    const { world, get } = await createFeed(t);
    world.writer.memories.putAll('ana', memories(2100));
    const all = memories(2100).map(({ id }) => `upsert ${id}`);
    const follow = async (first: string) => {
      const answers: string[][] = [];
      for (let path = first; ;) {
        const answer = await get(path);
        answers.push(told(answer));
        path = nextOf(answer);
        if (answers.at(-1)!.length === 0) return answers;
      }
    };
    for (const [query, size] of [
      ['', 1000],
      ['?limit=700', 700],
      ['?limit=1000', 1000],
      ['?limit=999', 999],
    ] as const) {
      const answers = await follow(`/v1/changes${query}`);
      assert.deepEqual(answers.flat(), all, query);
      assert.deepEqual(answers[0]?.length, size, query);
      assert.equal(answers.length, Math.ceil(2100 / size) + 1, query);
    }
    const next = nextOf(await get('/v1/changes?limit=10'));
    assert.deepEqual(told(await get(`${next}&limit=3`)), all.slice(10, 13));
    assert.deepEqual(told(await get(next)), all.slice(10, 20));
  });

  it('has each memory once, in its latest state, and again only when it changed again', async (t) => {
    const { world, get, put } = await createFeed(t);
    put('a');
    put('b');
    const between = nextOf(await get('/v1/changes?limit=1'));
    put('a', 'second');
    put('a', 'third');
    assert.deepEqual(told(await get()), ['upsert b', 'upsert a']);
    assert.deepEqual(told(await get(`${between}&limit=9`)), ['upsert b', 'upsert a']);
    world.writer.memories.delete('ana', 'a');
    assert.deepEqual(told(await get()), ['upsert b', 'delete a']);
    const after = nextOf(await get());
    put('a', 'back');
    assert.deepEqual(told(await get()), ['upsert b', 'upsert a']);
    assert.deepEqual(told(await get(after)), ['upsert a'], 'deleted and put again');
    world.writer.memories.delete('ana', 'a');
    put('a', 'back');
    world.writer.memories.delete('ana', 'a');
    assert.deepEqual(told(await get(after)), ['delete a']);
  });

  it('has the writes of a transaction in their order, and none of a transaction that was rolled back', async (t) => {
    const { world, get, put } = await createFeed(t);
    put('a');
    const next = nextOf(await get());
    world.writer.transaction(() => {
      put('c');
      put('b');
      put('c', 'again');
      put('d');
      world.writer.memories.delete('ana', 'a');
      world.writer.memories.delete('ana', 'd');
    });
    const committed = ['upsert b', 'upsert c', 'delete a', 'delete d'];
    assert.deepEqual(told(await get(next)), committed);
    const etag = (await get(next)).headers['etag'];
    const undone = () =>
      world.writer.transaction(() => {
        put('e');
        world.writer.memories.delete('ana', 'b');
        throw new Error('rolled back');
      });
    assert.throws(undone, /rolled back/);
    assert.deepEqual(told(await get(next)), committed);
    assert.equal((await get(next)).headers['etag'], etag);
    put('f');
    assert.deepEqual(told(await get(next)), [...committed, 'upsert f']);
  });

  it('does not advance if a write changes nothing', async (t) => {
    const { world, get, put } = await createFeed(t);
    put('a');
    const before = comparable(await get());
    assert.equal(put('a'), false);
    assert.equal(world.writer.memories.delete('ana', 'nowhere'), false);
    world.addKey('ana');
    assert.deepEqual(comparable(await get()), before);
  });

  it('has the writes of several processes in the order of their commits', async (t) => {
    const { world, get, put } = await createFeed(t);
    const other = engine.write(t, world.database);
    let next = nextOf(await get());
    const expected: string[] = [];
    for (let i = 0; i < 12; i++) {
      if (i % 3 === 0) put(`m${i}`);
      else other.memories.put('ana', memory({ id: `m${i}` }));
      expected.push(`upsert m${i}`);
      const answer = await get(next);
      assert.deepEqual(told(answer), [`upsert m${i}`]);
      next = nextOf(answer);
    }
    assert.deepEqual(told(await get()), expected);
  });
});

describe('The time of a change', () => {
  it('is never earlier than the one before it, even when the clock goes back', async (t) => {
    const { world, get, put } = await createFeed(t);
    put('a');
    put('b');
    // Simulates a clock that was an hour ahead when `b` was written.
    const ahead = Date.now() + 3_600_000;
    engine.edit(world.database, `UPDATE changes SET changed_at = ${ahead} WHERE memory_id = 'b'`);
    put('c');
    put('a', 'again');
    world.writer.memories.delete('ana', 'c');
    const times = changes(await get()).map(({ changed_at }) => Date.parse(changed_at));
    assert.deepEqual(times, [ahead, ahead, ahead]);
    assert.deepEqual(told(await get()), ['upsert b', 'upsert a', 'delete c'], 'by commit');
  });
});

describe('A deleted memory', () => {
  it('leaves its id and the time, in the response and in the table', async (t) => {
    const { world, get } = await createFeed(t);
    const secret = memory({ id: 'gone', name: 'Zanzibar', transcript: 'xylophone' });
    world.writer.memories.put('ana', secret);
    world.writer.memories.delete('ana', 'gone');
    const [only] = changes(await get());
    assert.deepEqual(only, { memory_id: 'gone', change: 'delete', changed_at: only?.changed_at });
    const rows = engine.edit(world.database, 'SELECT * FROM changes');
    assert.equal(rows.length, 1);
    assert.deepEqual(rows[0], {
      account_id: 'ana',
      seq: rows[0]?.['seq'],
      memory_id: 'gone',
      change: 'delete',
      changed_at: Date.parse(only?.changed_at ?? ''),
    });
    assert.deepEqual(engine.edit(world.database, 'SELECT id FROM memories'), []);
  });
});

describe('Another account', () => {
  it('is never in the feed, and its writes move neither cursor nor etag', async (t) => {
    const { world, get, put } = await createFeed(t);
    const bo = world.addAccount('bo', [memory({ id: 'shared' }), memory({ id: 'bos' })]);
    put('shared');
    put('mine');
    const first = comparable(await get());
    const rest = comparable(await get(nextOf(await get())));
    world.writer.memories.put('bo', memory({ id: 'shared', name: 'again' }));
    world.writer.memories.delete('bo', 'bos');
    world.writer.memories.putAll('bo', memories(50));
    assert.deepEqual(comparable(await get()), first);
    assert.deepEqual(comparable(await get(nextOf(await get()))), rest);
    const theirs = await send(world.port, { path: '/v1/changes?limit=2', key: bo });
    assert.deepEqual(told(theirs), ['upsert shared', 'delete bos']);
  });

  it('gets 410 for a cursor of ours', async (t) => {
    const { world, get, put } = await createFeed(t);
    for (const id of ['a', 'b', 'c']) put(id);
    const bo = world.addAccount('bo', [memory({ id: 'bos' })]);
    for (const path of [nextOf(await get('/v1/changes?limit=1')), nextOf(await get())]) {
      const answer = await send(world.port, { path, key: bo });
      assert.equal(answer.status, 410);
      assert.match(answer.text, /^\{"detail":"[^"]*start again without \\"since\\"[^"]*"\}$/);
    }
  });
});

describe('A feed that is requested again', () => {
  it('gets 304 by its etag, without reading changes, until something changed', async (t) => {
    const calls: string[] = [];
    const { get, put } = await createFeed(t, calls);
    put('a');
    for (const path of ['/v1/changes', '/v1/changes?limit=1', nextOf(await get())]) {
      const answer = await get(path);
      const held = { 'if-none-match': String(answer.headers['etag']) };
      calls.length = 0;
      const again = await get(path, held);
      assert.equal(again.status, 304, path);
      assert.equal(again.headers['etag'], answer.headers['etag']);
      assert.deepEqual(calls, ['apiKey'], 'the key is looked up, and nothing else');
      put('a', path);
      assert.equal((await get(path, held)).status, 200, path);
    }
    const tags = ['/v1/changes', '/v1/changes?limit=1', '/v1/changes?limit=2', nextOf(await get())];
    const etags = await Promise.all(tags.map(async (path) => (await get(path)).headers['etag']));
    assert.equal(new Set(etags).size, tags.length, 'each query has its own');
  });

  it('has the headers of GET for HEAD, and no body', async (t) => {
    const { world, key, get, put } = await createFeed(t);
    put('a');
    for (const path of ['/v1/changes', nextOf(await get())]) {
      const head = await send(world.port, { path, key, method: 'HEAD' });
      assert.deepEqual(
        { ...comparable(head), text: '' },
        { ...comparable(await get(path)), text: '' },
      );
      assert.equal(head.body.length, 0);
    }
  });
});

describe('The endpoint of the feed', () => {
  it('refuses a cursor that is cut off or not from this gateway', async (t) => {
    const { get, put } = await createFeed(t);
    put('a');
    put('b');
    const good = nextOf(await get('/v1/changes?limit=1')).split('=')[1] as string;
    assert.deepEqual(told(await get(`/v1/changes?since=${good}`)), ['upsert b']);
    const flipped = Array.from(
      good,
      (char, i) => `${good.slice(0, i)}${char === 'A' ? 'B' : 'A'}${good.slice(i + 1)}`,
    );
    for (const since of [
      ...flipped,
      good.slice(1),
      good.slice(0, -1),
      `${good}A`,
      `${good}=`,
      '0',
      '',
    ])
      assert.match(
        assertFailure(await get(`/v1/changes?since=${since}`), 422, since),
        /"since" takes a cursor/,
      );
  });
});

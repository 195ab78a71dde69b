// ETags of lists: each query has its own, a 304 reads no memory, and every write changes the etag.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { noting } from '../support/engines/counting-store.ts';
import { engine } from '../support/engines/engine.ts';
import { linksOf } from '../support/wire/lists.ts';
import { assertAlways, assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

/** A world with one account, and the calls to its store. */
async function createCounted(t: TestContext) {
  const calls: string[] = [];
  const world = await createWorld(t, { wrap: noting(calls), cacheBytes: 0 });
  const key = world.addAccount('ana', memories(12));
  const get = (path: string, headers = {}) => send(world.port, { path, key, headers });
  const etagOf = async (path: string) => String((await get(path)).headers['etag']);
  return { world, calls, get, etagOf };
}

const QUERIES = [
  '',
  'order=asc',
  'limit=5',
  'limit=6',
  'limit=5&order=asc',
  'started_after=2026-01-01',
  'started_after=2026-01-02',
  'started_before=2026-01-02',
  'started_after=2026-01-01&timezone=Asia/Tokyo',
  'is_processing=true',
  'is_processing=false',
  'q=hello',
  'q=Hello*',
  'q=absent',
  'fields=name',
  'fields=name,summary',
  'fields=id,name,started_at,ended_at,is_processing,user_id,duration_seconds,summary',
];

describe('The etag of a list', () => {
  it('gets 304 without reading memories, for every kind of query and page', async (t) => {
    const { calls, get } = await createCounted(t);
    const { next = '' } = linksOf(await get('/v1/memories?limit=5'));
    const { first = '' } = linksOf(await get(next));
    for (const path of [
      ...QUERIES.map((query) => `/v1/memories?${query}`),
      next,
      `${next}&limit=2`,
      first,
    ]) {
      const answer = await get(path);
      const etag = String(answer.headers['etag']);
      assert.match(etag, /^"[^"]+"$/, path);
      for (const held of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        calls.length = 0;
        const again = await get(path, { 'if-none-match': held });
        assert.equal(again.status, 304, path);
        assert.equal(again.body.length, 0);
        assert.equal(again.headers['etag'], etag);
        assertAlways(again, path);
        assert.deepEqual(calls, ['apiKey'], `${path}: the key is looked up, and nothing else`);
      }
      assert.equal((await get(path, { 'if-none-match': '"x"' })).text, answer.text, path);
    }
  });

  it('differs for every query and every page', async (t) => {
    const { get, etagOf } = await createCounted(t);
    const { next = '' } = linksOf(await get('/v1/memories?limit=5'));
    const { next: last = '' } = linksOf(await get(next));
    const paths = [
      ...QUERIES.map((query) => `/v1/memories?${query}`),
      next,
      `${next}&limit=2`,
      last,
    ];
    const tags = await Promise.all(paths.map(etagOf));
    assert.equal(new Set(tags).size, paths.length);
  });

  it('is the same for the same query, however the query is spelt', async (t) => {
    const { get, etagOf } = await createCounted(t);
    const parts = [
      'limit=5',
      'order=asc',
      'started_after=2026-01-01',
      'started_before=2026-02-01',
      'timezone=Europe/Berlin',
      'is_processing=false',
      'q=hello',
      'fields=name',
    ];
    const etag = await etagOf(`/v1/memories?${parts.join('&')}`);
    const turned = parts.map((_, i) => [...parts.slice(i), ...parts.slice(0, i)].join('&'));
    for (const query of [
      ...turned,
      parts.toReversed().join('&'),
      `&&${parts.join('&')}&`,
      parts.join('&').replaceAll('e', '%65'),
    ])
      assert.equal(await etagOf(`/v1/memories?${query}`), etag, query);
    const same: readonly (readonly string[])[] = [
      [
        '',
        'order=desc',
        'timezone=UTC',
        'fields=id,name,started_at,ended_at,is_processing,user_id,duration_seconds,summary,transcript',
      ],
      [
        'started_after=2026-01-01',
        'started_after=2026-01-01T00:00:00Z',
        'started_after=2026-01-01T01:00:00.0009%2B01:00',
        'started_after=2026-01-01&timezone=Etc/UTC',
      ],
      ['fields=name', 'fields=id,name', 'fields=name,id', 'fields=name%2Cid'],
    ];
    for (const [first, ...others] of same)
      for (const other of others)
        assert.equal(
          await etagOf(`/v1/memories?${other}`),
          await etagOf(`/v1/memories?${first}`),
          other,
        );
    const { next = '' } = linksOf(await get(`/v1/memories?${parts.join('&')}`));
    assert.equal(
      await etagOf(`${next}&limit=5`),
      await etagOf(next),
      'the limit that it has already',
    );
  });

  it('changes with every write of the account, and with no other write', async (t) => {
    const { world, get, etagOf } = await createCounted(t);
    const { next = '' } = linksOf(await get('/v1/memories?limit=5'));
    const paths = ['/v1/memories', '/v1/memories?q=absent', '/v1/memories?fields=id&limit=1', next];
    const all = () => Promise.all(paths.map(etagOf));
    const { memories: writes, transaction } = world.writer;
    const seen = new Set(await all());
    const changes: readonly (() => unknown)[] = [
      () => writes.put('ana', memory({ id: 'm003', name: 'other' })),
      () => writes.put('ana', memory({ id: 'new' })),
      () => writes.delete('ana', 'm004'),
      () => writes.delete('ana', 'new'),
      () => writes.put('ana', memory({ id: 'new' })),
      () => engine.edit(world.database, "UPDATE memories SET name = 'by hand' WHERE id = 'm002'"),
      () => transaction(() => [writes.put('ana', memory({ id: 'x' })), writes.delete('ana', 'x')]),
    ];
    for (const [i, change] of changes.entries()) {
      change();
      const tags = await all();
      for (const tag of tags) assert.ok(!seen.has(tag), `change ${i}`);
      for (const tag of tags) seen.add(tag);
    }
    const before = await all();
    writes.put('ana', memory({ id: 'new' }));
    writes.delete('ana', 'nowhere');
    world.addAccount('bo', memories(3));
    world.addKey('ana');
    assert.throws(
      () => transaction(() => [writes.delete('ana', 'new'), assert.fail('undone')]),
      /undone/,
    );
    assert.deepEqual(await all(), before);
  });

  it('is compared only after the key and the parameters were checked', async (t) => {
    const { world, get } = await createCounted(t);
    const held = { 'if-none-match': '*' };
    assertFailure(await send(world.port, { headers: held }), 401);
    for (const query of ['limit=0', 'cursor=x', 'nothing=1', 'fields=x', 'q='])
      assertFailure(await get(`/v1/memories?${query}`, held), 422, query);
    assertFailure(await get('/v1/memories', { ...held, timezone: 'UTC' }), 422);
  });
});

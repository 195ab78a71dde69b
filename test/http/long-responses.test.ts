// Long responses: an account has a limited number of them open, and a few of these are compressed.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { createFairMemory } from '../../src/gateway/fair-share/held-bytes.ts';
import { andThen } from '../../src/lib/async.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { createWorld, memories } from '../support/world/world.ts';

const MB = 1024 * 1024;

/** Serves two accounts, whose long lists wait in the middle until `release` is called. */
async function createWaiting(t: TestContext) {
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const world = await createWorld(t, {
    wrap: (store) => ({
      ...store,
      chunk: (...args) => gate.then(() => andThen(store.chunk(...args), (chunk) => chunk)),
    }),
  });
  const [key, other] = ['ana', 'bo'].map((id) => world.addAccount(id, memories(40, 20_000)));
  assert.ok(key !== undefined && other !== undefined);
  /** Opens a list, and returns its response once the headers have come. */
  const open = async (apiKey: string, encoding = 'identity') => {
    const headers = { 'x-api-key': apiKey, 'accept-encoding': encoding };
    const sent = get({ port: world.port, path: '/v1/memories', headers, agent: false });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.on('error', () => {});
    return response;
  };
  t.after(() => release());
  return { ...world, key, other, open, release };
}

const encodingOf = ({ headers }: IncomingMessage) => headers['content-encoding'];

describe('An account with 64 long lists open', () => {
  it('gets 429 with Retry-After for the next, until one ends', async (t) => {
    const { port, key, open } = await createWaiting(t);
    const lists = await Promise.all(Array.from({ length: 64 }, () => open(key)));
    assert.ok(lists.every(({ statusCode }) => statusCode === 200));
    for (const path of ['/v1/memories', '/v1/memories?limit=39']) {
      const refused = await send(port, { key, path });
      assertFailure(refused, 429);
      assert.match(String(refused.headers['retry-after']), /^[1-9]\d*$/);
    }
    lists[0]?.destroy();
    let again = await open(key);
    for (let tries = 0; again.statusCode === 429 && tries < 100; tries++) {
      await sleep(20); // the server has yet to notice
      again = await open(key);
    }
    assert.equal(again.statusCode, 200);
  });

  it('still gets memories, short pages and 304, and other accounts get their lists', async (t) => {
    const { port, key, other, open } = await createWaiting(t);
    const [first] = await Promise.all(Array.from({ length: 64 }, () => open(key)));
    for (const path of ['/v1/memories/m001', '/v1/memories?limit=5', '/v1/changes'])
      assert.equal((await send(port, { key, path })).status, 200, path);
    const headers = { 'if-none-match': String(first?.headers['etag']) };
    assert.equal((await send(port, { key, headers })).status, 304);
    assert.equal((await open(other)).statusCode, 200);
  });

  it('gets every list whole once they go on', async (t) => {
    const { port, key, open, release } = await createWaiting(t);
    const lists = await Promise.all(Array.from({ length: 64 }, () => open(key)));
    release();
    for (const list of lists) {
      let text = '';
      for await (const part of list.setEncoding('utf8')) text += String(part);
      assert.equal((JSON.parse(text) as unknown[]).length, 40);
    }
    assert.equal((await send(port, { key })).status, 200);
  });
});

describe('Long lists that are compressed', () => {
  it('are four for an account: the fifth is sent unencoded', async (t) => {
    const { key, other, open } = await createWaiting(t);
    for (const encoding of ['zstd', 'br', 'gzip', 'zstd'])
      assert.equal(encodingOf(await open(key, encoding)), encoding);
    const fifth = await open(key, 'zstd, gzip');
    assert.equal(fifth.statusCode, 200);
    assert.equal(encodingOf(fifth), undefined);
    assert.match(String(fifth.headers['etag']), /^"[\da-f]{64}"$/);
    assert.equal(encodingOf(await open(other, 'zstd')), 'zstd', 'another account');
  });

  it('are refused with 429 beyond that if the caller refuses unencoded bytes', async (t) => {
    const { key, open } = await createWaiting(t);
    await Promise.all(Array.from({ length: 4 }, () => open(key, 'gzip')));
    for (const encoding of ['gzip, identity;q=0', 'gzip, *;q=0'])
      assert.equal((await open(key, encoding)).statusCode, 429, encoding);
    // A refused list does not count: 60 more fit in.
    const more = await Promise.all(Array.from({ length: 61 }, () => open(key)));
    assert.equal(more.filter(({ statusCode }) => statusCode === 200).length, 60);
  });
});

describe('The register of long responses', () => {
  it('lets a single response be as large as it is, and no second one beside it', () => {
    const { start } = createFairMemory();
    const huge = start('ana', 500 * MB);
    assert.throws(() => start('ana', 1), { status: 429 });
    start('bo', 60 * MB);
    huge.end();
    huge.end();
    start('ana', 60 * MB);
    start('ana', 4 * MB);
    assert.throws(() => start('ana', 1), { status: 429 });
  });

  it('compresses at most 64 streams of all accounts, and counts each until its end', () => {
    const { start } = createFairMemory();
    const streams = Array.from({ length: 20 * 4 }, (_, i) => start(`account ${i % 20}`, MB));
    assert.deepEqual(
      streams.map(({ mayCompress }) => mayCompress()),
      streams.map((_, i) => i < 64),
    );
    streams[0]?.end();
    assert.equal(start('account 0', MB).mayCompress(), true);
    assert.equal(start('account 19', MB).mayCompress(), false);
  });
});

describe('A list with memories that are larger than a part', () => {
  it('is complete for several readers at once, as a whole and as a page', async (t) => {
    const world = await createWorld(t);
    const all = memories(40, 20_000).map((each, i) =>
      i % 13 === 0 ? { ...each, transcript: `${i} `.repeat(1_000_000) } : each,
    );
    const key = world.addAccount('ana', all);
    const expected = all.map((each) => JSON.stringify({ ...each, user_id: 'ana' }));
    for (const query of ['?order=asc', '?order=asc&limit=39', '?order=asc&limit=14']) {
      const path = `/v1/memories${query}`;
      const answers = await Promise.all([1, 2, 3].map(() => send(world.port, { path, key })));
      const limit = Number(new URLSearchParams(query).get('limit') ?? 40);
      for (const { status, text } of answers) {
        assert.equal(status, 200);
        assert.ok(text === `[${expected.slice(0, limit).join()}]`, query);
      }
    }
    const newest = await send(world.port, { path: '/v1/memories', key });
    assert.ok(newest.text === `[${expected.toReversed().join()}]`);
  });
});

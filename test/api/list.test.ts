// GET /v1/memories over HTTP: pages, cursors, streams and parameters.

import assert from 'node:assert/strict';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { crc32 } from 'node:zlib';

import type { Memory } from '../../src/contract/schemas/memory.ts';
import { andThen } from '../../src/lib/async.ts';
import { counting, noting } from '../support/engines/counting-store.ts';
import { engine } from '../support/engines/engine.ts';
import { assertAlways, assertFailure } from '../support/wire/response-shape.ts';
import { send, type WireAnswer } from '../support/wire/wire.ts';
import { createWorld, memories, memory, type World } from '../support/world/world.ts';

function ids(answer: WireAnswer): string[] {
  assert.equal(answer.status, 200, answer.text);
  return (JSON.parse(answer.text) as Memory[]).map(({ id }) => id);
}

const LINK = /^<(\/v1\/memories\?cursor=[A-Za-z0-9_-]+)>; rel="(next|first)"$/;

/** Returns the targets of a response's links by relation. */
function linksOf({ headers: { link } }: WireAnswer): Record<string, string> {
  const links = link?.split(', ').map((each) => LINK.exec(each) ?? assert.fail(link)) ?? [];
  return Object.fromEntries(links.map(([, target = '', rel = '']) => [rel, target]));
}

function nextOf(answer: WireAnswer): string | undefined {
  return linksOf(answer)['next'];
}

async function walk(world: World, key: string, path: string, between = (_page: number) => {}) {
  const pages: string[][] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const answer = await send(world.port, { path: next, key });
    pages.push(ids(answer));
    next = nextOf(answer);
    between(pages.length);
  }
  return pages;
}

describe('A page', () => {
  it('links to the next page while more follow, and never repeats or skips a memory', async (t) => {
    const world = await createWorld(t);
    // Groups of equal start times across page boundaries.
    const list = memories(23).map((each, i) => ({
      ...each,
      started_at: memories(23)[i - (i % 5)]!.started_at,
    }));
    const key = world.addAccount(
      'ana',
      list.map((each) => ({ ...each, ended_at: each.started_at })),
    );
    for (const order of ['desc', 'asc']) {
      const all = ids(await send(world.port, { path: `/v1/memories?order=${order}`, key }));
      assert.equal(new Set(all).size, 23);
      for (const limit of [1, 2, 7, 22, 23, 24]) {
        const pages = await walk(world, key, `/v1/memories?limit=${limit}&order=${order}`);
        assert.deepEqual(pages.flat(), all, `${order} by ${limit}`);
        assert.equal(pages.length, Math.ceil(23 / limit), 'the last page has no next link');
      }
    }
  });

  it('stays right while memories are added and deleted between pages', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(20));
    const pages = await walk(world, key, '/v1/memories?limit=4', (page) => {
      world.writer.memories.put(
        'ana',
        memory({ id: `new${page}`, started_at: '2027-01-01T00:00:00.000Z' }),
      );
      world.writer.memories.put(
        'ana',
        memory({ id: `mid${page}`, started_at: '2026-01-01T00:10:30.000Z' }),
      );
      // Also deletes the memory that the cursor names.
      if (page < 3)
        engine.edit(world.database, `DELETE FROM memories WHERE id = 'm0${20 - page * 4}'`);
    });
    const seen = new Set(pages.flat());
    const deleted = new Set(['m016', 'm012']);
    assert.equal(seen.size, pages.flat().length, 'nothing twice');
    for (const { id } of memories(20)) if (!deleted.has(id)) assert.ok(seen.has(id), id);
    assert.ok(
      pages.slice(0, -1).every((page) => page.length === 4),
      'full while more follow',
    );
  });

  it('larger than one batch is streamed completely, with its link in the headers', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(40, 50_000));
    const all = memories(40)
      .map(({ id }) => id)
      .toReversed();
    const page = await send(world.port, { path: '/v1/memories?limit=30', key });
    assert.equal(page.headers['transfer-encoding'], 'chunked');
    assert.deepEqual(ids(page), all.slice(0, 30));
    assert.deepEqual(ids(await send(world.port, { path: `${nextOf(page)}`, key })), all.slice(30));
    assert.equal(nextOf(await send(world.port, { path: '/v1/memories?limit=40', key })), undefined);
  });

  it('that is being streamed skips memories that are deleted or moved, and has no new ones', async (t) => {
    const world = await createWorld(t, {
      wrap: (store) => ({
        ...store,
        positions: (range) =>
          andThen(store.positions(range), (places) => {
            // Simulates a commit of another process just after the headers of the response were
            // made.
            world.writer.memories.put(
              'ana',
              memory({ id: 'new', started_at: '2026-01-01T00:15:30.000Z' }),
            );
            engine.edit(world.database, "DELETE FROM memories WHERE id = 'm012'");
            world.writer.memories.put(
              'ana',
              memory({ id: 'm013', started_at: '2026-01-01T00:00:30.000Z' }),
            );
            return places;
          }),
      }),
    });
    const key = world.addAccount('ana', memories(40, 50_000));
    const answer = await send(world.port, { path: '/v1/memories?limit=30', key });
    const expected = memories(40)
      .map(({ id }) => id)
      .toReversed()
      .slice(0, 30);
    assert.deepEqual(
      ids(answer),
      expected.filter((id) => id !== 'm012' && id !== 'm013'),
    );
  });
});

describe('A cursor', () => {
  it('is refused if it is cut off or not from this gateway', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(5));
    const first = await send(world.port, { path: '/v1/memories?limit=2', key });
    const good = String(nextOf(first)).split('cursor=')[1] as string;
    const flipped = Array.from(
      good,
      (char, i) => `${good.slice(0, i)}${char === 'A' ? 'B' : 'A'}${good.slice(i + 1)}`,
    );
    const forged = (value: unknown) => forgedText(JSON.stringify(value));
    const forgedText = (text: string) => {
      const json = Buffer.from(text);
      const sum = Buffer.alloc(4);
      sum.writeUInt32BE(crc32(json));
      return Buffer.concat([sum, json]).toString('base64url');
    };
    const fields = { of: 'memories', order: 'desc', limit: 2, after: [0, 'a'] };
    assert.equal(
      (await send(world.port, { path: `/v1/memories?cursor=${forged(fields)}`, key })).status,
      200,
    );
    const bad = [
      ...flipped,
      good.slice(1),
      good.slice(0, -1),
      `${good}A`,
      `${good}=`,
      `${good}%3D`,
      'random',
      '%zz',
      'a'.repeat(5000),
      'a'.repeat(8001),
      forged({ ...fields, of: 'changes' }),
      forged({ of: 'changes', seq: 0, epoch: '' }),
      forged({ ...fields, is_processing: 1 }),
      forged({ ...fields, fields: ['nothing'] }),
      forged({ ...fields, q: 1 }),
      forged({ ...fields, limit: 1001 }),
      forged({ ...fields, order: 'up' }),
      forged({ ...fields, after: [0, 'a b'] }),
      forged({ ...fields, after: [1.5, 'a'] }),
      forged({ ...fields, after: [0] }),
      forged({ ...fields, account_id: 'bo' }),
      forged(JSON.parse('{"__proto__":1}')),
      forged(null),
      Buffer.from('00000000', 'hex').toString('base64url'),
      forgedText('not JSON'),
    ];
    for (const cursor of bad) {
      const detail = assertFailure(
        await send(world.port, { path: `/v1/memories?cursor=${cursor}`, key }),
        422,
        cursor,
      );
      assert.match(detail, /"cursor"/);
    }
  });
});

describe('The whole list', () => {
  it('has a content-length if it is short', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(3));
    const answer = await send(world.port, { key });
    assertAlways(answer);
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(answer.headers['content-length'], String(answer.body.length));
    assert.equal(answer.headers['link'], undefined);
  });

  it('is a stream of all memories if it is long', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(900, 4000));
    const answer = await send(world.port, { key });
    assert.equal(answer.headers['transfer-encoding'], 'chunked');
    assert.deepEqual(
      ids(answer),
      memories(900)
        .map(({ id }) => id)
        .toReversed(),
    );
  });

  it('costs one read of the store per batch, and a page costs one', async (t) => {
    const calls: string[] = [];
    const world = await createWorld(t, { wrap: noting(calls) });
    const key = world.addAccount('ana', memories(900, 4000));
    await send(world.port, { path: '/v1/memories?limit=50', key });
    assert.deepEqual(calls.splice(0), ['apiKey', 'items']);
    const { body } = await send(world.port, { key });
    const batches = calls.splice(0);
    assert.deepEqual(batches.slice(0, 2), ['apiKey', 'items']);
    assert.ok(batches.slice(2).every((call) => call === 'chunk'));
    assert.ok((batches.length - 1) * 200_000 < body.length, `${batches.length} reads`);
  });

  it('stops reading while the client does not read, and for good when the client leaves', async (t) => {
    const read = counting();
    const world = await createWorld(t, read);
    const key = world.addAccount('ana', memories(200, 250_000)); // 50 MB: far more than sockets buffer
    const response = await new Promise<IncomingMessage>((resolve) => {
      httpGet(`${world.url}/v1/memories`, { headers: { 'x-api-key': key }, agent: false }, resolve);
    });
    response.on('error', () => {}); // the test cuts it off below
    let before = -1;
    for (let quiet = 0; quiet < 10; before = read.batches) {
      await sleep(20);
      quiet = read.batches === before ? quiet + 1 : 0;
    }
    assert.ok(
      read.batches < 100,
      `${read.batches} of 100 batches read for a reader that reads nothing`,
    );
    response.destroy();
    while (!world.log.some(({ message }) => message === 'request')) await sleep(5);
    const after = read.batches;
    await sleep(50);
    assert.equal(read.batches, after, 'goes on for a reader that left');
    const [line] = world.log;
    assert.equal(line?.fields['complete'], false);
    assert.deepEqual(
      world.log.map(({ message, fields }) => [message, fields['err']]),
      [['request', undefined]],
      'a reader that leaves is no failure',
    );
  });

  it('breaks the connection if a later batch fails, and never ends as valid JSON', async (t) => {
    const world = await createWorld(t, {
      wrap: (store) => ({
        ...store,
        chunk() {
          throw new Error('disk on fire');
        },
      }),
    });
    const key = world.addAccount('ana', memories(100, 10_000));
    for (const encoding of ['identity', 'gzip', 'br', 'zstd']) {
      const request = send(world.port, { key, headers: { 'accept-encoding': encoding } });
      await assert.rejects(request, { code: 'ECONNRESET' }, encoding);
    }
    const failures = world.log.filter(({ message }) => message === 'request failed');
    assert.equal(failures.length, 4);
    assert.match(String(failures[0]?.fields['err']), /disk on fire/);
  });

  it('is a complete 500 if the first batch fails, with the details in the log only', async (t) => {
    const world = await createWorld(t, {
      wrap: (store) => ({
        ...store,
        items() {
          throw new Error('SQLITE_IOERR in /var/secret');
        },
      }),
    });
    const key = world.addAccount('ana', memories(1));
    const answer = await send(world.port, { key });
    assert.doesNotMatch(assertFailure(answer, 500), /IOERR|secret/);
    const failure = world.log.find(({ message }) => message === 'request failed');
    assert.equal(failure?.fields['request_id'], answer.headers['x-request-id']);
    assert.equal(failure?.fields['route'], 'memories.list');
    assert.match(inspect(failure?.fields['err']), /SQLITE_IOERR[^]*list\.test\.ts/);
    assert.equal(
      (await send(world.port, { path: '/healthz' })).status,
      200,
      'the next request is fine',
    );
  });
});

describe('A parameter', () => {
  it('can be percent-encoded, and empty parts of a query are ignored', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(3));
    for (const query of [
      '?%6Cimit=%32',
      '?&&limit=2&',
      '?limit=2&order=desc',
      '?order=desc&limit=2',
    ]) {
      assert.deepEqual(
        ids(await send(world.port, { path: `/v1/memories${query}`, key })),
        ['m002', 'm001'],
        query,
      );
    }
    assert.equal(ids(await send(world.port, { path: '/v1/memories?', key })).length, 3);
  });
});

describe('A search', () => {
  // Weeks of the index begin on Thursdays, at midnight UTC.
  const WEEKS = ['2026-03-19', '2026-03-26', '2026-04-02'];
  const found = (world: World, key: string, path: string) =>
    walk(world, key, `/v1/memories?q=milk${path}`).then((pages) => pages.flat());

  async function threeWeeks(t: TestContext) {
    const world = await createWorld(t);
    const list = WEEKS.flatMap((day, i) => [
      memory({ id: `start${i}`, name: 'Milk', started_at: `${day}T00:00:00.000Z` }),
      memory({ id: `later${i}`, name: 'Milk', started_at: `${day}T00:00:00.001Z` }),
    ]);
    return { world, key: world.addAccount('ana', list) };
  }

  it('continues in earlier weeks if its bound is the start of a week', async (t) => {
    const { world, key } = await threeWeeks(t);
    const all = await found(world, key, '');
    assert.equal(all.length, 6);
    for (const [i, day] of WEEKS.entries()) {
      const earlier = all.slice(-2 * i || 6);
      assert.deepEqual(await found(world, key, `&started_before=${day}`), earlier, day);
      assert.deepEqual(
        await found(world, key, `&started_before=${day}&order=asc`),
        earlier.toReversed(),
      );
      assert.deepEqual(
        await found(world, key, `&started_after=${day}`),
        all.slice(0, all.length - earlier.length),
      );
    }
  });

  it('continues in earlier weeks after it yielded to other requests', async (t) => {
    // A clock with which every week takes longer than a search may take before it yields.
    let now = 0;
    t.mock.method(performance, 'now', () => (now += 100));
    const { world, key } = await threeWeeks(t);
    for (const limit of ['', '&limit=1', '&limit=2', '&limit=5', '&limit=6']) {
      const newest = await found(world, key, limit);
      assert.deepEqual(newest, ['later2', 'start2', 'later1', 'start1', 'later0', 'start0'], limit);
      assert.deepEqual(await found(world, key, `&order=asc${limit}`), newest.toReversed(), limit);
      // From the middle of a week to the middle of another week.
      const middle = `&started_after=${WEEKS[0]}T00:00:00.001Z&started_before=${WEEKS[2]}T00:00:00.001Z`;
      for (const order of ['desc', 'asc'])
        assert.equal(
          (await found(world, key, `${middle}&order=${order}${limit}`)).length,
          4,
          limit,
        );
    }
  });
});

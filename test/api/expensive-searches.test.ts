// Expensive searches and long accounts: each search completes, and none delays other clients.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { readFixtures } from '../../src/cli/commands/database/seed.ts';
import type { SyncStore } from '../../src/store/store.ts';
import type { Store } from '../../src/store/store.ts';
import { counting } from '../support/engines/counting-store.ts';
import { ids, items, walk } from '../support/wire/lists.ts';
import { send } from '../support/wire/wire.ts';
import {
  EXPENSIVE_QUERIES,
  serveLong,
  serveLongOn,
  word,
  wordsOf,
} from '../support/world/long-account.ts';
import { createWorld } from '../support/world/world.ts';

/** Enough memories for each week of eight years. */
const COUNT = 2_000;

/**
 * Creates a clock with which every lookup of a week uses up the time of a search before it yields.
 */
function slowDown(t: TestContext): void {
  let now = 0;
  t.mock.method(performance, 'now', () => (now += 1000));
}

describe('An expensive query', () => {
  it('returns the memories of its own account, on the fixtures', async (t) => {
    const world = await createWorld(t);
    for (const { id, memories: list } of readFixtures()) {
      const key = world.addAccount(id, [...list]);
      for (const [what, q] of Object.entries(EXPENSIVE_QUERIES)) {
        const path = `/v1/memories?limit=2&q=${encodeURIComponent(Array.from(q).slice(0, 1024).join(''))}`;
        for (const page of await walk({ ...world, key }, path))
          assert.ok(
            items(page).every(({ user_id }) => user_id === id),
            what,
          );
      }
    }
  });
});

describe('A search of a long account', () => {
  it('yields to other requests between weeks, in both orders, and finds a memory at the end', async (t) => {
    slowDown(t);
    for (const order of ['desc', 'asc']) {
      const { port, key, turns } = await serveLong(t, COUNT);
      const path = `/v1/memories?q=needle&fields=id&order=${order}`;
      assert.deepEqual(ids(await send(port, { path, key })), ['m3']);
      const { batches, answeredAt } = await turns();
      assert.ok(batches >= 8 * 52, `${batches} batches for the weeks of eight years`);
      assert.ok(answeredAt < batches, `answered at ${answeredAt}`);
    }
  });

  it('returns full pages, even if it yields after every week', async (t) => {
    slowDown(t);
    const { port, key } = await serveLong(t, COUNT);
    const hasWord = (i: number) => wordsOf(i).includes(word(500));
    const expected = Array.from({ length: COUNT }, (_, i) => i).filter(hasWord);
    assert.ok(expected.length > 30);
    for (const order of ['asc', 'desc']) {
      const right = order === 'asc' ? expected : expected.toReversed();
      const path = `/v1/memories?q=${word(500)}&fields=id&limit=25&order=${order}`;
      const pages = await walk({ port, key }, path);
      assert.deepEqual(
        pages.flatMap(ids),
        right.map((i) => `m${i}`),
        order,
      );
      assert.equal(pages.length, Math.ceil(right.length / 25), order);
    }
  });

  it('delays other requests no longer if many searches run', async (t) => {
    slowDown(t);
    const searches = 20;
    const counted = counting();
    const { port, key } = await serveLongOn(t, COUNT, counted);
    const path = '/v1/memories?q=needle&fields=id&order=asc';
    const found = Array.from({ length: searches }, () => send(port, { path, key }));
    while (counted.batches < 2 * searches) await sleep(1); // all searches have begun
    const before = counted.batches;
    assert.equal((await send(port, { path: '/healthz' })).status, 200);
    const meanwhile = counted.batches - before;
    t.diagnostic(`${meanwhile} batches of ${searches} searches before another response`);
    // Its connection and its request take two rounds of the event loop. All searches one after
    // another would take 40.
    assert.ok(meanwhile < searches, `${meanwhile} turns`);
    for (const each of found) assert.deepEqual(ids(await each), ['m3']);
  });

  it('ends when its client has disconnected', async (t) => {
    slowDown(t);
    const counted = counting();
    const later = (store: SyncStore): Store => ({
      ...counted.wrap(store),
      async items(...args) {
        await sleep(2); // otherwise the search ends before the server notices the closed socket
        return counted.wrap(store).items(...args);
      },
    });
    const { port, key, gateway } = await serveLongOn(t, COUNT, { wrap: later });
    const path = '/v1/memories?q=nowhere';
    const entryPoints = {
      listener(signal: AbortSignal) {
        const socket = connect(port, '127.0.0.1');
        socket.write(`GET ${path} HTTP/1.1\r\nHost: h\r\nX-API-Key: ${key}\r\n\r\n`);
        // A client that only half-closes its connection still gets its response.
        signal.addEventListener('abort', () => socket.resetAndDestroy());
      },
      fetch(signal: AbortSignal) {
        const headers = { 'x-api-key': key };
        void gateway.fetch(new Request(`http://h${path}`, { headers, signal }));
      },
      caller(signal: AbortSignal) {
        gateway
          .as('ana')
          .memories.list({ q: 'nowhere' }, { signal })
          .catch(() => {});
      },
    };
    for (const [name, ask] of Object.entries(entryPoints)) {
      const left = new AbortController();
      const begun = counted.batches;
      ask(left.signal);
      while (counted.batches < begun + 10) await sleep(1);
      left.abort();
      let before = -1;
      for (let quiet = 0; quiet < 10; before = counted.batches) {
        await sleep(10);
        quiet = counted.batches === before ? quiet + 1 : 0;
      }
      assert.ok(counted.batches < begun + 200, `${name}: ${counted.batches - begun} of 419 turns`);
    }
  });
});

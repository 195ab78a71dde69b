// Hostile searches, and long accounts: all are answered, and none holds up what others ask.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { readFixtures } from '../src/cli/fixtures.ts';
import type { SyncStore } from '../src/store/sqlite.ts';
import { createDatabase, openWriter } from '../src/store/sqlite/writer.ts';
import type { Store } from '../src/store/store.ts';
import { counting, type Counting } from './support/counting.ts';
import { issued, newFolder } from './support/left.ts';
import { ids, items, walk } from './support/lists.ts';
import { createServerOn } from './support/serving.ts';
import { send } from './support/wire.ts';
import { createWorld, memory } from './support/world.ts';

const DAY = 24 * 3_600_000;
const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz0123456789');
const PAIRS = LETTERS.flatMap((a) => LETTERS.map((b) => a + b));
const SYLLABLES = 'ba ko ri me tu sa no vi le da'.split(' ');

/** One of a thousand words. */
function word(i: number): string {
  return Array.from(String(i % 1000).padStart(3, '0'), (digit) => SYLLABLES[Number(digit)]).join(
    '',
  );
}

/** The words of a memory of the long account. */
function wordsOf(i: number): string[] {
  return Array.from({ length: 30 }, (_, j) => word(i * 31 + j * j * 7));
}

const HOSTILE: Record<string, string> = {
  'prefixes of one letter and of two': [...LETTERS, ...PAIRS].map((each) => `${each}*`).join(' '),
  'prefixes that all find': SYLLABLES.flatMap((a) => SYLLABLES.map((b) => `${a}${b}*`)).join(' '),
  'a phrase of 512 words that are one': `"${'a '.repeat(512)}"`,
  'a phrase of words that are there': `"${Array.from({ length: 140 }, (_, i) => word(i)).join(' ')}"`,
  'phrases of a word': Array.from({ length: 60 }, (_, i) => `"${'a '.repeat(i + 1)}"`).join(' '),
  'words that are there, though never together': Array.from({ length: 140 }, (_, i) =>
    word(i * 7),
  ).join(' '),
  '340 words that are not there': PAIRS.map((each) => each.replace(/[a-z]/, 'q'))
    .slice(0, 340)
    .join(' '),
  'quotes alone': '"'.repeat(1024),
  'quotes and a word': `${'"'.repeat(1023)}a`,
  'quoted words': '"a"'.repeat(341),
  stars: '*'.repeat(1024),
  brackets: '('.repeat(1023) + 'a',
  operators: 'a AND NOT NEAR OR '.repeat(56),
  'a word as long as can be': 'z'.repeat(1024),
  'a prefix as long as can be': `${'z'.repeat(1023)}*`,
  'characters of a script without spaces': '東'.repeat(800),
  'marks on a letter': `a${'\u0301'.repeat(1000)}`,
  emoji: '🎉'.repeat(600),
};

const COUNT = 20_000;
/** The days between two memories: eight years in all. */
const STEP = (8 * 365.25 * DAY) / COUNT;

let long: { readonly database: string; readonly key: string } | undefined;

/** An account with 20,000 memories of eight years, beside a small one; made once. */
function longAccount() {
  if (long) return long;
  const database = join(newFolder(), 'memories.db');
  createDatabase(database);
  const writer = openWriter(database);
  const [key = ''] = ['ana', 'bo'].map((id) => {
    writer.accounts.create({ id, name: id, created_by: 'command line' });
    return issued(writer.keys.create({ account_id: id, label: 'test', expires_at: null }).key);
  });
  writer.transaction(() => {
    for (let i = 0; i < COUNT; i++) {
      const started_at = new Date(Date.UTC(2018, 0, 1) + Math.floor(i * STEP)).toISOString();
      const transcript = `${i === 3 ? 'needle ' : ''}a a a a a a a a a a ${wordsOf(i).join(' ')}`;
      writer.memories.put(
        'ana',
        memory({ id: `m${i}`, started_at, ended_at: '2026-12-31T00:00:00.000Z', transcript }),
      );
    }
    writer.memories.put('bo', memory({ id: 'bos' }));
  });
  writer.close();
  long = { database, key };
  return long;
}

/** Serves the long account. */
async function serveOn(t: TestContext, between: Pick<Counting, 'wrap'>) {
  const { database, key } = longAccount();
  return { ...(await createServerOn(t, database, between)), key };
}

/** Serves the long account; when a search has begun, someone else asks something. */
async function serveLong(t: TestContext) {
  const asked = { answeredAt: Infinity, other: undefined as Promise<void> | undefined };
  const counted = counting((batch) => {
    if (batch === 1) asked.other = askOther();
  });
  const { port, key } = await serveOn(t, counted);
  async function askOther(): Promise<void> {
    assert.equal((await send(port, { path: '/healthz' })).status, 200);
    asked.answeredAt = counted.batches;
  }
  /** After how many batches the other was answered, and how many there were. */
  async function turns() {
    const { batches } = counted;
    await asked.other;
    return { batches, answeredAt: asked.answeredAt };
  }
  return { port, key, turns };
}

/** Makes a clock by which every look-up of a week takes the whole turn of a search. */
function slowDown(t: TestContext): void {
  let now = 0;
  t.mock.method(performance, 'now', () => (now += 1000));
}

describe('A hostile query', () => {
  it('is answered with what it finds, on the fixtures', async (t) => {
    const world = await createWorld(t);
    for (const { id, memories: list } of readFixtures()) {
      const key = world.addAccount(id, [...list]);
      for (const [what, q] of Object.entries(HOSTILE)) {
        const path = `/v1/memories?limit=2&q=${encodeURIComponent(Array.from(q).slice(0, 1024).join(''))}`;
        for (const page of await walk({ ...world, key }, path))
          assert.ok(
            items(page).every(({ user_id }) => user_id === id),
            what,
          );
      }
    }
  });

  it('is answered on an account of 20,000 memories, and others are meanwhile', async (t) => {
    for (const [what, q] of Object.entries(HOSTILE)) {
      const { port, key, turns } = await serveLong(t);
      const text = encodeURIComponent(Array.from(q).slice(0, 1024).join(''));
      const path = `/v1/memories?limit=5&fields=id&q=${text}`;
      const found = ids(await send(port, { path, key }));
      const { batches, answeredAt } = await turns();
      t.diagnostic(`${what}: ${found.length} found in ${batches} turns`);
      // Where there are few turns, the search itself is as short.
      if (batches >= 10) assert.ok(answeredAt < batches, what);
    }
  });
});

describe('A search of a long account', () => {
  it('gives others a turn between its weeks, in both orders, and finds what is at the end', async (t) => {
    slowDown(t);
    for (const order of ['desc', 'asc']) {
      const { port, key, turns } = await serveLong(t);
      const path = `/v1/memories?q=needle&fields=id&order=${order}`;
      assert.deepEqual(ids(await send(port, { path, key })), ['m3']);
      const { batches, answeredAt } = await turns();
      assert.ok(batches >= 8 * 52, `${batches} turns for the weeks of eight years`);
      assert.ok(answeredAt < batches, `answered at ${answeredAt}`);
    }
  });

  it('gives full pages, though every week is a turn', async (t) => {
    slowDown(t);
    const { port, key } = await serveLong(t);
    const hasWord = (i: number) => wordsOf(i).includes(word(500));
    const expected = Array.from({ length: COUNT }, (_, i) => i).filter(hasWord);
    assert.ok(expected.length > 300);
    for (const order of ['asc', 'desc']) {
      const right = order === 'asc' ? expected : expected.toReversed();
      const path = `/v1/memories?q=${word(500)}&fields=id&limit=250&order=${order}`;
      const pages = await walk({ port, key }, path);
      assert.deepEqual(
        pages.flatMap(ids),
        right.map((i) => `m${i}`),
        order,
      );
      assert.equal(pages.length, Math.ceil(right.length / 250), order);
    }
  });

  it('holds nobody up longer when there are many of them', async (t) => {
    slowDown(t);
    const searches = 20;
    const counted = counting();
    const { port, key } = await serveOn(t, counted);
    const path = '/v1/memories?q=needle&fields=id&order=asc';
    const found = Array.from({ length: searches }, () => send(port, { path, key }));
    while (counted.batches < 2 * searches) await sleep(1); // all have begun
    const before = counted.batches;
    assert.equal((await send(port, { path: '/healthz' })).status, 200);
    const meanwhile = counted.batches - before;
    t.diagnostic(`${meanwhile} turns of ${searches} searches before another was answered`);
    // Its connection and its request are two rounds of the loop: all of them at once would be 40.
    assert.ok(meanwhile < searches, `${meanwhile} turns`);
    for (const each of found) assert.deepEqual(ids(await each), ['m3']);
  });

  it('ends when nobody waits for it any more', async (t) => {
    slowDown(t);
    const counted = counting();
    const later = (store: SyncStore): Store => ({
      ...counted.wrap(store),
      async items(...args) {
        await sleep(2); // or the search is over before a socket is known to be closed
        return counted.wrap(store).items(...args);
      },
    });
    const { port, key, gateway } = await serveOn(t, { wrap: later });
    const path = '/v1/memories?q=nowhere';
    const doors = {
      listener(signal: AbortSignal) {
        const socket = connect(port, '127.0.0.1');
        socket.write(`GET ${path} HTTP/1.1\r\nHost: h\r\nX-API-Key: ${key}\r\n\r\n`);
        // Whoever merely closes their side of a connection is still answered.
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
    for (const [name, ask] of Object.entries(doors)) {
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
